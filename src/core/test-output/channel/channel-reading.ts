// What the test runners reported by themselves, and how it fits with what the check printed.
import type { ChannelLine, ChannelLines } from './channel-lines.ts'
import { startNames } from '../name-list.ts'
import type { TestCount, TestReading } from '../read-tests.ts'
import { readTests } from '../read-tests.ts'
import type { NamedOutcome, TestNames } from '../test-names.ts'
import { countUnloaded } from '../unloaded.ts'

/** Runners that have a reporter of ours. The others are known by what they print. */
export const CHANNEL_RUNNERS: readonly string[] = ['node:test', 'vitest', 'jest', 'mocha', 'pytest']

export interface ChannelReading {
  /** The runners that reported. */
  readonly runners: readonly string[]
  readonly count: TestCount
  /** Null where there are more than are kept. */
  readonly names: TestNames | null
  readonly unloaded: number
  /** Runners that started and neither ended by themselves nor were stopped at a red test. */
  readonly unended: readonly string[]
  /** Runners that run without our reporter. */
  readonly quiet: readonly string[]
  readonly foreign: number
}

export function readChannel({ lines, foreign }: ChannelLines): ChannelReading {
  const names = startNames('')
  const counts = { run: 0, failed: 0, skipped: 0 }
  const unloadedFiles = lines.filter(({ event }) => event === 'unloaded').length
  counts.failed += unloadedFiles + lines.filter(({ event }) => event === 'error').length
  for (const { event, outcome, name } of lines) {
    if (event !== 'test' || !isOutcome(outcome)) continue
    names.test(outcome, name)
    if (outcome === 'skipped') counts.skipped += 1
    else counts.run += 1
    if (outcome === 'failed') counts.failed += 1
  }
  const quiet = runnersOf(lines.filter(({ event }) => event === 'quiet'))
  const started = lines.filter(({ event, runner }) => event === 'start' && !quiet.includes(runner))
  const over = new Set(
    lines.filter(({ event }) => event === 'end' || event === 'stopped').map(({ process }) => process),
  )
  const unended = runnersOf(started.filter(({ process }) => !over.has(process)))
  const runners = runnersOf(started)
  const { total, passed, failed, skipped } = names.found()
  const isWhole = total === passed.length + failed.length + skipped.length
  return {
    runners,
    count: { source: runners.join(' + '), ...counts },
    names: isWhole ? { passed, failed, skipped } : null,
    unloaded: unloadedFiles + (unended.includes('mocha') && counts.run === 0 ? 1 : 0),
    unended,
    quiet,
    foreign,
  }
}

export interface RunSeen {
  readonly output: string
  readonly channel: ChannelReading
  /** The check ended by itself, with exit code 0. */
  readonly isExitGood: boolean
  /** The runner that the command certainly starts, and that would report to the channel; null: nobody can tell. */
  readonly expected: string | null
  /** Runners without a channel that the command names. */
  readonly printing: readonly string[]
}

export interface TestsSeen {
  readonly count: TestCount | null
  readonly names: TestNames | null
  readonly unloaded: number
  readonly from: 'channel' | 'output' | null
  readonly contradiction: string | null
}

export function testsSeen(seen: RunSeen): TestsSeen {
  const { output, channel } = seen
  if (channel.runners.length === 0) return fromOutput(seen)
  const others = [...seen.printing, ...channel.quiet].filter((runner) => !channel.runners.includes(runner))
  const printed = others.length === 0 ? null : readTests(output, others)
  const said = readTests(output, channel.runners)
  return {
    count: sum(withFailures(channel.count, said), printed?.count ?? null),
    names: printed === null ? namesOf(channel) : joined(namesOf(channel), printed.names),
    unloaded:
      printed === null && channel.unended.length === 0
        ? channel.unloaded
        : Math.max(channel.unloaded, countUnloaded(output)),
    from: printed === null ? 'channel' : 'output',
    contradiction: contradictionIn(seen),
  }
}

function fromOutput(seen: RunSeen): TestsSeen {
  const printed = readTests(seen.output)
  const contradiction = contradictionIn(seen, printed)
  const unloaded = countUnloaded(seen.output)
  if (printed === null) return { count: null, names: null, unloaded, from: null, contradiction }
  if (contradiction === null) return { ...printed, unloaded, from: 'output', contradiction }
  return { count: { ...printed.count, run: 0 }, names: null, unloaded, from: 'output', contradiction }
}

function contradictionIn(
  { channel, isExitGood, expected }: RunSeen,
  printed: TestReading | null = null,
): string | null {
  if (channel.foreign > 0)
    return 'something else than a test runner wrote to the file in which the runners report: remove what writes to it'
  if (!isExitGood) return null
  const [unended] = channel.unended
  if (unended !== undefined) return `it exited 0, but ${unended} did not come to its end: look for a test that exits`
  const claimed = printed?.count.run ?? 0
  if (expected === null || channel.quiet.includes(expected) || claimed === 0) return null
  return `its output counts ${claimed} ${claimed === 1 ? 'test' : 'tests'}, but ${expected} reported none: look for what prints them`
}

function namesOf({ names, count }: ChannelReading): TestNames | null {
  return count.run > 0 ? names : null
}

/** Fewer failures than the runner printed cannot be right. */
function withFailures(count: TestCount, said: TestReading | null): TestCount {
  return { ...count, failed: Math.max(count.failed, said?.count.failed ?? 0) }
}

function sum(one: TestCount, other: TestCount | null): TestCount {
  if (other === null) return one
  return {
    source: `${one.source} + ${other.source}`,
    run: one.run + other.run,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  }
}

function joined(one: TestNames | null, other: TestNames | null): TestNames | null {
  if (one === null || other === null) return null
  return {
    passed: [...one.passed, ...other.passed],
    failed: [...one.failed, ...other.failed],
    skipped: [...one.skipped, ...other.skipped],
  }
}

function runnersOf(lines: readonly ChannelLine[]): string[] {
  return [...new Set(lines.map(({ runner }) => runner))]
}

function isOutcome(text: string): text is NamedOutcome {
  return text === 'passed' || text === 'failed' || text === 'skipped'
}
