// Which tests ran, by name, read from what their runner printed. A name is believed only where the names are as many as the
// tests that the runner counted: a print that looks like a test, or a reporter that leaves some out, gives null.
import { plainLines, unprefixed } from './test-count-lines.ts'
import { isTestFile } from './test-count-node.ts'
import { startBlocks } from './test-names-blocks.ts'
import { startCargoNames, startGoNames, startPytestNames, startVitestNames } from './test-names-lines.ts'
import { junitNames } from './test-names-junit.ts'
import { startTapNames } from './test-names-tap.ts'
import type { TestCount } from './test-count.ts'

export interface TestNames {
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  /** Skipped, todo and expected to fail, where the runner names them. */
  readonly skipped: readonly string[]
}

export type NamedOutcome = keyof TestNames

/** Reads one runner's lines and tells each test it names. */
export interface NameReader {
  line(text: string): void
  end(): void
}

export type Tell = (outcome: NamedOutcome, name: string) => void

/** `groups`: tests that hold others; whether the runner counts them it does not say. */
export interface Told extends TestNames {
  readonly groups: number
}

/** More names are not kept: then only the number is known. */
const NAMES_MAX = 50_000
const NAME_LENGTH_MAX = 400

const readers: Readonly<Record<string, (tell: Tell, group: () => void) => NameReader>> = {
  'node:test': (tell, group) => startBlocks('node', tell, group),
  mocha: (tell) => startBlocks('mocha', tell, () => {}),
  jest: (tell) => startBlocks('jest', tell, () => {}),
  vitest: startVitestNames,
  pytest: startPytestNames,
  'go test': startGoNames,
  'cargo test': startCargoNames,
  TAP: startTapNames,
}

export function nameTests(output: string, count: TestCount): TestNames | null {
  const told = count.source === 'JUnit' ? junitNames(output) : readNames(output, count.source.split(' + '))
  return told !== null && agrees(told, count)
    ? { passed: told.passed, failed: told.failed, skipped: told.skipped }
    : null
}

function readNames(output: string, sources: readonly string[]): Told | null {
  const names: Record<NamedOutcome, string[]> = { passed: [], failed: [], skipped: [] }
  let kept = 0
  let groups = 0
  const streams = new Map<string, readonly NameReader[]>()
  const readersOf = (stream: string): readonly NameReader[] => {
    const known = streams.get(stream)
    if (known !== undefined) return known
    const prefix = stream === '' ? '' : `${stream}: `
    const tell: Tell = (outcome, name) => {
      kept += 1
      if (kept <= NAMES_MAX) names[outcome].push(`${prefix}${name}`.slice(0, NAME_LENGTH_MAX))
    }
    const group = (): void => {
      groups += 1
    }
    const started = sources.flatMap((source) => readers[source]?.(tell, group) ?? [])
    streams.set(stream, started)
    return started
  }
  for (const line of plainLines(output)) {
    for (const reader of readersOf('')) reader.line(line)
    // What looks like a package before a colon may be a test's own name: as a line of that package it says nothing then.
    const { stream, text } = unprefixed(line)
    if (stream !== '') for (const reader of readersOf(stream)) reader.line(text)
  }
  for (const all of streams.values()) for (const reader of all) reader.end()
  return kept > NAMES_MAX ? null : { ...names, groups }
}

/** Skipped ones need not be named; what ran must be. */
function agrees({ passed, failed, groups }: Told, { run }: TestCount): boolean {
  const named = passed.length + failed.length
  return run > 0 && named <= run && run <= named + groups
}

/** A test of the base that is not green any more. */
export interface MissedTest {
  readonly name: string
  readonly was: NamedOutcome
  readonly is: 'gone' | 'skipped'
}

/**
 * Every test that the base names must be green now, whatever it was there; only one that was skipped may stay so. A test
 * that exists twice is two tests: one of them may not disappear behind the other.
 */
export function missedTests(before: TestNames, now: TestNames): MissedTest[] {
  const passed = tally(now.passed)
  const skipped = tally(now.skipped)
  const missed = [
    ...before.passed.map((name) => ({ name, was: 'passed' }) as const),
    // node:test names a file that does not load like a test; once it loads, its tests are there in its place.
    ...before.failed.flatMap((name) => (isTestFile(name) ? [] : [{ name, was: 'failed' } as const])),
  ].filter(({ name }) => !taken(passed, name))
  return [
    ...missed.map((test) => ({ ...test, is: taken(skipped, test.name) ? 'skipped' : 'gone' }) as const),
    ...before.skipped
      .filter((name) => !taken(skipped, name) && !taken(passed, name))
      .map((name) => ({ name, was: 'skipped', is: 'gone' }) as const),
  ]
}

/** Whether it names a test that the base does not. */
export function namesNewTests(before: TestNames, now: TestNames): boolean {
  const known = tally(namedIn(before))
  return namedIn(now).some((name) => !taken(known, name))
}

/** What both of two runs of one tree name: the rest holds a time, a random number or the like, and is no name to go by. */
export function steadyNames(names: TestNames, again: TestNames): TestNames {
  const known = tally(namedIn(again))
  const steady = (all: readonly string[]): string[] => all.filter((name) => taken(known, name))
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

function taken(counts: Map<string, number>, name: string): boolean {
  const left = counts.get(name) ?? 0
  if (left > 0) counts.set(name, left - 1)
  return left > 0
}
