// Moves build branches and checks what is on them. The engine makes a commit, records its intent in the store, moves
// the branch by compare-and-swap, and records that. Only the engine may move the branch: it sets commits that nobody
// intended aside, moves the branch back to the last landing, and tells the operator.
import { type Attempt, firstAttempt } from '../../core/attempt/attempt.ts'
import { attemptIn, taskIn } from '../../core/builds/commit-message.ts'
import { RalphError, refuse } from '../../core/error/error.ts'
import type { BranchRestored, Proof, StatusRejected } from '../../core/fact/fact.ts'
import type { BuildId, CommitId, TreeId } from '../../core/values/id.ts'
import type { Attachment } from '../../core/builds/attachment.ts'
import {
  headOn,
  type Landings,
  landingsOf,
  lineTo,
  recordedLandings,
  rejection,
  type LandingRecord,
} from '../../core/attempt/landing.ts'
import type { Lease } from '../../store/store.ts'
import type { Version } from '../../workspace/workspace.ts'
import type { EngineDeps } from '../deps.ts'

type Place = Pick<EngineDeps, 'store' | 'workspaces' | 'watcher' | 'now' | 'memory'>

/** A build branch on which every commit was intended. */
export interface SoundBranch {
  readonly head: CommitId
  /** The landings on it. */
  readonly landings: Landings
  /** What had to be restored just now. */
  readonly restored: readonly BranchRestored[]
}

/** In each round somebody else has really moved the branch. */
const ROUNDS_MAX = 20
const SUBJECT_LENGTH_MAX = 72

/** The branch as it is now, after everything that does not belong there was set aside. */
export async function soundBranch(place: Place, build: BuildId): Promise<SoundBranch> {
  const { store, workspaces } = place
  const restored: BranchRestored[] = []
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    // Read the branch before the store: a commit on the branch was intended earlier.
    const { commit: head } = await workspaces.head(build)
    const known = place.memory.soundBranches.get(build)
    if (known?.head === head) return { ...known, restored }
    const landings = await readLandings(place, build, head)
    const recorded = recordedLandings(landings, await store.builds.attempts(build))
    const isIntended = lineTo(landings, head) !== null
    const commits = isIntended ? [] : await workspaces.history(build, head, startOf(landings))
    const belongs = headOn(landings, recorded, [head, ...commits.map(({ commit }) => commit)])
    if (belongs === null) throw refuse('INTERNAL', { reason: `nothing is known of the branch of build ${build}` })
    if (belongs === head) return { ...remember(place, build, head, landings), restored }
    const subject = commits[0]?.message.split('\n', 1)[0]?.slice(0, SUBJECT_LENGTH_MAX) ?? ''
    const done = await workspaces.putBack(build, head, belongs)
    if (done === null) continue
    const fact: BranchRestored = { type: 'branchRestored', from: head, to: belongs, subject, ref: done.ref }
    await store.builds.note(build, fact, [{ kind: 'warning', at: place.now(), warning: fact }])
    place.watcher.fact(fact)
    restored.push(fact)
  }
  throw refuse('BRANCH_BUSY', { build })
}

function remember(
  { memory }: Pick<EngineDeps, 'memory'>,
  build: BuildId,
  head: CommitId,
  landings: Landings,
): Omit<SoundBranch, 'restored'> {
  const sound = { head, landings: landingsOf(lineTo(landings, head) ?? []), restored: [] }
  memory.soundBranches.set(build, sound)
  return sound
}

function startOf(landings: Landings): CommitId | null {
  return [...landings.values()].find(({ onto }) => onto === null)?.commit ?? null
}

/**
 * At the first look, before any agent works, everything on the branch counts as the build's: the commit it started on,
 * and merges of a version that recorded no landings.
 */
