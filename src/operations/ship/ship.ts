// Shipping: the gate with all its reasons, then the base branch, then the deploy command. The base only moves forward
// to the head of the build branch; if it has moved meanwhile, it is first merged into that branch, verified.
//
//   gate ── reasons ──> refused
//     └── prove the tree (ship-proof.ts) ── reasons ──> refused
//           └── base moved? land the merge on ralph/<build> ──> base forward ──> push / pull request ──> deploy
//
// The gate only reads and runs nothing, since a page asks it at every visit.
import { readAttestation, withChecks, withOwnNote } from '../../core/evidence/attestation.ts'
import { RalphError, refuse } from '../../core/error/error.ts'
import type { BuildId, CommitId, TaskId } from '../../core/values/id.ts'
import type { Landings } from '../../core/attempt/landing.ts'
import { type Allowed, type Candidate, type ShipReason, shipGate } from '../../core/builds/ship-gate.ts'
import type { RemovedTask } from '../../core/builds/removed-tasks.ts'
import { newTask } from '../../core/task/task.ts'
import { wantedChecks } from '../../engine/verify/check-runs.ts'
import { commitToBranch, rejectUnproved, soundBranch } from '../../engine/verify/landing.ts'
import { evidenceId } from '../../engine/verify/proof.ts'
import type { EngineDeps } from '../../engine/deps.ts'
import { reportBuild } from '../read/build-report.ts'
import type { BuildContext } from '../builds/builds.ts'
import { deployState } from './deploy.ts'
import type { RepositoryPlace } from '../builds/plain-git.ts'
import { reopen } from '../builds/revert.ts'
import { commitAt, commitsBeyond, forward, isAncestor, readLanded, startOfUnborn } from './ship-git.ts'
import type { MergedTree, ShipProof } from './ship-proof.ts'
import type { CleanClone } from './clean-clone.ts'

export interface Shipping {
  readonly context: BuildContext
  readonly engine: EngineDeps
  readonly build: BuildId
  readonly user: RepositoryPlace
  readonly base: string
  readonly allowed: Allowed
  readonly signal: AbortSignal
  /** A clean clone; `copy`: ignored files of the checkout that the checks need. */
  readonly openCleanClone: (copy: readonly string[]) => Promise<CleanClone>
  /** Gets the progress, one sentence at a time. */
  readonly note?: (sentence: string) => void
}

export interface GateReport {
  readonly build: BuildId
  readonly base: string
  readonly reasons: readonly ShipReason[]
  /** The commits to ship. */
  readonly commits: readonly CommitId[]
  readonly head: CommitId
  /** Tasks of the build that somebody removed from its plan. */
  readonly removed: readonly RemovedTask[]
  /** The person who accepted the head unverified; null: it has evidence. */
  readonly acceptedBy: string | null
  /** The head of the base branch; null: it has no commit yet. */
  readonly baseAt: CommitId | null
  /** The base has moved since the build started: the merge is verified first. */
  readonly hasBaseMoved: boolean
  /** The base already has everything. */
  readonly isShipped: boolean
}

export async function examineShip({ context, engine, build, user, base, allowed }: Shipping): Promise<GateReport> {
  if ((await engine.workspaces.head(build).catch(unlessUnbegun)) === null) return unbegun(build, base)
  const { landings, warnings } = await examineLandings(context, engine, build)
  const head = await engine.workspaces.head(build)
  await engine.workspaces.mirror(build)
  const baseAt = await commitAt(user, `refs/heads/${base}`)
  const baseCommit = baseAt ?? (await startOfUnborn(user, base, head.commit))
  if (baseCommit === null) throw refuse('BASE_UNKNOWN', { base })
  const commits = await commitsBeyond(user, baseCommit, head.commit)
  const read = await Promise.all(commits.map((commit) => readLanded(user, commit)))
  const attestations = read.map(({ tree, message, note }, at) => {
    const read = withChecks(readAttestation({ tree, message, note }, engine.digest), wantedChecks(engine.config))
    const written = landings.get(commits[at] as CommitId)?.note ?? null
    return withOwnNote(read, written, `sha256:${engine.digest(note ?? '')}`)
  })
  const report = await reportBuild(context, build)
  const last = attestations.at(-1)
  const candidate: Candidate = {
    build,
    state: report.build.state,
    tasks: report.tasks.map(({ id, status }) => ({
      id,
      status,
      question: report.waiting.find(({ task }) => task === id)?.reason ?? null,
    })),
    removed: report.removed,
    commits: commits.map((commit, at) => ({ commit, said: attestations[at] ?? { is: 'foreign' } })),
    unintended: commits.filter((commit) => !landings.has(commit)),
    warnings,
    tree: head.tree,
    evidence: last?.is === 'evidence' ? last.evidence : null,
    requireTests: engine.config.verify.requireTests ? 'required' : 'not-required',
    deploy: await deployState(context, build),
  }
  const hasMerged = report.tasks.some(({ status }) => status === 'done')
  const isShipped = hasMerged && commits.length === 0 && (await isAncestor(user, head.commit, baseCommit))
  return {
    build,
    base,
    reasons: shipGate(candidate, allowed).filter(({ code }) => code !== 'nothingToShip' || !isShipped),
    commits,
    head: head.commit,
    removed: report.removed,
    acceptedBy: last?.is === 'accepted' ? last.person : null,
    baseAt,
    hasBaseMoved: !(await isAncestor(user, baseCommit, head.commit)),
    isShipped,
  }
}

