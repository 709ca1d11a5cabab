// From how a program ended to what that means for its session. Exit 0 is no failure, and proves nothing.
import { statSync } from 'node:fs'
import { outputText } from '../process/captured.ts'
import type { Ended } from '../process/ended.ts'
import { lastLine } from '../process/one-line.ts'
import type { Call, Failure, FailureKind, Session } from './agent.ts'

export interface Bounds {
  readonly timeoutMs: number
  readonly idleTimeoutMs: number
}

/** What we did to it comes before what it says, and what it says before its exit code. */
export function failureOf(ended: Ended, call: Call, session: Pick<Session, 'folder'>, bounds: Bounds): Failure | null {
  switch (ended.how) {
    case 'notStarted':
      return failure(kindOfNoStart(ended.errno, session.folder), ended.sentence)
    case 'aborted':
      return failure('killed', 'the agent was stopped before it was done')
    case 'deadline':
      return (
        troubleIn(call) ??
        failure('timedOut', `the agent was not done after ${seconds(bounds.timeoutMs)} and was stopped`)
      )
    case 'idle':
      return (
        troubleIn(call) ??
        failure('idle', `the agent said nothing for ${seconds(bounds.idleTimeoutMs)} and was stopped`)
      )
    case 'flooded':
      return failure('badOutput', 'the agent printed without end and was stopped')
    case 'lingered':
      return saidFailure(call)
    case 'exited':
    case 'signalled':
      return saidFailure(call) ?? crash(ended, call) ?? silence(call)
  }
}

export function failure(kind: FailureKind, sentence: string): Failure {
  return { kind, sentence, until: null }
}

function troubleIn({ reader }: Call): Failure | null {
  return reader?.trouble?.() ?? null
}

function saidFailure({ reader }: Call): Failure | null {
  const result = reader?.result() ?? null
  return result !== null && 'failure' in result ? result.failure : null
}

function crash(ended: Ended, { explain }: Call): Failure | null {
  if (ended.code === 0) return null
  const how = ended.signal === null ? `with exit code ${ended.code}` : `by ${ended.signal}`
  const words = lastLine(outputText(ended.stderr))
  const known = explain?.(words) ?? null
  if (known !== null) return known
  return failure('crashed', `the agent ended ${how}${words === '' ? ' and said nothing on stderr' : `: ${words}`}`)
}

function silence({ reader }: Call): Failure | null {
  if (reader === undefined || reader.result() !== null) return null
  return failure('badOutput', 'the agent ended without saying its result')
}

/** Only what will be the same the next time stops a loop: a program that is not there, or may not be run. */
function kindOfNoStart(errno: string, folder: string): FailureKind {
  switch (errno) {
    case 'ENOENT':
    case 'EACCES':
    case 'ENOTDIR':
      return isFolder(folder) ? 'notFound' : 'crashed'
    case 'E2BIG':
      return 'contextTooLong'
    case 'EAGAIN':
    case 'ENOMEM':
    case 'EMFILE':
    case 'ENFILE':
      return 'overload'
    default:
      return 'crashed'
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function seconds(ms: number): string {
  return `${ms / 1000} s`
}
