// Which tests ran, by name, read from what their runner printed. A name is believed only where the names are as many as the
// tests that the runner counted: a print that looks like a test, or a reporter that leaves some out, gives null.
import type { TestCount } from './evidence.ts'
import { plainLines, unprefixed } from './test-count-lines.ts'
import { startBlocks } from './test-names-blocks.ts'
import { startCargoNames, startGoNames, startPytestNames, startVitestNames } from './test-names-lines.ts'
import { junitNames } from './test-names-junit.ts'
import { startTapNames } from './test-names-tap.ts'

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

export interface Missed {
  /** Passed before, not even there now. */
  readonly gone: readonly string[]
  /** Passed before, skipped now. */
  readonly skipped: readonly string[]
}

/** A test that exists twice is two tests: one of them may not disappear behind the other. */
export function missedTests(before: TestNames, now: TestNames): Missed {
  const passed = tally(now.passed)
  const skipped = tally(now.skipped)
  const missed = before.passed.filter((name) => !taken(passed, name))
  const [still, gone] = [missed.filter((name) => taken(skipped, name)), missed]
  const left = tally(still)
  return { skipped: still, gone: gone.filter((name) => !taken(left, name)) }
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
