// Classifies how a program ended for its session. Exit 0 is not a failure, and proves nothing.
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import { outputText } from '../system/process/head-tail-buffer.ts'
import type { Ended } from '../system/process/ended.ts'
import { lastLine, oneLine } from '../system/text.ts'
import type { Call, Failure, FailureKind, Session } from './agent.ts'

export interface Bounds {
  readonly timeoutMs: number
  readonly idleTimeoutMs: number
}

/** Whose end it is, and what it was asked to do. */
export interface Ran {
  readonly name: string
  readonly call: Call
  readonly folder: Session['folder']
}

/** What we did to it comes before what it says, and what it says before its exit code. */
export function failureOf(ended: Ended, { name, call, folder }: Ran, bounds: Bounds): Failure | null {
  switch (ended.how) {
    case 'notStarted':
      return failure(kindOfNoStart(ended.errno, folder), ended.sentence)
    case 'aborted':
      return failure('killed', `${name} was stopped before it was done`)
    case 'deadline':
      return (
        troubleIn(call) ??
        failure('timedOut', `${name} was not done after ${timeText(bounds.timeoutMs)} and was stopped`)
      )
    case 'idle':
      return (
        troubleIn(call) ?? failure('idle', `${name} said nothing for ${timeText(bounds.idleTimeoutMs)} and was stopped`)
      )
    case 'flooded':
      return failure('badOutput', `${name} printed without end and was stopped`)
    case 'lingered':
      return saidFailure(call)
    case 'exited':
    case 'signalled':
      return saidFailure(call) ?? crash(ended, name, call) ?? silence(ended, name, call)
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

function crash(ended: Ended, name: string, { explain, reader }: Call): Failure | null {
  if (ended.code === 0) return null
  const words = tellingLine(outputText(ended.stderr))
  const known = explain?.(words) ?? null
  if (known !== null) return known
  const how = endText(ended)
  if (words !== '') return failure('crashed', `${name} ${how}: ${words}`)
  if (ended.signal !== null) return failure('crashed', `${name} ${how}`)
  // A program that speaks in plain text may well have said there what went wrong.
  const said = reader === undefined ? lastLine(outputText(ended.stdout)) : ''
  return failure(
    'crashed',
    `${name} ${how}${said === '' ? ' and said nothing on stderr' : `; the last it printed: ${said}`}`,
  )
}

/** By a shell that tells of a signal with 128 and its number as well. */
function endText({ code, signal }: Ended): string {
  if (signal !== null) return `was killed by signal ${constants.signals[signal]} (${signal}${guess(signal)})`
  const [told] = Object.entries(constants.signals).find(([, number]) => code === 128 + number) ?? []
  return `ended with exit code ${code}${told === undefined ? '' : ` (${told}${guess(told)})`}`
}

/** Nobody here sent it: we say so where we end a program. */
function guess(signal: string): string {
  return signal === 'SIGKILL' ? '; out of memory?' : ''
}

/** How programs begin the line that says why; where they were at that moment, or how they are to be called, comes after. */
const TELLING = /out of memory|^FATAL\b|\bpanicked at\b|^panic: |^(?:Uncaught )?\w*Error\b/i

function tellingLine(words: string): string {
  const telling = words.split('\n').findLast((line) => TELLING.test(line))
  return telling === undefined ? lastLine(words) : oneLine(telling)
}

function silence(ended: Ended, name: string, { reader }: Call): Failure | null {
  if (reader === undefined || reader.result() !== null) return null
  const last = lastLine(outputText(ended.stdout))
  // A record that it did print is none of the words that tell what went wrong.
  const words = last === '' || last.startsWith('{') ? lastLine(outputText(ended.stderr)) : last
  const printed = words === '' ? '' : `; the last it printed: ${words}`
  return failure('badOutput', `${name} ended without saying its result${printed}`)
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

function timeText(ms: number): string {
  return ms >= 60_000 && ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`
}
