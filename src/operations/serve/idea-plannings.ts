// Sessions of planners while an idea had no build yet. Only their transcripts exist.
import { dirname, join } from 'node:path'
import type { IdeaId, Instant } from '../../core/values/id.ts'
import { type IdeaPlanning, sessionName, transcriptName } from '../../core/session/session-name.ts'
import type { ServedRepository } from './served-repository.ts'
import { readableNames } from '../../system/readable-names.ts'

/** How many plannings of one idea to look into, the newest ones. */
const PLANNINGS_MAX = 20

/** Names of sessions, oldest first; `since`: the planning that runs now, which may have written nothing yet. */
export async function planningSessions(
  { transcriptFile }: Pick<ServedRepository, 'transcriptFile'>,
  idea: IdeaId,
  since: Instant | null,
): Promise<string[]> {
  const first = (at: Instant): IdeaPlanning => ({ of: 'idea', idea, since: at, attempt: 1, iteration: 1 })
  const folder = dirname(dirname(await transcriptFile(transcriptName(first(0)))))
  const begun = readableNames(folder)
    .filter((name) => /^\d{1,15}$/.test(name))
    .map(Number)
  const newest = begun.toSorted((one, other) => one - other).slice(-PLANNINGS_MAX)
  const kept = await Promise.all(newest.map((at) => sessionsIn(join(folder, String(at)), first(at))))
  const all = kept.flat().map(sessionName)
  return since === null || newest.includes(since) ? all : [...all, sessionName(first(since))]
}

async function sessionsIn(folder: string, planning: IdeaPlanning): Promise<IdeaPlanning[]> {
  const found = readableNames(folder).flatMap((name): IdeaPlanning[] => {
    const [, attempt, iteration] = /^(\d{1,9})-(\d{1,9})-planner\.jsonl$/.exec(name) ?? []
    return attempt === undefined ? [] : [{ ...planning, attempt: Number(attempt), iteration: Number(iteration) }]
  })
  return found.toSorted((one, other) => one.attempt - other.attempt || one.iteration - other.iteration)
}
