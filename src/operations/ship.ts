// Shipping: the gate with all its reasons, then the base branch, then the deploy command. The base only ever moves
// forward to the head of the build branch; where it moved meanwhile, it is first merged into that branch, verified.
//
//   gate ── reasons ──> refused
//     └── base moved? merge it into ralph/<build>, verify ──> base forward ──> push / pull request ──> deploy
import { readAttestation, withOwnNote } from '../core/attestation.ts'
import { RalphError, refuse } from '../core/error.ts'
import type { Evidence } from '../core/evidence.ts'
import type { BuildId, CommitId, EvidenceId, TaskId, TreeId } from '../core/id.ts'
import type { Landings } from '../core/landing.ts'
import { type Allowed, type Candidate, type ShipReason, shipGate } from '../core/ship-gate.ts'
import { newTask } from '../core/task.ts'
import { land, rejectUnproved, soundBranch } from '../engine/landing.ts'
import { evidenceId, prove } from '../engine/proof.ts'
import type { Shop } from '../engine/shop.ts'
import { reportBuild } from './build-report.ts'
import type { BuildDesk } from './builds.ts'
import { deployState } from './deploy.ts'
import type { RepositoryPlace } from './plain-git.ts'
import { reopen } from './revert.ts'
import { commitAt, commitsBeyond, forward, isAncestor, readLanded, startOfUnborn } from './ship-git.ts'

export interface Shipping {
  readonly desk: BuildDesk
  readonly shop: Shop
  readonly build: BuildId
  readonly user: RepositoryPlace
  readonly base: string
  readonly allowed: Allowed
  readonly signal: AbortSignal
}

export interface GateReport {
  readonly build: BuildId
  readonly base: string
  readonly reasons: readonly ShipReason[]
  /** What would be shipped. */
  readonly commits: readonly CommitId[]
  readonly head: CommitId
  /** The base moved on since the build started: the two are put together and verified first. */
  readonly hasBaseMoved: boolean
  /** The base has it all already. */
  readonly isShipped: boolean
}

export async function examineShip({ desk, shop, build, user, base, allowed }: Shipping): Promise<GateReport> {
  if ((await shop.workspaces.head(build).catch(unlessUnbegun)) === null) return unbegun(build, base)
  const { landings, warnings } = await examineLandings(desk, shop, build)
  const head = await shop.workspaces.head(build)
  await shop.workspaces.mirror(build)
  const baseCommit = (await commitAt(user, `refs/heads/${base}`)) ?? (await startOfUnborn(user, base, head.commit))
  if (baseCommit === null) throw refuse('BASE_UNKNOWN', { base })
  const commits = await commitsBeyond(user, baseCommit, head.commit)
  const read = await Promise.all(commits.map((commit) => readLanded(user, commit)))
  const said = read.map(({ tree, message, note }, at) =>
    withOwnNote(
      readAttestation({ tree, message, note }, shop.digest),
      landings.get(commits[at] as CommitId)?.note ?? null,
      `sha256:${shop.digest(note ?? '')}`,
    ),
  )
  const report = await reportBuild(desk, build)
  const last = said.at(-1)
  const candidate: Candidate = {
    build,
    state: report.build.state,
    tasks: report.tasks.map(({ id, status }) => ({
      id,
      status,
      question: report.waiting.find(({ task }) => task === id)?.reason ?? null,
    })),
    commits: commits.map((commit, at) => ({ commit, said: said[at] ?? { is: 'foreign' } })),
    unintended: commits.filter((commit) => !landings.has(commit)),
    warnings,
    tree: head.tree,
    evidence: last?.is === 'evidence' ? last.evidence : await ownEvidence(shop, head.tree),
    requireTests: shop.config.verify.requireTests ? 'required' : 'not-required',
    deploy: await deployState(desk, build),
  }
  const hasMerged = report.tasks.some(({ status }) => status === 'done')
  const isShipped = hasMerged && commits.length === 0 && (await isAncestor(user, head.commit, baseCommit))
  return {
    build,
    base,
    reasons: shipGate(candidate, allowed).filter(({ code }) => code !== 'nothingToShip' || !isShipped),
    commits,
    head: head.commit,
    hasBaseMoved: !(await isAncestor(user, baseCommit, head.commit)),
    isShipped,
  }

  /** Of a tree that a person put on top without evidence: it is verified now. */
  async function ownEvidence(of: Shop, tree: TreeId): Promise<Evidence | null> {
    if (commits.length === 0) return null
    const from = await commitAt(user, `${commits[0]}^`)
    if (from === null) return null
    return (await prove({ shop: of, task: pseudoTask(build), signal: AbortSignal.timeout(3_600_000) }, tree, from))
      .evidence
  }
}

