// What an operator does to a build by hand, through a long-lived process: each action opens what it needs, waits for
// the end, and closes it.
import { originOf } from '../../config/settings/config.ts'
import type { Build } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import type { BuildId, CommitId, IdeaId, TaskId } from '../../core/values/id.ts'
import type { ShipReason } from '../../core/builds/ship-gate.ts'
import { type BuildContext, buildNamed, isPlanned } from '../builds/builds.ts'
import { deploy, type DeployResult, sayDeployed } from '../ship/deploy.ts'
import { findWaiting, type Fix, resolveTask } from '../builds/escalations.ts'
import { openRun } from '../open-run.ts'
import { placeAt } from '../builds/plain-git.ts'
import { findMergedTask, revertTask } from '../builds/revert.ts'
import { sendMessage } from '../builds/send-message.ts'
import { settleTask } from '../builds/settle-task.ts'
import { examineShip, type GateReport, ship, type Shipping } from '../ship/ship.ts'
import { shippingOf } from '../ship/ship-build.ts'
import { proveShip } from '../ship/ship-proof.ts'
import { push } from '../ship/ship-git.ts'
import { withEngine, type ServedRepository } from './served-repository.ts'
import { asWorker } from '../builds/workers.ts'

/** A build that is over or failed stays as it is. */
export function isInactive({ state }: Build): boolean {
  return state !== 'running' && state !== 'paused'
}

/** So does a build that was only to be planned and has its plan. */
export async function hasStep(context: BuildContext, build: Build, mode: 'auto' | 'plan_only'): Promise<boolean> {
  return !isInactive(build) && (mode === 'auto' || !(await isPlanned(context, build.id)))
}

export async function stepManually(
  servedRepo: ServedRepository,
  id: BuildId,
  message: string | null,
  signal: AbortSignal,
): Promise<void> {
  const { context } = servedRepo
  const wasPlanned = await isPlanned(context, id)
  const run = await openRun(servedRepo, id, { paused: 'kept' })
  try {
    if (message !== null) await sendMessage(context, id, message)
    const ended = await run.step(signal)
    if (signal.aborted) throw refuse('STOPPING')
    if (ended?.unstarted !== undefined) throw refuse('BASELINE_FAILED', { problem: ended.unstarted })
    if (ended?.reason === 'Failed' && !wasPlanned)
      throw refuse('PLAN_FAILED', { problem: ended.detail ?? 'the step failed' })
  } finally {
    await run.close()
  }
}

export interface ResolveResult {
  readonly task: TaskId
  readonly commit: CommitId
  readonly verified: boolean
}

export async function resolveManually(
  servedRepo: ServedRepository,
  id: BuildId,
  fix: Fix,
  named: TaskId | undefined,
  signal: AbortSignal,
): Promise<ResolveResult> {
  const { context } = servedRepo
  const waiting = await findWaiting(context, named, id)
  return withEngine(servedRepo, id, async (engine) => {
    const task = await resolveTask(context, engine.workspaces, fix, waiting)
    const at = { ...context, store: engine.store }
    const { phase } = await asWorker(at, (worker) => settleTask(at, engine, id, task, worker, signal))
    await engine.workspaces.mirror(id)
    if (phase.at === 'settled' && phase.as.is === 'done')
      return { task, commit: phase.as.commit, verified: phase.as.proof.by === 'evidence' }
    if (phase.at === 'waiting') throw refuse('FIX_UNVERIFIED', { id: task, reason: phase.reason })
    throw refuse('STOPPING')
  })
}

export async function revertManually(
  servedRepo: ServedRepository,
  id: BuildId,
  named: TaskId | undefined,
  signal: AbortSignal,
): Promise<{ readonly task: TaskId; readonly commit: CommitId }> {
  const found = await findMergedTask(servedRepo.context, named, id)
  return withEngine(servedRepo, id, (engine) => revertTask(servedRepo.context, engine, found, signal))
}

export type PublishResult =
  | { readonly is: 'refused'; readonly what: string; readonly reasons: readonly ShipReason[] }
  | {
      readonly is: 'published'
      readonly build: BuildId
      readonly base: string
      readonly commit: CommitId
      /** The remote; null: not asked for. */
      readonly pushed: string | null
      readonly deployed: DeployResult | null
    }

export interface PublishOptions extends Pick<Shipping, 'allowed'> {
  readonly push: 'pushed' | 'kept'
  /** After a deploy that failed, or whose end is unknown. */
  readonly deploy: 'again' | 'done' | null
}

/** Asks the gate without shipping; null: there is no build. */
export async function examineGate(
  servedRepo: ServedRepository,
  project: string,
  signal: AbortSignal,
): Promise<GateReport | null> {
  const build = await buildNamed(servedRepo.context, project)
  if (build === null) return null
  const place = { folder: servedRepo.root, env: servedRepo.env, openCleanClone: servedRepo.openCleanClone }
  return withEngine(servedRepo, build.id, (engine) =>
    examineShip(shippingOf(servedRepo.context, engine, build.id, place, signal)),
  )
}

export async function publish(
  servedRepo: ServedRepository,
  project: string,
  { allowed, push: pushing, deploy: word }: PublishOptions,
  signal: AbortSignal,
): Promise<PublishResult> {
  const { context, root } = servedRepo
  const build = await buildNamed(context, project)
  if (build === null) return { is: 'refused', what: `project '${project}'`, reasons: [noBuild(project as IdeaId)] }
  return withEngine(servedRepo, build.id, async (engine) => {
    const { base: named, deploy: command } = engine.config.ship
    const base = originOf(engine.config, 'ship.base') === 'default' ? context.scope.branch : named
    const user = placeAt(root, servedRepo.env)
    const { openCleanClone } = servedRepo
    const shipping: Shipping = { context, engine, build: build.id, base, allowed, signal, user, openCleanClone }
    const gate = await examineShip(shipping)
    const reasons = gate.reasons.filter(({ code }) => code !== 'deployUnknown' || word === null)
    if (reasons.length > 0) return { is: 'refused', what: `build '${build.id}'`, reasons }
    const proof = gate.isShipped ? null : await proveShip(shipping, gate)
    if (proof !== null && proof.reasons.length > 0)
      return { is: 'refused', what: `build '${build.id}'`, reasons: proof.reasons }
    const commit = proof === null ? gate.head : await ship(shipping, gate, proof)
    const pushed = pushing === 'pushed' ? await push(user, [base]) : null
    if (word === 'done') await sayDeployed(context, build.id, commit)
    const isDue = command !== null && command !== '' && word !== 'done' && (!gate.isShipped || word === 'again')
    const deployed = isDue ? await deploy(context, build.id, { command, commit }, user, signal) : null
    return { is: 'published', build: build.id, base, commit, pushed, deployed }
  })
}

/** The gate has no build to examine. */
export function noBuild(project: IdeaId): ShipReason {
  return { code: 'notReady', what: `project '${project}' has no build`, clear: 'start a build of it' }
}
