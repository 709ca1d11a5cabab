// Any agent that is a program. Each session starts it once, with limits, in an environment of its own.
//
//   prompt ──> place, environment ──> start ── lines ──> reader ──> events ──> watchers
//                                       └──── end ──> failure or final message, usage, survivors
import { dirname } from 'node:path'
import { errnoOf } from '../system/errno.ts'
import { outputText } from '../system/process/head-tail-buffer.ts'
import type { StreamName } from '../system/process/command.ts'
import type { Ended } from '../system/process/ended.ts'
import { start } from '../system/process/spawn.ts'
import { withCommands } from './agent-environment.ts'
import { NOTHING_USED } from './agent.ts'
import type { Agent, AgentEvent, Call, AgentAdapter, Failure, Outcome, Rehearsal, Session } from './agent.ts'
import { boundedEvents } from './bounded-events.ts'
import { type Lines, startLines } from './lines.ts'
import { type Bounds, failure, failureOf } from './program-failure.ts'
import { type Redact, redactedEvent } from './secrets.ts'
import {
  type OpenSessionEnvironment,
  type SessionEnvironmentSettings,
  sessionEnvironmentFor,
} from './session-environment.ts'
import type { Environment } from '../core/values/environment.ts'

/** Of stdout and stderr together. The longest real sessions print some 50 MB of records. */
const OUTPUT_CAP_BYTES = 256 * 1024 * 1024
/** A record may hold a whole file; a line of plain text that is longer than an event is cut anyway. */
const RECORD_BYTES_MAX = 1024 * 1024
const TEXT_LINE_BYTES_MAX = 64 * 1024

export type ProgramSettings = Bounds & SessionEnvironmentSettings

export function programAgent(adapter: AgentAdapter, settings: ProgramSettings, user: Environment): Agent {
  const { name, describe } = adapter
  const inEnvironment = (prompt: string): Promise<OpenSessionEnvironment> =>
    sessionEnvironmentFor(adapter, settings, user, prompt)
  return {
    name,
    describe,
    ready: () =>
      adapter.ready(async (use) => {
        const environment = await inEnvironment('')
        return use(rehearsalIn(name, environment)).finally(environment.remove)
      }),
    run: (session) => runProgram(adapter, settings, inEnvironment, session),
  }
}

/** Nobody looks on, and nothing of the repository is to be seen. */
function rehearsalIn(name: string, environment: OpenSessionEnvironment): Rehearsal {
  const { promptFile, env, redact } = environment
  const folder = dirname(promptFile)
  const rehearse = async (call: Call, limitMs: number): Promise<Outcome> => {
    const bounds = { timeoutMs: limitMs, idleTimeoutMs: limitMs }
    const part = { folder, signal: new AbortController().signal, onEvent: () => {} }
    const ended = await converse(call, part, bounds, { env: { ...call.env, ...env }, redact })
    return outcomeOf(ended, call, failureOf(ended, { name, call, folder }, bounds), redact)
  }
  return { ...environment, folder, rehearse }
}

async function runProgram(
  adapter: AgentAdapter,
  bounds: Bounds,
  inEnvironment: (prompt: string) => Promise<OpenSessionEnvironment>,
  session: Session,
): Promise<Outcome> {
  const place = await inEnvironment(session.prompt).catch(noPlace)
  if ('kind' in place) return unstarted(place)
  try {
    const call = await adapter.call(session, place)
    if ('kind' in call) return unstarted(call)
    const given = { ...call.env, ...place.env, ...session.env }
    const env = { ...given, PATH: withCommands(given['PATH'], session.reach?.commands) }
    const ended = await converse(call, session, bounds, { env, redact: place.redact })
    return outcomeOf(
      ended,
      call,
      failureOf(ended, { name: adapter.name, call, folder: session.folder }, bounds),
      place.redact,
    )
  } finally {
    await place.remove()
  }
}

/** A full disk is nobody's fault: to be tried again. */
function noPlace(error: unknown): Failure {
  return failure('overload', `no folder for the session could be made (${errnoOf(error)}); free space in the TMPDIR`)
}

function unstarted(why: Failure): Outcome {
  return { failure: why, finalMessage: '', usage: NOTHING_USED, durationMs: 0, survivors: 0 }
}

async function converse(
  call: Call,
  session: Pick<Session, 'folder' | 'signal' | 'onEvent'>,
  bounds: Bounds,
  { env, redact }: Pick<OpenSessionEnvironment, 'env' | 'redact'>,
): Promise<Ended> {
  let isRunning = true
  const pauses: (() => void)[] = []
  const events = boundedEvents(session.onEvent)
  const emit = (event: AgentEvent): void => {
    // While a tool of the agent runs, silence is no sign that the agent hangs.
    if (event.type === 'toolUse') pauses.push(running.suspendIdle())
    if (event.type === 'toolResult') pauses.pop()?.()
    // Before it is cut to length: half a secret would no longer be known as one.
    events.emit(events.isFull() ? event : redactedEvent(event, redact))
  }
  const { reader } = call
  const noteResult = (): void => {
    if (!isRunning || (reader?.result() ?? null) === null) return
    running.resultSeen()
    running.endInput()
  }
  const stdout =
    reader === undefined
      ? startLines(TEXT_LINE_BYTES_MAX, (text) => emit({ type: 'text', text }))
      : startLines(RECORD_BYTES_MAX, (line) => {
          for (const event of reader.line(line)) emit(event)
          noteResult()
        })
  const streams: Readonly<Record<StreamName, Lines>> = {
    stdout,
    stderr: startLines(TEXT_LINE_BYTES_MAX, (text) => {
      emit({ type: 'log', text })
      reader?.aside?.(text)
      noteResult()
    }),
  }
  const running = start({
    argv: call.argv,
    cwd: session.folder,
    env,
    ...(call.input === undefined ? {} : { input: call.input }),
    ...(call.begin === undefined ? {} : { stdin: 'live' as const }),
    ...(call.lingerMs === undefined ? {} : { lingerMs: call.lingerMs }),
    deadlineMs: bounds.timeoutMs,
    idleMs: bounds.idleTimeoutMs,
    outputCapBytes: OUTPUT_CAP_BYTES,
    signal: session.signal,
    onOutput: (chunk, stream) => {
      // Text that nobody will see need not be taken apart; records are read to the last, for the result.
      if (reader === undefined && events.isFull()) return
      streams[stream].add(chunk)
    },
  })
  call.begin?.(running.tell)
  const ended = await running.ended
  isRunning = false
  streams.stdout.end()
  streams.stderr.end()
  for (const event of reader?.end?.() ?? []) emit(event)
  return ended
}

function outcomeOf(ended: Ended, { reader }: Call, why: Failure | null, redact: Redact): Outcome {
  const result = reader?.result() ?? null
  const said = result !== null && 'finalMessage' in result ? result.finalMessage : ''
  return {
    failure: why === null ? null : { ...why, sentence: redact(why.sentence) },
    finalMessage: redact(reader === undefined ? outputText(ended.stdout) : said),
    usage: reader?.usage() ?? NOTHING_USED,
    durationMs: ended.durationMs,
    survivors: ended.survivors,
  }
}
