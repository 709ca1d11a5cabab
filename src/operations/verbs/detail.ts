// Verbs for a close look: one task, its sessions and their results.
import { taskId } from '../../core/values/id.ts'
import { readBuildEvidence } from '../read/build-evidence.ts'
import { requireNamed } from '../builds/builds.ts'
import { sessionsOf, shownSession } from '../read/sessions.ts'
import type { ServedRepository } from '../serve/served-repository.ts'
import { readTaskDetail, readTaskPatch } from '../read/task-detail.ts'
import { outlineTranscript, readRows, searchTranscript } from '../read/transcript-rows.ts'
import type { Verbs } from './verbs.ts'

export function detailVerbs(servedRepo: ServedRepository) {
  const { context } = servedRepo
  return {
    evidence: async ({ params, query }) =>
      readBuildEvidence(context, (await requireNamed(context, params.id)).id, query),
    taskDetail: async ({ params }) => {
      const { id } = await requireNamed(context, params.id)
      return readTaskDetail(servedRepo, id, taskId(params.task))
    },
    taskPatch: async ({ params, query: { session } }) => {
      const { id: build } = await requireNamed(context, params.id)
      const [attempt = 0, iteration = 0] = (session ?? '').split('.').map(Number)
      const wanted = session === undefined ? null : { attempt, iteration }
      return readTaskPatch(servedRepo, { build, task: taskId(params.task), session: wanted })
    },
    sessions: async ({ params, query: { role } }) => {
      const sessions = (await sessionsOf(context, (await requireNamed(context, params.id)).id)).flatMap(shownSession)
      return { sessions: role === undefined ? sessions : sessions.filter((one) => one.role === role) }
    },
    outline: ({ params, query }) => outlineTranscript(servedRepo, params.id, query),
    rows: async ({ params, query }) => ({ rows: await readRows(servedRepo, params.id, query) }),
    search: ({ params, query }) => searchTranscript(servedRepo, params.id, query.text),
  } satisfies Partial<Verbs>
}
