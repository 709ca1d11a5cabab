// What agents said and did, from the files that their sessions left.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { transcriptFile } from '../../compose.ts'
import type { Build } from '../../core/builds/build.ts'
import type { TaskSession } from '../../core/session/session-name.ts'
import type { TaskId } from '../../core/values/id.ts'
import { formatInstant } from '../../core/values/instant.ts'
import type { BuildContext } from '../../operations/builds/builds.ts'
import {
  sessionsOf,
  transcribedSessions,
  type TranscribedSession as TranscriptSource,
} from '../../operations/read/sessions.ts'
import type { Call } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { clock, shownLines, shownText } from '../text/sanitize.ts'

type Event = Readonly<Record<string, unknown>>

/** Of one task, or of all: iteration by iteration, and what other roles were asked about each. */
export async function printTranscripts(
  context: BuildContext,
  call: Call,
  build: Build,
  only: TaskId | null,
): Promise<void> {
  const entries = await sessionsOf(context, build.id, only ?? undefined)
  const fileOf = (name: string): Promise<string> => transcriptFile(call.folder, call.env, name)
  for (const { session, record, transcript } of await transcribedSessions(entries, fileOf)) {
    const { attempt, iteration } = session
    if (session.of === 'task') {
      const { task, role } = session
      await printEvents(call, headOf(session, record), transcript, { task, attempt, iteration, role })
    } else {
      const again = iteration === 1 ? '' : ', asked again'
      const head = `Planning, attempt ${attempt}${again}\n`
      await printEvents(call, head, transcript, { role: 'planner', attempt, iteration })
    }
  }
}

async function printEvents(call: Call, head: string, path: string, about: Event): Promise<void> {
  if (!call.wantsJson) print(head)
  for await (const event of eventsIn(path)) {
    if (call.wantsJson) printJson({ ...about, ...event })
    else
      print(
        linesOf(event)
          .map((line) => `  ${line}`.trimEnd().concat('\n'))
          .join(''),
      )
  }
}

function headOf({ task, attempt, iteration, role }: TaskSession, record: TranscriptSource['record']): string {
  const about = `${shownText(task)}: iteration ${attempt}.${iteration}`
  if (role !== 'implementer') return `${about}, ${role}\n`
  if (record === null) return `${about}, cut off\n`
  return `${formatInstant(record.startedAt)}  ${about}, ${record.agent}, ${clock(record.durationMs)}\n`
}

export function linesOf(event: Event): string[] {
  const text = (name: string): string => (typeof event[name] === 'string' ? event[name] : '')
  switch (event['type']) {
    case 'text':
    case 'thinking':
    case 'log':
      return shownLines(text('text'))
    case 'toolUse':
      return [`→ ${shownText(text('tool'))}`, ...shownLines(text('input')).map((line) => `  ${line}`)]
    case 'toolResult':
      return [event['isError'] === true ? '✗' : '←', ...shownLines(text('output')).map((line) => `  ${line}`)]
    default:
      return []
  }
}

/** A line that was torn by a crash is left out; a file that was cleaned away is said. */
async function* eventsIn(path: string): AsyncGenerator<Event> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
  try {
    for await (const line of lines) {
      const event = parsed(line)
      if (event !== null) yield event
    }
  } catch {
    printError(`Note: the transcript ${path} cannot be read.\n`)
  }
}

function parsed(line: string): Event | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Event) : null
  } catch {
    return null
  }
}
