// For the runners that print a tree: the name of a group, and below it, indented, a mark and a name for each test.
//
//   ▶ group                     group                    PASS ./a.test.js
//     ✔ one (0.4ms)               ✔ one                    group
//   ✔ group (1.2ms)               - later                    ✓ one (3 ms)
//   node:test                   mocha                    jest
import type { NameSink } from './runner-reader.ts'
import type { NamedOutcome } from './test-names.ts'

interface Group {
  readonly depth: number
  readonly name: string
  isEmpty: boolean
}

export interface NameTree {
  /** How many groups are open. */
  level(): number
  /** Closes all groups; the names of the tests that follow start with `file`. */
  reset(file?: string): void
  open(depth: number, title: string): void
  /** False where the line closes a group instead. */
  test(outcome: NamedOutcome, depth: number, title: string): boolean
}

export function startTree(names: NameSink): NameTree {
  let groups: Group[] = []
  let root: readonly string[] = []
  const closeTo = (depth: number): void => {
    groups = groups.filter((one) => one.depth < depth)
  }
  return {
    level: () => groups.length,
    reset: (file) => {
      groups = []
      root = file === undefined ? [] : [file]
    },
    open: (depth, title) => {
      closeTo(depth)
      groups.push({ depth, name: nameOf(title), isEmpty: true })
    },
    test: (outcome, depth, title) => {
      const name = nameOf(title)
      const closed = groups.find((one) => one.depth === depth && one.name === name)
      closeTo(depth)
      // A group ends with a line like a test's, unless it is empty: then that line is a test.
      if (closed !== undefined && !closed.isEmpty) return false
      for (const one of groups) one.isEmpty = false
      const isSkipped = /# (?:SKIP|TODO)\b/.test(title)
      names.test(isSkipped ? 'skipped' : outcome, [...root, ...groups.map((one) => one.name), name].join(' > '))
      return true
    },
  }
}

export interface TreeLine {
  /** -1 for a line without text. */
  readonly depth: number
  readonly text: string
  /** Null where the line starts with none of the marks. */
  readonly marked: { readonly outcome: NamedOutcome; readonly title: string } | null
}

export function treeLine(line: string, marks: Readonly<Record<string, NamedOutcome>>): TreeLine {
  const depth = line.search(/\S/)
  const text = depth === -1 ? '' : line.slice(depth)
  const outcome = marks[text[0] ?? '']
  const isMarked = outcome !== undefined && text[1] === ' '
  return { depth, text, marked: isMarked ? { outcome, title: text.slice(2) } : null }
}

/** Without the duration and the directive. */
function nameOf(title: string): string {
  return title
    .replace(/ \([\d.]+ ?m?s\)(?= #|$)/, '')
    .replace(/ # (?:SKIP|TODO)\b.*$/, '')
    .replace(/^(?:skipped|todo) (?=\S)/, '')
    .trim()
}
