// How many tests ran, and which, from the output of their runner. tally.ts decides which output comes from the runner
// and not from the program under test. Text that merely mentions tests gives null; a runner that found no test gives 0.
import { startCargo } from './cargo.ts'
import { startGo } from './go/go.ts'
import { startJest } from './jest.ts'
import { readJunit } from './junit.ts'
import { startMocha } from './mocha.ts'
import { type NameList, agreedNames, startNames } from './name-list.ts'
import { startNode } from './node.ts'
import { plainLines, splitPrefix } from './plain-lines.ts'
import { startPytest } from './pytest.ts'
import type { RunnerReader, StartReader } from './runner-reader.ts'
import { type Counted, cautious, sumSummaries } from './tally.ts'
import { startTap } from './tap.ts'
import type { TestNames } from './test-names.ts'
import { startUnittest } from './unittest.ts'
import { startVitest } from './vitest.ts'

const runners: Readonly<Record<string, StartReader>> = {
  'node:test': startNode,
  vitest: startVitest,
  jest: startJest,
  mocha: startMocha,
  pytest: startPytest,
  unittest: startUnittest,
  'go test': startGo,
  'cargo test': startCargo,
  TAP: startTap,
}

/** The maximum of packages in one workspace run; the lines of further ones are read as one. */
const STREAMS_MAX = 64

export interface TestReading {
  readonly count: TestCount
  /** Null unless the names are as many as the tests that the runner counted: other output may look like a test. */
  readonly names: TestNames | null
}

/** `only`: reads these runners alone; null: all of them, and reports. */
export function readTests(output: string, only: readonly string[] | null = null): TestReading | null {
  const junitNames = startNames('')
  const junit = only === null ? readJunit(output, junitNames) : null
  const lines = readLines(output, only)
  const spoken = lines.filter(({ counted }) => counted.backed !== null || counted.doubtful !== null)
  // A report repeats the output of the runner: it counts only where no runner does.
  const report =
    junit === null ? [] : [{ source: 'JUnit', counted: { backed: null, doubtful: junit }, names: junitNames }]
  const count = countIn([...spoken, ...report])
  if (count === null) return null
  const sources = count.source.split(' + ')
  const named = count.source === 'JUnit' ? report : lines.filter(({ source }) => sources.includes(source))
  return {
    count,
    names: agreedNames(
      named.map(({ names }) => names),
      count.run,
    ),
  }
}

interface Reading {
  readonly source: string
  readonly counted: Counted
  readonly names: NameList
}

interface Running {
  readonly source: string
  readonly reader: RunnerReader
  readonly names: NameList
}

function readLines(output: string, only: readonly string[] | null): readonly Reading[] {
  const streams = new Map<string, readonly Running[]>()
  const readersOf = (stream: string): readonly Running[] => {
    const known = streams.get(stream)
    if (known !== undefined) return known
    if (streams.size >= STREAMS_MAX) return readersOf('')
    const started = startAll(stream, only)
    streams.set(stream, started)
    return started
  }
  const main = readersOf('')
  for (const line of plainLines(output)) {
    const { stream, text } = splitPrefix(line)
    // The prefix may be the start of a test's own title.
    if (stream !== '') for (const { reader } of main) reader.name(line)
    for (const { reader } of readersOf(stream)) {
      reader.count(text)
      reader.name(text)
    }
  }
  return [...streams.values()].flat().map(({ source, reader, names }) => ({ source, counted: reader.finish(), names }))
}

function startAll(stream: string, only: readonly string[] | null): readonly Running[] {
  const wanted = Object.entries(runners).filter(([source]) => only === null || only.includes(source))
  return wanted.map(([source, start]) => {
    const names = startNames(stream === '' ? '' : `${stream}: `)
    return { source, reader: start(names), names }
  })
}

function countIn(found: readonly Reading[]): TestCount | null {
  const backed = found.filter(({ counted }) => counted.backed !== null)
  const doubtful = found.map(({ counted }) => counted.doubtful).reduce(cautious, null)
  const sum = sumSummaries(backed.flatMap(({ counted }) => counted.backed ?? []))
  if (sum === null) return doubtful && { source: sourcesOf(found), ...doubtful }
  return { source: sourcesOf(backed), ...sum, failed: Math.max(sum.failed, doubtful?.failed ?? 0) }
}

function sourcesOf(found: readonly Reading[]): string {
  return [...new Set(found.map(({ source }) => source))].join(' + ')
}

/** Counted from what the runner printed; `source` names the runner. */
export interface TestCount {
  readonly source: string
  /** Tests that ran to an end, passed or failed. */
  readonly run: number
  /** May be more than `run`: a test file that does not load is a failure of no test. */
  readonly failed: number
  /** Skipped, todo and expected to fail: none of them passed. */
  readonly skipped: number
}
