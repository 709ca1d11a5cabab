// What agents said and did, from the files that their sessions left.
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Build } from '../../core/builds/build.ts'
import type { TaskId } from '../../core/values/id.ts'
import { formatInstant } from '../../core/values/instant.ts'
import type { BuildContext } from '../../operations/builds/builds.ts'
import { sessionsOf } from '../../operations/read/transcribed-sessions.ts'
import type { Call } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { stateOf } from '../run/build-context.ts'
import { clock, shownLines, shownText } from '../text/sanitize.ts'

type Session = Awaited<ReturnType<typeof sessionsOf>>[number]
type Event = Readonly<Record<string, unknown>>

/** Of one task, or of all: iteration by iteration, and what other roles were asked about each. */
export async function printTranscripts(
  context: BuildContext,
  call: Call,
  build: Build,
  only: TaskId | null,
): Promise<void> {
  for (const { path, attempt, iteration } of only === null ? await plannings(call, build) : []) {
    const again = iteration === 1 ? '' : ', asked again'
    await printEvents(call, `Planning, attempt ${attempt}${again}\n`, path, { role: 'planner', attempt, iteration })
  }
  for (const session of await sessionsOf(context, build.id, only)) {
    const { task, attempt, iteration, role, transcript } = session
    await printEvents(call, headOf(session), transcript, { task, attempt, iteration, role })
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

interface PlanningFile {
  readonly path: string
  readonly attempt: number
  readonly iteration: number
}

/** They stand beside the folders of the tasks, which were not there yet. */
async function plannings(call: Call, { id }: Build): Promise<PlanningFile[]> {
  const folder = join(stateOf(call), 'transcripts', id)
  const names = await readdir(folder).catch(() => [])
  const found = names.flatMap((name) => {
    const [, attempt, iteration] = /^(\d+)-(\d+)-planner\.jsonl$/.exec(name) ?? []
    return attempt === undefined
      ? []
      : [{ path: join(folder, name), attempt: Number(attempt), iteration: Number(iteration) }]
  })
  return found.toSorted((one, other) => one.attempt - other.attempt || one.iteration - other.iteration)
}

function headOf({ task, attempt, iteration, role, record }: Session): string {
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
