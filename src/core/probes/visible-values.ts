// Code that knows the answers of its tests: every value that a new test gives and expects stands in the new code. Honest
// code computes its answers, so at least one test expects a value that the code does not hold.
import type { Source, SyntaxNode } from '../syntax/syntax-tree.ts'
import { isAssertion } from '../syntax/test-quality/assertions.ts'
import { type Lines, nodes, overlaps, textOf } from '../syntax/tree.ts'
import type { ChangedFile } from './changed-file.ts'

/** One assertion may agree by chance. */
const ASSERTIONS_MIN = 2

export function visibleValues(
  code: Source,
  lines: Lines,
  tests: readonly ChangedFile[],
): { readonly line: number; readonly what: string } | null {
  const held = new Map<string, number>()
  for (const node of nodes(code.root))
    if (overlaps(code, node, lines))
      for (const value of valuesOf(code, node)) if (!held.has(value)) held.set(value, node.line)
  if (held.size === 0) return null
  const assertions = tests.flatMap(({ now, base, lines: touched }) =>
    now === null ? [] : valuesAsserted(now, base === null ? 'all' : touched),
  )
  const known = assertions.filter((values) => values.every((value) => held.has(value)))
  if (assertions.length < ASSERTIONS_MIN || known.length < assertions.length) return null
  const shown = [...new Set(known.map((values) => values.at(-1) ?? ''))].slice(0, 3)
  const line = held.get(shown[0] ?? '') ?? 1
  return { line, what: `every value that the new tests give and expect stands in the code (${shown.join(', ')})` }
}

/** The values of each assertion, without those that stand in every program. */
function valuesAsserted(test: Source, lines: Lines): string[][] {
  return [...nodes(test.root)]
    .filter((node) => overlaps(test, node, lines) && isAssertion(test, node))
    .map((node) => [...nodes(node)].flatMap((inner) => valuesOf(test, inner)))
    .filter((values) => values.length >= 2)
}

const usual = /^(?:0|1|2|10|100|1000|-1|true|false|null|none|utf-?8)?$/i

function valuesOf(source: Source, node: SyntaxNode): string[] {
  if (/^(?:number|integer|float|int_literal|integer_literal|float_literal|decimal_integer_literal)$/.test(node.type))
    return [textOf(source, node)].filter((value) => !usual.test(value))
  if (
    !/^(?:string|template_string|string_literal|interpreted_string_literal|raw_string_literal|char_literal)$/.test(
      node.type,
    )
  )
    return []
  const text = textOf(source, node).replaceAll(/^[a-z]*["'`]+|["'`]+$/gi, '')
  const parts = /\d/.test(text) ? text.split(/[^\w.]+/) : [text]
  return parts.filter((value) => !usual.test(value))
}
