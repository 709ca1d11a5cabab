// Every session of a build that left a transcript: the iterations, and what roles were asked about them.
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Role, ROLES } from '../../agents/agent.ts'
import type { BuildId, TaskId } from '../../core/values/id.ts'
import type { IterationRecord } from '../../core/builds/attachment.ts'
import type { BuildContext } from '../builds/builds.ts'

export interface TranscribedSession {
  readonly task: TaskId
  readonly attempt: number
  readonly iteration: number
  readonly role: Role
  /** Of its events, as JSON lines. */
  readonly transcript: string
  /** Null where it is no iteration, or one that never ended. */
  readonly record: IterationRecord | null
}

/** Each iteration, followed by what the reviewer and SIA were asked about it; then those that were cut off. */
export async function sessionsOf(
  { store }: Pick<BuildContext, 'store'>,
  build: BuildId,
  only: TaskId | null,
): Promise<TranscribedSession[]> {
  const records = await store.builds.attachments(build, 'iteration', only ?? undefined)
  const kept = new Map(records.map((record) => [record.transcript, record]))
  const folders = new Map(records.map(({ task, transcript }) => [dirname(transcript), task]))
  const all = (await Promise.all([...folders].map(([folder, task]) => sessionsIn(folder, task)))).flat()
  const unread = new Set([...kept.keys(), ...all.map(({ transcript }) => transcript)])
  const told: TranscribedSession[] = []
  const tell = (session: TranscribedSession): void => {
    if (unread.delete(session.transcript)) told.push(session)
  }
  for (const record of records) {
    const { task, attempt, iteration, transcript } = record
    tell({ task, attempt, iteration, role: 'implementer', transcript, record })
    const isAbout = (one: TranscribedSession): boolean =>
      one.task === task && one.attempt === attempt && one.iteration === iteration
    for (const session of all.filter(isAbout)) tell(session)
  }
  for (const session of all) tell(session)
  return told
}

/** By the names that engine/session/session.ts gives them: `<attempt>-<iteration>-<role>`. */
async function sessionsIn(folder: string, task: TaskId): Promise<TranscribedSession[]> {
  const names = await readdir(folder).catch(() => [])
  const inOrder = names.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  return inOrder.flatMap((name): TranscribedSession[] => {
    const [, attempt, iteration, said] = /^(\d+)-(\d+)-(\w+)\.jsonl$/.exec(name) ?? []
    const role = ROLES.find((one) => one === said)
    if (role === undefined) return []
    const transcript = join(folder, name)
    return [{ task, attempt: Number(attempt), iteration: Number(iteration), role, transcript, record: null }]
  })
}