/** What is done and what is on the branch, by what the store knows of both; what is not of one piece is put right and said. */
async function examineLandings(
  desk: BuildDesk,
  shop: Shop,
  build: BuildId,
): Promise<Pick<Candidate, 'warnings'> & { readonly landings: Landings }> {
  const { restored } = await soundBranch(shop, build)
  const isAborted = (await desk.store.builds.find(build))?.state === 'aborted'
  const rejected = isAborted ? [] : await rejectUnproved(shop, build)
  if (rejected.length > 0) await reopen(desk, build)
  const { landings } = await soundBranch(shop, build)
  return { landings, warnings: [...restored, ...rejected] }
}

/** A build that nobody drove yet has no branch. */
function unlessUnbegun(error: unknown): null {
  if (error instanceof RalphError && error.code === 'BRANCH_NOT_FOUND') return null
  throw error
}

function unbegun(build: BuildId, base: string): GateReport {
  const what = `build ${build} is not ready: nothing was done for it yet`
  const nothing = { commits: [], head: '' as CommitId, hasBaseMoved: false, isShipped: false }
  return { build, base, reasons: [{ code: 'notReady', what, clear: 'ralph build' }], ...nothing }
}

/** Moves the base branch; what was refused changes nothing. */
export async function ship(shipping: Shipping, gate: GateReport): Promise<CommitId> {
  const { desk, user, base, build, allowed } = shipping
  const to = gate.hasBaseMoved ? await takeInBase(shipping) : gate.head
  // Without a commit yet, it begins with the build: the gate has seen to it that it may.
  await forward(user, base, await commitAt(user, `refs/heads/${base}`), to)
  await record(desk, build, { base, commit: to, how: 'base', allowed: said(allowed) })
  return to
}

export async function recordPullRequest({ desk, build, base, allowed }: Shipping, commit: CommitId): Promise<void> {
  await record(desk, build, { base, commit, how: 'pullRequest', allowed: said(allowed) })
}

interface ShipRecord {
  readonly base: string
  readonly commit: CommitId
  readonly how: 'base' | 'pullRequest'
  readonly allowed: readonly string[]
}

async function record({ store, person }: BuildDesk, build: BuildId, what: ShipRecord): Promise<void> {
  await store.builds.note(build, { type: 'shipped', by: person, ...what })
}

function said({ skipped, unverified }: Allowed): string[] {
  return [...(skipped === 'allowed' ? ['skipped'] : []), ...(unverified === 'allowed' ? ['unverified'] : [])]
}

/** Base goes into the build branch, by a merge whose tree is verified before the branch moves. */
export async function takeInBase({ desk, shop, build, user, base, signal }: Shipping): Promise<CommitId> {
  const commit = await commitAt(user, `refs/heads/${base}`)
  if (commit === null) throw refuse('BASE_UNKNOWN', { base })
  const combined = await shop.workspaces.combineWith(build, commit)
  if (combined.is === 'conflict') throw refuse('SHIP_CONFLICT', { base, paths: combined.paths.join(', '), build })
  if (!combined.moved) return combined.head
  const { evidence, judgement } = await prove({ shop, task: pseudoTask(build), signal }, combined.tree, commit)
  if (judgement.verdict.is !== 'green') throw refuse('SHIP_RED', { base, error: judgement.verdict.error })
  const reasons = ['every task of the build was reviewed by itself']
  const whole = evidence.findings.length === 0 ? evidence : { ...evidence, cleared: { by: desk.person, reasons } }
  const id = evidenceId(shop, whole)
  const { head: onto, tree } = combined
  const proof = { by: 'evidence', evidence: id } as const
  const note = JSON.stringify({ task: whole.task, tree, proof, evidence: whole, resolution: null })
  const message = mergeMessage(build, base, id)
  const landing = { build, onto, tree, message, note, proof, task: null, mark: null, also: commit }
  const landed = await land(shop, landing, null)
  if (landed === null || landed === 'lost') throw refuse('BRANCH_BUSY', { build })
  await shop.workspaces.mirror(build)
  return landed.commit
}

function mergeMessage(build: BuildId, base: string, evidence: EvidenceId): string {
  return `merge: ${base} into build ${build}\n\nTask ID: ${shipId(build)}\nRalph-Build: ${build}\nRalph-Evidence: ${evidence}\n`
}

/** The whole build is examined as if it were one task. */
function pseudoTask(build: BuildId) {
  return newTask(shipId(build), { title: `Ship ${build}` }, [], 0)
}

function shipId(build: BuildId): TaskId {
  return `ship-${build}` as TaskId
}
