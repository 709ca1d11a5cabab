// Who tells a build while it runs: plain lines, JSON lines, or, on a terminal, lines above a live view.
import { isatty } from 'node:tty'
import type { Build } from '../../core/builds/build.ts'
import type { RecordedFact } from '../../core/fact/fact.ts'
import type { Instant, TaskId } from '../../core/values/id.ts'
import type { BuildReport } from '../../operations/read/build-report.ts'
import type { Call } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { liveReporter } from './live-reporter.ts'
import { lineReporter } from './line-reporter.ts'
import type { AgentEvent } from '../text/last-words.ts'
import { wireFact } from '../../operations/feed/feed-piece.ts'

export interface Reporter {
  /** What was recorded before: known, and not told again. */
  readonly past: (facts: readonly RecordedFact[]) => void
  /** Only this is worked on now, whatever the facts so far say: of a loop that was killed there is none. */
  readonly held?: (report: Pick<BuildReport, 'held' | 'planning'>) => void
  readonly facts: (facts: readonly RecordedFact[]) => void
  readonly agent: (task: TaskId | null, event: AgentEvent) => void
  /** What is not a result: to stderr. */
  readonly note: (sentence: string) => void
  /** Takes away what was only there for the moment. */
  readonly end: () => void
}

export interface Reported {
  readonly build: Build
  /** What the clock of a live view counts from; where nobody says, the start of the build. */
  readonly since?: Instant
  /** How many tasks are still to be settled. */
  readonly unsettled: () => Promise<number>
}

export function openReporter(call: Call, { build, since = build.startedAt, unsettled }: Reported): Reporter {
  if (call.wantsJson) return jsonReporter(build)
  const isLive = isatty(1) && call.env['TERM'] !== 'dumb'
  return isLive ? liveReporter({ startedAt: since, unsettled }) : plainReporter
}

const silent = (): void => {}

const story = lineReporter()

export const plainReporter: Reporter = {
  past: silent,
  facts: (facts) => print(story(facts)),
  agent: silent,
  note,
  end: silent,
}

/** Each fact as the live feed has it. */
function jsonReporter(build: Build): Reporter {
  const facts = (recorded: readonly RecordedFact[]): void => {
    for (const one of recorded) printJson(wireFact(build, one))
  }
  return { past: silent, facts, agent: silent, note, end: silent }
}

export function note(sentence: string): void {
  printError(`${sentence}\n`)
}