async function readLandings({ store, workspaces }: Place, build: BuildId, head: CommitId): Promise<Landings> {
  const kept = await store.builds.attachments(build, 'landing')
  if (kept.length > 0) return landingsOf(kept)
  const commits = await workspaces.history(build, head, null)
  const start = commits.at(-1)?.parent ?? head
  const nothing = { kind: 'landing', task: null, mark: null, proof: null, note: null } as const
  const found = commits.map(({ commit, parent, tree, message }): LandingRecord => ({
    ...nothing,
    commit,
    onto: parent,
    tree,
    task: taskIn(message),
    mark: attemptIn(message),
  }))
  const all = [{ ...nothing, commit: start, onto: null, tree: await workspaces.treeOf(start) }, ...found.toReversed()]
  await store.builds.keep(build, all)
  return landingsOf(all)
}

export interface NewLanding extends Pick<LandingRecord, 'task' | 'mark'> {
  readonly build: BuildId
  readonly onto: CommitId
  readonly tree: TreeId
  readonly message: string
  readonly note: string
  readonly proof: Proof
  /** Stored together with the intent: the evidence. */
  readonly attachments?: readonly Attachment[]
  /** A second parent. */
  readonly also?: CommitId
}

/** Null: the branch has moved. `lost`: the lease was lost, and nothing has moved. */
export async function commitToBranch(
  engine: Place & Pick<EngineDeps, 'digest' | 'failpoint'>,
  landing: NewLanding,
  lease: Lease | null,
): Promise<Version | 'lost' | null> {
  const { store, workspaces } = engine
  const { build, onto, tree, message, note, task, mark, proof, attachments = [], also } = landing
  const branch = await soundBranch(engine, build)
  if (branch.head !== onto) return null
  let record: LandingRecord | null = null
  let isLost = false
  const intend = async (commit: CommitId): Promise<boolean> => {
    record = { kind: 'landing', commit, onto, tree, task, mark, proof, note: `sha256:${engine.digest(note.trimEnd())}` }
    if (lease === null) await store.builds.keep(build, [record, ...attachments])
    else isLost = !(await store.builds.intend(lease, build, [record, ...attachments]))
    engine.failpoint('intended landing')
    return !isLost
  }
  const ways = also === undefined ? { intend } : { intend, also }
  const landed = await workspaces.commitToBranch(build, onto, tree, message, note, ways)
  if (landed === null || record === null) return isLost ? 'lost' : null
  remember(engine, build, landed.commit, new Map(branch.landings).set(landed.commit, record))
  // A merge is recorded with the attempt that it settles.
  if (mark === null) await store.builds.keep(build, [{ ...(record as LandingRecord), landed: true }])
  return landed
}

function isDone(attempt: Attempt | undefined): boolean {
  return attempt?.phase.at === 'settled' && attempt.phase.as.is === 'done'
}

/** Opens tasks again that somebody settled past the engine, and tells the operator. */
export async function rejectUnproved(
  place: Place & Pick<EngineDeps, 'scope' | 'config'>,
  build: BuildId,
): Promise<readonly StatusRejected[]> {
  const { store, scope, config, watcher, now } = place
  // Read the tasks before the branch: a recorded merge is on the branch already.
  const tasks = (await store.tasks.list(scope, { statuses: ['done', 'skipped', 'split'] })).filter(
    // Of a done task with a report the engine itself recorded how far that is verified.
    (task) => task.build === build && task.reportedDone === null,
  )
  if (tasks.length === 0) return []
  const attempts = await store.builds.attempts(build)
  const isMerged = tasks.some(({ id }) => isDone(attempts.get(id)))
  const landings = isMerged ? (await soundBranch(place, build)).landings : new Map()
  const rejected: StatusRejected[] = []
  for (const task of tasks) {
    const fact = rejection(task, attempts.get(task.id), landings)
    if (fact === null) continue
    try {
      await store.builds.tell(build, fact, firstAttempt(task, build, config.limits))
    } catch (error) {
      // Another loop has noticed the same.
      if (error instanceof RalphError && error.code === 'FACT_REFUSED') continue
      throw error
    }
    await store.builds.keep(build, [{ kind: 'warning', at: now(), warning: fact }])
    watcher.fact(fact)
    rejected.push(fact)
  }
  return rejected
}
