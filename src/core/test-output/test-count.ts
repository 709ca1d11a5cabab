// How many tests ran, read from what their runner printed. It is the runner's word, not the program's: see
// test-count-tally.ts for whom to believe. Text that merely speaks of tests gives null, a runner that found none gives 0.
import { startCargo } from './test-count-cargo.ts'
import { startGo } from './test-count-go.ts'
import { startJest } from './test-count-jest.ts'
import { readJunit } from './test-count-junit.ts'
import { plainLines, unprefixed } from './test-count-lines.ts'
import { startMocha } from './test-count-mocha.ts'
import { startNode } from './test-count-node.ts'
import { startPytest } from './test-count-pytest.ts'
import { type Counted, type RunnerReader, cautious, together } from './test-count-tally.ts'
import { startTap } from './test-count-tap.ts'
import { startUnittest } from './test-count-unittest.ts'
import { startVitest } from './test-count-vitest.ts'

const runners: Readonly<Record<string, () => RunnerReader>> = {
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

/** Packages of one workspace run; the lines of any more are read as one. */
const STREAMS_MAX = 64

export function countTests(output: string): TestCount | null {
  const junit = readJunit(output)
  // A report repeats what the runner said: it counts where nobody else spoke.
  const report = junit === null ? [] : [{ source: 'JUnit', counted: { backed: null, doubtful: junit } }]
  const found = [...readAll(output), ...report]
  const backed = found.filter(({ counted }) => counted.backed !== null)
  const doubtful = found.map(({ counted }) => counted.doubtful).reduce(cautious, null)
  const sum = together(backed.flatMap(({ counted }) => counted.backed ?? []))
  if (sum === null) return doubtful && { source: sources(found), ...doubtful }
  return { source: sources(backed), ...sum, failed: Math.max(sum.failed, doubtful?.failed ?? 0) }
}

interface Found {
  readonly source: string
  readonly counted: Counted
}

function readAll(output: string): readonly Found[] {
  const streams = new Map<string, ReadonlyMap<string, RunnerReader>>()
  const readersOf = (stream: string): ReadonlyMap<string, RunnerReader> => {
    const known = streams.get(stream)
    if (known !== undefined) return known
    if (streams.size >= STREAMS_MAX) return readersOf('')
    const readers = new Map(Object.entries(runners).map(([source, start]) => [source, start()]))
    streams.set(stream, readers)
    return readers
  }
  readersOf('')
  for (const line of plainLines(output)) {
    const { stream, text } = unprefixed(line)
    for (const reader of readersOf(stream).values()) reader.line(text)
  }
  return [...streams.values()].flatMap((readers) =>
    [...readers]
      .map(([source, reader]) => ({ source, counted: reader.counted() }))
      .filter(({ counted }) => counted.backed !== null || counted.doubtful !== null),
  )
}

function sources(found: readonly Found[]): string {
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