/** Checks the done tasks and the branch against the store, repairs what does not match, and returns it as warnings. */
async function examineLandings(
  context: BuildContext,
  engine: EngineDeps,
  build: BuildId,
): Promise<Pick<Candidate, 'warnings'> & { readonly landings: Landings }> {
  const { restored } = await soundBranch(engine, build)
  const isAborted = (await context.store.builds.find(build))?.state === 'aborted'
  const rejected = isAborted ? [] : await rejectUnproved(engine, build)
  if (rejected.length > 0) await reopen(context, build)
  const { landings } = await soundBranch(engine, build)
  return { landings, warnings: [...restored, ...rejected] }
}

/** A build that nobody has driven yet has no branch. */
function unlessUnbegun(error: unknown): null {
  if (error instanceof RalphError && error.code === 'BRANCH_NOT_FOUND') return null
  throw error
}

function unbegun(build: BuildId, base: string): GateReport {
  const what = `build ${build} is not ready: nothing was done for it yet`
  const nothing = {
    commits: [],
    head: '' as CommitId,
    removed: [],
    acceptedBy: null,
    baseAt: null,
    hasBaseMoved: false,
    isShipped: false,
  }
  return { build, base, reasons: [{ code: 'notReady', what, clear: 'ralph build' }], ...nothing }
}

/** Moves the base branch to what was proved. A refusal changes nothing. */
export async function ship(shipping: Shipping, gate: GateReport, proof: ShipProof): Promise<CommitId> {
  const { context, user, base, build } = shipping
  await requireUnmoved(shipping, gate)
  const to = await shippedCommit(shipping, gate, proof)
  // A base without commits begins with the build, which the gate has allowed.
  await forward(user, base, gate.baseAt, to)
  await record(context, build, recordOf(shipping, to, 'base', proof))
  return to
}

/** The build branch including base, for callers that merge it elsewhere. */
export async function shippedCommit(
  shipping: Shipping,
  gate: GateReport,
  { merged }: Pick<ShipProof, 'merged'>,
): Promise<CommitId> {
  return merged === null ? gate.head : landMerged(shipping, merged)
}

/** The checks took time, and they did not see what came to base meanwhile. */
async function requireUnmoved({ user, base }: Shipping, { baseAt }: GateReport): Promise<void> {
  if ((await commitAt(user, `refs/heads/${base}`)) === baseAt) return
  const reason = 'it moved on while the checks ran; run the same command again'
  throw refuse('SHIP_OVERLAP', { branch: base, folder: user.folder, reason })
}

/** Base already has everything; recorded again for the build's idea. */
export async function recordShipped(shipping: Shipping, { head }: GateReport): Promise<CommitId> {
  await record(shipping.context, shipping.build, recordOf(shipping, head, 'base', { red: [] }))
  return head
}

export async function recordPullRequest(shipping: Shipping, commit: CommitId, proof: ShipProof): Promise<void> {
  await record(shipping.context, shipping.build, recordOf(shipping, commit, 'pullRequest', proof))
}

function recordOf(
  { base, allowed }: Shipping,
  commit: CommitId,
  how: ShipRecord['how'],
  { red }: Pick<ShipProof, 'red'>,
): ShipRecord {
  return { base, commit, how, allowed: allowedNames(allowed), ...(red.length === 0 ? {} : { red }) }
}

interface ShipRecord {
  readonly base: string
  readonly commit: CommitId
  readonly how: 'base' | 'pullRequest'
  readonly allowed: readonly string[]
  /** Checks that were red and allowed. */
  readonly red?: readonly string[]
}

async function record({ store, person }: BuildContext, build: BuildId, what: ShipRecord): Promise<void> {
  await store.builds.note(build, { type: 'shipped', by: person, ...what })
}

function allowedNames({ skipped, unverified }: Allowed): string[] {
  return [...(skipped === 'allowed' ? ['skipped'] : []), ...(unverified === 'allowed' ? ['unverified'] : [])]
}

/** Merges base into the build branch. The tree was proved before the branch moves. */
async function landMerged({ context, engine, build, base: name }: Shipping, merged: MergedTree): Promise<CommitId> {
  const { tree, head, base, evidence } = merged
  const reasons = ['every task of the build was reviewed by itself']
  const whole =
    evidence === null || evidence.findings.length === 0
      ? evidence
      : { ...evidence, cleared: { by: context.person, reasons } }
  const id = whole === null ? null : evidenceId(engine, whole)
  const proof =
    id === null ? ({ by: 'person', person: context.person } as const) : ({ by: 'evidence', evidence: id } as const)
  const note = JSON.stringify({ task: shipId(build), tree, proof, evidence: whole, resolution: null })
  const message = mergeMessage(build, name, id ?? 'none')
  const landing = { build, onto: head, tree, message, note, proof, task: null, mark: null, also: base }
  const landed = await commitToBranch(engine, landing, null)
  if (landed === null || landed === 'lost') throw refuse('BRANCH_BUSY', { build })
  await engine.workspaces.mirror(build)
  return landed.commit
}

function mergeMessage(build: BuildId, base: string, evidence: string): string {
  return `merge: ${base} into build ${build}\n\nTask ID: ${shipId(build)}\nRalph-Build: ${build}\nRalph-Evidence: ${evidence}\n`
}

/** Examines the whole build as one task. */
export function pseudoTask(build: BuildId) {
  return newTask(shipId(build), { title: `Ship ${build}` }, [], 0)
}

function shipId(build: BuildId): TaskId {
  return `ship-${build}` as TaskId
}
