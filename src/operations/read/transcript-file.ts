// Finds the transcript file of a session by the session's name.
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { refuse } from '../../core/error/error.ts'
import {
  choosingPlace,
  type NamedSession,
  readSessionName,
  sessionName,
  type TaskSession,
  transcriptName,
} from '../../core/session/session-name.ts'
import { type BuildContext, buildNamed } from '../builds/builds.ts'
import { isRunning } from './running-session.ts'
import { sessionsOf } from './sessions.ts'

export interface TranscriptSource {
  readonly context: BuildContext
  /** The file of a transcript by the engine's name for it, whether or not it exists. */
  readonly transcriptFile: (name: string) => Promise<string>
}

export interface SessionFile {
  readonly session: NamedSession
  /** The file of a session that has just begun may not exist yet. */
  readonly path: string
}

/** Refuses names that are no session of this repository and branch. */
export async function sessionFile(servedRepo: TranscriptSource, name: string): Promise<SessionFile> {
  const session = readSessionName(name)
  if (session === null || !(await isOurs(servedRepo.context, session))) throw unknown(name)
  const own = session.of === 'task' && session.role === 'implementer' ? await workFile(servedRepo, session) : null
  return { session, path: own ?? (await servedRepo.transcriptFile(transcriptName(session))) }
}

async function isOurs(context: BuildContext, session: NamedSession): Promise<boolean> {
  if (session.of === 'idea') return (await context.store.ideas.find(session.idea)) !== null
  return (await buildNamed(context, session.build))?.id === session.build
}

/** A session that chose its task itself writes elsewhere until it ends, and its file may have stayed there. */
async function workFile({ context, transcriptFile }: TranscriptSource, session: TaskSession): Promise<string | null> {
  const { build, task, attempt, iteration } = session
  const { store, scope } = context
  const records = await store.builds.attachments(build, 'iteration', task)
  const record = records.find((one) => one.attempt === attempt && one.iteration === iteration)
  if (record !== undefined) return record.transcript
  if (!(await isRunning(context, session))) return null
  const holder = (await store.tasks.find(scope, task))?.assignee
  const choosing = (await store.spending.list(build)).findLast(
    (one) => one.state === 'open' && one.task === null && one.role === 'implementer' && one.loop === holder,
  )
  if (choosing === undefined) return null
  const place = choosingPlace(build, choosing.loop, choosing.iteration)
  return transcriptFile(`${place}/${choosing.attempt}-${choosing.iteration}-implementer`)
}

/** Null: the session has just begun and has written nothing. */
export async function openSessionFile(servedRepo: TranscriptSource, name: string): Promise<FileHandle | null> {
  const { session, path } = await sessionFile(servedRepo, name)
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (await isRunning(servedRepo.context, session)) return null
    if (await wasHeld(servedRepo.context, session)) throw refuse('TRANSCRIPT_GONE', { id: name }, error)
    throw unknown(name)
  }
}

function unknown(name: string) {
  return refuse('ITERATION_NOT_FOUND', { id: name })
}

/** A planner of an idea leaves nothing but its transcript. */
async function wasHeld({ store }: BuildContext, session: NamedSession): Promise<boolean> {
  if (session.of === 'idea') return false
  const name = sessionName(session)
  return (await sessionsOf({ store }, session.build)).some(({ id }) => id === name)
}
