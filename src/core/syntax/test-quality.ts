// Tests that prove less than they seem to, by their syntax tree.
import { withConstants } from './constant-text.ts'
import type { Source } from './syntax-tree.ts'
import { type TestCase, testCases } from './test-cases.ts'
import { type TestFile, canFail, testFileOf } from './test-quality/assertions.ts'
import { pointlessAssertions } from './test-quality/compared.ts'
import { readsOfSource, replacedUnits } from './test-quality/replaced.ts'
import { deadAssertions, earlyEnds, swallowedAssertions, unawaitedAssertions } from './test-quality/swallowed.ts'
import { switchedOff } from './test-quality/switched-off.ts'
import { tamperings } from './test-quality/tampered.ts'
import { nodes, textOf } from './tree.ts'
import type { CodeFinding } from './under-test.ts'

export interface TestFinding extends CodeFinding {
  /** The title of the test that the line belongs to; null: it stands outside every test. */
  readonly test: string | null
}

/** Findings of a test file. `changed`: the source files of the change that the tests are to test, from the repository's root. */
export function testQuality(source: Source, changed: readonly string[]): TestFinding[] {
  const file = testFileOf(source)
  const indexed = withConstants(source)
  const tests = testCases(source)
  const innermost = tests.filter((one) => !tests.some((other) => other !== one && isInside(other, one)))
  const found = [
    ...innermost.flatMap((test) => withoutAssertion(file, test)),
    ...innermost.flatMap(({ code }) => (code === null ? [] : pointlessAssertions(file, code))),
    // Helpers stand beside the tests that call them.
    ...swallowedAssertions(file, source.root),
    ...unawaitedAssertions(file, source.root),
    ...deadAssertions(source, source.root),
    ...tests.flatMap(({ code }) => (code === null ? [] : earlyEnds(source, code))),
    ...switchedOff(source, tests),
    ...tamperings(source),
    ...replacedUnits(indexed, changed),
    ...readsOfSource(indexed, changed),
  ]
  return unique(found).map((one) => ({ ...one, test: titleAt(tests, one.line) }))
}

function isInside(one: TestCase, other: TestCase): boolean {
  return one.node.start >= other.node.start && one.node.end <= other.node.end
}

function withoutAssertion(file: TestFile, test: TestCase): CodeFinding[] {
  const { source } = file
  const { code, line } = test
  if (code === null || canFail(file, code)) return []
  // A test that is meant to panic or to throw asserts that.
  const around = source.text.slice(Math.max(0, test.node.start - 200), code.start)
  if (/should_panic|expected\s*=|Throws|\bExample/.test(around.slice(around.lastIndexOf('}') + 1))) return []
  if (callsParameter(source, test)) return []
  return [{ line, what: 'has no assertion' }]
}

/** `def test_a(check_all): check_all()`: a fixture may assert. */
function callsParameter(source: Source, { node, code }: TestCase): boolean {
  if (source.language !== 'python' || code === null) return false
  const parameters = [...nodes(node)].find(({ type }) => type === 'parameters')
  const names = new Set((parameters?.children ?? []).filter(({ named }) => named).map((one) => textOf(source, one)))
  return [...nodes(code)].some(
    (one) =>
      one.type === 'call' &&
      names.has(textOf(source, one).split(/[.(]/)[0] ?? '') &&
      !textOf(source, one).startsWith('self'),
  )
}

/** The innermost test around a line. */
function titleAt(tests: readonly TestCase[], at: number): string | null {
  return tests.findLast(({ line, end }) => at >= line && at <= end)?.title ?? null
}

function unique(found: readonly CodeFinding[]): CodeFinding[] {
  const seen = new Set<string>()
  return found
    .filter(({ line, what }) => {
      const key = `${line} ${what}`
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
    .toSorted((a, b) => a.line - b.line)
}
