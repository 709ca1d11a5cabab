// Small changes of a file, one at a time, that keep every type: a test that sees the changed lines notices them.
import { applyEdits } from './edit.ts'
import { inlineTests } from './inline-tests.ts'
import { type Change, changesAt } from './mutants/changes.ts'
import { isOutOfReach } from './mutants/reach.ts'
import type { Source } from './syntax-tree.ts'
import { type Lines, isInside, visits } from './tree.ts'

export interface Mutant {
  readonly line: number
  /** What changed, in plain words: `` `<` became `<=` ``. */
  readonly what: string
  /** The whole file with this change. */
  readonly text: string
}

/** The best of each line first, then the second best of each, at most `max`. */
export function mutants(source: Source, lines: Lines, max: number): Mutant[] {
  const tests = inlineTests(source)
  const changes: Change[] = []
  for (const { node, parents } of visits(source.root, (one) => !isOutOfReach(source, one))) {
    if (isOutOfReach(source, node) || isInside(node.line, tests)) continue
    if (lines === 'all' || lines.has(node.line)) changes.push(...changesAt(source, node, parents))
  }
  return spread(changes)
    .flatMap(({ line, what, edit }) => {
      const text = applyEdits(source.text, [edit])
      return text === null ? [] : [{ line, what, text }]
    })
    .slice(0, max)
}

/** In rounds: each round takes one change of every line, the most telling changes first. */
function spread(changes: readonly Change[]): Change[] {
  const byLine = [...Map.groupBy(changes, ({ line }) => line)]
    .toSorted(([a], [b]) => a - b)
    .map(([, all]) => all.toSorted((a, b) => a.rank - b.rank || a.edit.start - b.edit.start || a.edit.end - b.edit.end))
  const rounds = Math.max(0, ...byLine.map(({ length }) => length))
  return Array.from({ length: rounds }, (_, round) =>
    byLine.flatMap((all) => all[round] ?? []).toSorted((a, b) => a.rank - b.rank || a.line - b.line),
  ).flat()
}
