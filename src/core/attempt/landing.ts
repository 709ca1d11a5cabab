// The commits that may be on a build branch. Every commit is intended before it lands: the store knows its id before
// the branch moves. So nothing on the branch has to be trusted. A commit that was not intended is not the build's,
// whatever its message and note say; and a task is done only where a commit that was intended for it is on the branch.
import type { Attempt } from './attempt.ts'
import type { BranchRestored, StatusRejected, Proof } from '../fact/fact.ts'
import type { CommitId, TaskId, TreeId } from '../values/id.ts'
import type { Task } from '../task/task.ts'

/** By commit. */
export type Landings = ReadonlyMap<CommitId, LandingRecord>

export function landingsOf(records: readonly LandingRecord[]): Landings {
  return new Map(records.map((record) => [record.commit, record]))
}

/**
 * The landings up to a commit, newest first, back to the start of the build; null where one of them was not intended.
 */
export function lineTo(landings: Landings, commit: CommitId): readonly LandingRecord[] | null {
  const line: LandingRecord[] = []
  for (let at: CommitId | null = commit; at !== null;) {
    const landing: LandingRecord | undefined = landings.get(at)
    if (landing === undefined || line.length > landings.size) return null
    line.push(landing)
    at = landing.onto
  }
  return line
}

/** The landings that reached the branch: recorded as merged, or as landed. */
export function recordedLandings(landings: Landings, attempts: ReadonlyMap<TaskId, Attempt>): readonly CommitId[] {
  const merged = [...attempts.values()].flatMap(({ phase }) =>
    phase.at === 'settled' && phase.as.is === 'done' ? [phase.as.commit] : [],
  )
  const landed = [...landings.values()].flatMap(({ commit, landed: isLanded }) => (isLanded === true ? [commit] : []))
  return [...merged, ...landed]
}

/**
 * The correct head of a branch that points to the first of these commits, followed by its ancestors: the newest
 * intended one, or a recorded landing on top of it. Null: none of these commits is the build's.
 */
export function headOn(landings: Landings, recorded: readonly CommitId[], found: readonly CommitId[]): CommitId | null {
  const start = [...landings.values()].find(({ onto }) => onto === null)?.commit ?? null
  const own = found.find((commit) => lineTo(landings, commit) !== null) ?? start
  const lines = recorded.flatMap((commit) => {
    const line = lineTo(landings, commit)
    return line?.some((one) => one.commit === own) === true ? [line] : []
  })
  const longest = lines.toSorted((one, other) => other.length - one.length)[0]
  return longest?.[0]?.commit ?? own
}

/**
 * The warning for a settled task whose row contradicts its attempt, since somebody changed it behind the engine; null:
 * they agree.
 */
export function rejection(
  { id, status }: Pick<Task, 'id' | 'status'>,
  attempt: Attempt | undefined,
  onBranch: Landings,
): StatusRejected | null {
  const as = attempt?.phase.at === 'settled' ? attempt.phase.as : null
  const begun = attempt === undefined ? {} : { attempt: attempt.number }
  const rejected = { type: 'statusRejected', taskId: id, status, ...begun } as const
  if (as?.is === 'done' && onBranch.get(as.commit)?.task !== id) return { ...rejected, lost: as.commit }
  return as?.is === status ? null : rejected
}

export function restoredText({ from, to, subject, ref }: BranchRestored): string {
  if (ref === null)
    return `the build branch had been moved back to ${short(from)}; Ralph put it back to ${short(to)}, where the merged work is`
  return `a commit that Ralph did not make was found on the build branch (${short(from)} '${subject}'); it was set aside as ${ref}, and the build went on without it`
}

export function rejectedText({ taskId, status, lost }: StatusRejected): string {
  if (lost !== undefined)
    return `task '${taskId}' was merged as ${short(lost)}, which is not on the build branch any more; the build does it again`
  return `task '${taskId}' was set to ${status} in the store, but Ralph recorded nothing of the kind; that does not count, and the build goes on with it`
}

export function warningText(warning: BranchRestored | StatusRejected): string {
  return warning.type === 'branchRestored' ? restoredText(warning) : rejectedText(warning)
}

function short(commit: CommitId): string {
  return commit.slice(0, 10)
}

/** A commit that may be on the build branch, stored before the branch moves there (core/attempt/landing.ts). */
export interface LandingRecord {
  readonly kind: 'landing'
  readonly commit: CommitId
  /** The parent; null: the build started on it. */
  readonly onto: CommitId | null
  readonly tree: TreeId
  /** Null: it belongs to no task, such as a merge of the base branch. */
  readonly task: TaskId | null
  /** For a merge: the attempt that it settles; null for a revert, which settles none. */
  readonly mark: { readonly attempt: number; readonly iteration: number } | null
  /** Null where a version without landing records made it. */
  readonly proof: Proof | null
  /** sha256 of the note on the commit; null where a version without landing records made it. */
  readonly note: string | null
  /** The branch has it. Only for a landing that settles no attempt: an attempt records this itself. */
  readonly landed?: true
}
