// Tests and code in one file are two halves: Rust's `#[cfg(test)]`, vitest in the source, doctests. To see whether the
// tests fail without the change, the new half of the tests stands beside the old half of the code.
import { inlineTests } from '../syntax/inline-tests.ts'
import type { Source } from '../syntax/syntax-tree.ts'

/** The base's code with the candidate's tests; null: no tests in this file, or they did not change. */
export function withTestsOf(base: Source | null, now: Source | null): string | null {
  if (base === null || now === null || now.language === 'python') return null
  const tests = linesOf(now, 'tests')
  if (tests.length === 0 || tests.join('\n') === linesOf(base, 'tests').join('\n')) return null
  return [...linesOf(base, 'code'), ...tests, ''].join('\n')
}

/** Whether only the tests inside the file changed. */
export function changesTestsAlone(base: Source | null, now: Source | null): boolean {
  if (base === null || now === null || inlineTests(now).length === 0) return false
  return linesOf(base, 'code').join('\n').trim() === linesOf(now, 'code').join('\n').trim()
}

function linesOf(source: Source, half: 'tests' | 'code'): string[] {
  const ranges = inlineTests(source)
  const isInside = (line: number): boolean => ranges.some(({ start, end }) => line >= start && line <= end)
  return source.text.split('\n').filter((_, at) => isInside(at + 1) === (half === 'tests'))
}
