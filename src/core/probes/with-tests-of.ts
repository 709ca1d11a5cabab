// Tests and code in one file are two halves: Rust's `#[cfg(test)]`, vitest in the source, doctests. To see whether the
// tests fail without the change, the new half of the tests stands beside the old half of the code.
import { inlineTests } from '../syntax/inline-tests.ts'
import type { Source } from '../syntax/syntax-tree.ts'

/** The base's code with the candidate's tests; null: no tests in this file, or they did not change. */
export function withTestsOf(base: Source | null, now: Source | null): string | null {
  if (base === null || now === null) return null
  const tests = linesOf(now, 'tests')
  if (tests.length === 0 || tests.join('\n') === linesOf(base, 'tests').join('\n')) return null
  return [...linesOf(base, 'code'), ...tests, ''].join('\n')
}

function linesOf(source: Source, half: 'tests' | 'code'): string[] {
  const inside = inlineTests(source)
  return source.text.split('\n').filter((_, at) => inside.has(at + 1) === (half === 'tests'))
}
