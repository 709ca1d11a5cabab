// Tests by name, and how the names of two runs compare.
import { isTestFile } from './node.ts'

export interface TestNames {
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  /** Skipped, todo and expected to fail, where the runner names them. */
  readonly skipped: readonly string[]
}

export type NamedOutcome = keyof TestNames

/** A test of the base that is not green any more. */
export interface MissedTest {
  readonly name: string
  readonly was: NamedOutcome
  readonly is: 'gone' | 'skipped'
}

/**
 * Every test that the base names must be green now, whatever it was there; only a skipped one may stay skipped. A test
 * that exists twice is two tests: one of them may not disappear behind the other.
 */
export function missedTests(before: TestNames, now: TestNames): MissedTest[] {
  const passed = tally(now.passed)
  const skipped = tally(now.skipped)
  const missed = [
    ...before.passed.map((name) => ({ name, was: 'passed' }) as const),
    // node:test names a file that does not load like a test; once it loads, its tests take its place.
    ...before.failed.flatMap((name) => (isTestFile(name) ? [] : [{ name, was: 'failed' } as const])),
  ].filter(({ name }) => !takeOne(passed, name))
  return [
    ...missed.map((test) => ({ ...test, is: takeOne(skipped, test.name) ? 'skipped' : 'gone' }) as const),
    ...before.skipped
      .filter((name) => !takeOne(skipped, name) && !takeOne(passed, name))
      .map((name) => ({ name, was: 'skipped', is: 'gone' }) as const),
  ]
}

/** Whether it names a test that the base does not. */
export function namesNewTests(before: TestNames, now: TestNames): boolean {
  const known = tally(namedIn(before))
  return namedIn(now).some((name) => !takeOne(known, name))
}

/** The names that two runs of one tree share: the others contain a time, a random number or the like. */
export function steadyNames(names: TestNames, again: TestNames): TestNames {
  const known = tally(namedIn(again))
  const steady = (all: readonly string[]): string[] => all.filter((name) => takeOne(known, name))
  return { passed: steady(names.passed), failed: steady(names.failed), skipped: steady(names.skipped) }
}

export function namedIn({ passed, failed, skipped }: TestNames): string[] {
  return [...passed, ...failed, ...skipped]
}

function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function takeOne(counts: Map<string, number>, name: string): boolean {
  const left = counts.get(name) ?? 0
  if (left > 0) counts.set(name, left - 1)
  return left > 0
}

/** A runner puts the names of file and groups before the title. */
export function isTitleOf(title: string, name: string): boolean {
  return name === title || (name.endsWith(title) && /[\s>:.›/]$/.test(name.slice(0, -title.length)))
}
