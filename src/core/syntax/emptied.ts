// A file without the behaviour of its functions: names, exports and signatures stay, and every function returns a neutral
// value of the kind that it returned. A test that notices nothing of that tests nothing of it.
import { type Edit, applyEdits } from './edit.ts'
import { cEmptier } from './emptied/c.ts'
import type { Emptier } from './emptied/emptier.ts'
import { goEmptier } from './emptied/go.ts'
import { javaEmptier } from './emptied/java.ts'
import { pythonEmptier } from './emptied/python.ts'
import { rubyEmptier } from './emptied/ruby.ts'
import { rustEmptier } from './emptied/rust.ts'
import { scriptEmptier } from './emptied/script.ts'
import { inlineTests } from './inline-tests.ts'
import type { Language, Source, SyntaxNode } from './syntax-tree.ts'
import { type LineRange, type Lines, isInside, overlaps } from './tree.ts'

const EMPTIERS: Readonly<Record<Language, Emptier>> = {
  javascript: scriptEmptier,
  typescript: scriptEmptier,
  tsx: scriptEmptier,
  python: pythonEmptier,
  go: goEmptier,
  rust: rustEmptier,
  java: javaEmptier,
  ruby: rubyEmptier,
  c: cEmptier,
}

/**
 * Empties the functions and constants that overlap these lines; `functions`: those alone, for a file that cannot be
 * loaded without its constants. Null: there is nothing to empty.
 */
export function emptied(source: Source, lines: Lines, what: 'all' | 'functions' = 'all'): string | null {
  const own = EMPTIERS[source.language]
  const emptier: Emptier = what === 'all' ? own : { ...own, constant: () => [] }
  const pass = { source, lines, emptier, tests: inlineTests(source) }
  const edits = editsIn(pass, source.root, [])
  return applyEdits(source.text, [...edits, ...(emptier.mend?.(source, edits) ?? [])])
}

interface Pass {
  readonly source: Source
  readonly lines: Lines
  readonly emptier: Emptier
  readonly tests: readonly LineRange[]
}

function editsIn(pass: Pass, node: SyntaxNode, parents: readonly SyntaxNode[]): Edit[] {
  const { source, lines, emptier, tests } = pass
  if (isInside(node.line, tests) && parents.length > 0 && !spansMore(node, tests)) return []
  if (!overlaps(source, node, lines) || emptier.isLeftAlone?.(source, node) === true) return []
  const around = [...parents, node]
  const inside = (from: Pass): Edit[] => node.children.flatMap((child) => editsIn(from, child, around))
  if (!emptier.isFunction(node)) return [...emptier.constant(source, node, parents), ...inside(pass)]
  const own = emptier.empty(source, node, parents)
  if (own !== 'inside') return [...own]
  const edits = inside(pass)
  // The changed lines are the factory's own: all that it makes is emptied.
  return edits.length > 0 ? edits : inside({ ...pass, lines: 'all' })
}

/** A docstring with an example stands on the same line as code in no file that people write. */
function spansMore(node: SyntaxNode, tests: readonly LineRange[]): boolean {
  return tests.some(({ start }) => start > node.line)
}
