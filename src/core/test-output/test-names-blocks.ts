// Runners that print a tree: a group's name, and below it, further in, a mark and a name for each test.
//
//   ▶ group                     group                    PASS ./a.test.js
//     ✔ one (0.4ms)               ✔ one                    group
//   ✔ group (1.2ms)               - later                    ✓ one (3 ms)
//   node:test                   mocha                    jest
import type { NamedOutcome, NameReader, Tell } from './test-names.ts'

type Dialect = 'node' | 'mocha' | 'jest'

const marks: Readonly<Record<Dialect, Readonly<Record<string, NamedOutcome>>>> = {
  node: { '✔': 'passed', '✖': 'failed', '﹣': 'skipped', '⚠': 'skipped' },
  mocha: { '✔': 'passed', '✓': 'passed', '-': 'skipped' },
  jest: { '✓': 'passed', '✕': 'failed', '○': 'skipped', '✎': 'skipped' },
}

/** What follows repeats what was said, or is no list of tests. */
const endings: Readonly<Record<Dialect, RegExp>> = {
  node: /^(?:✖ failing tests:|ℹ tests \d+)$/,
  mocha: /^ {2}\d+ (?:passing|pending|failing)\b/,
  jest: /^(?:Summary of all failing tests|Test Suites: )/,
}

const starts: Readonly<Record<Dialect, RegExp | null>> = {
  node: null,
  mocha: null,
  jest: /^(?:PASS|FAIL) (?:.* )?(\S+\.\w+)(?: \([\d.]+ m?s\))?$/,
}

interface Group {
  readonly depth: number
  readonly name: string
  isEmpty: boolean
}

export function startBlocks(dialect: Dialect, tell: Tell, group: () => void): NameReader {
  let groups: Group[] = []
  let file: string | null = null
  let isRepeated = false
  let isBelowBlank = false
  const within = (depth: number): void => {
    groups = groups.filter((one) => one.depth < depth)
  }
  return {
    line: (text) => {
      // node:test shows what failed once more at the end, with its place before it.
      const isShownAgain = isRepeated
      isRepeated = dialect === 'node' && text.startsWith('test at ')
      if (isShownAgain) return
      if (endings[dialect].test(text)) {
        groups = []
        file = null
        return
      }
      const opened = starts[dialect]?.exec(text)?.[1]
      if (opened !== undefined) {
        file = opened
        groups = []
        return
      }
      // Outside of a file's block jest prints what the tests print.
      if (dialect === 'jest' && (file === null || text === '')) {
        if (text === '') file = null
        return
      }
      const depth = text.search(/\S/)
      if (text === '') isBelowBlank = true
      if (dialect === 'mocha' && !isMochaDepth(depth)) return
      const word = depth === -1 ? '' : text.slice(depth)
      const mark = marks[dialect][[...word][0] ?? '']
      if (mark !== undefined && / /.test(word[1] ?? '')) return takeTest(mark, depth, word.slice(2))
      const failed = dialect === 'mocha' ? /^\d+\) (.*[^:])$/.exec(word)?.[1] : undefined
      if (failed !== undefined) return takeTest('failed', depth, failed)
      if (isGroup(dialect, word)) {
        if (dialect === 'mocha' && !isMochaGroup(depth)) return
        within(depth)
        isBelowBlank = false
        groups.push({ depth, name: nameOf(word.replace(/^▶ /, '')), isEmpty: true })
      }
    },
    end: () => {},
  }

  /** One level below the last, or, where a suite has begun, the next one after an empty line. */
  function isMochaGroup(depth: number): boolean {
    const level = depth / 2 - 1
    return level <= groups.length && (level > 0 || groups.length === 0 || isBelowBlank)
  }

  function takeTest(outcome: NamedOutcome, depth: number, word: string): void {
    const name = nameOf(word)
    const closed = groups.find((one) => one.depth === depth && one.name === name)
    within(depth)
    // A group ends with a line like a test's, unless it held nothing: then it is one.
    if (closed !== undefined && !closed.isEmpty) {
      group()
      return
    }
    isBelowBlank = false
    for (const one of groups) one.isEmpty = false
    const told = isSkip(word) ? 'skipped' : outcome
    const chain = [...(file === null ? [] : [file]), ...groups.map((one) => one.name), name]
    tell(told, chain.join(' > '))
  }
}

function isGroup(dialect: Dialect, word: string): boolean {
  if (word === '') return false
  return dialect === 'node' ? word.startsWith('▶ ') : !/^\d+\) /.test(word)
}

/** mocha indents by two for each level and prints nothing of its own at the margin: what stands there a program printed. */
function isMochaDepth(depth: number): boolean {
  return depth >= 2 && depth % 2 === 0
}

function isSkip(word: string): boolean {
  return /# (?:SKIP|TODO)\b/.test(word)
}

/** Without how long it took and what was remarked. */
function nameOf(text: string): string {
  return text
    .replace(/ \([\d.]+ ?m?s\)(?= #|$)/, '')
    .replace(/ # (?:SKIP|TODO)\b.*$/, '')
    .replace(/^(?:skipped|todo) (?=\S)/, '')
    .trim()
}
