// Before the first agent of a build starts, the engine runs setup and checks on the base. The first verification needs
// that result anyway, and a session would be wasted money where nothing can be verified.
import { next } from '../../core/attempt/attempt.ts'
import { type BaselineStop, type BaselineVerdict, judgeBaseline, NO_CHECKS } from '../../core/evidence/baseline.ts'
import { branchOf } from '../../core/builds/build.ts'
import { isGreen } from '../../core/evidence/evidence.ts'
import type { BaselineFact } from '../../core/fact/baseline-fact.ts'
import type { BuildId, TreeId } from '../../core/values/id.ts'
import type { Version } from '../../workspace/workspace.ts'
import { setupFor } from './install.ts'
import { hasPlan } from '../plan-build.ts'
import { baselineOf, type CheckContext, forgetBaseline, knownBaseline } from './check-runs.ts'
import type { EngineDeps } from '../deps.ts'
import type { Stop } from '../stop.ts'

/** Null: agents may start. Rejects where it was stopped. */
export async function checkBaseline(engine: EngineDeps, build: BuildId, signal: AbortSignal): Promise<Stop | null> {
  const base = await nextBase(engine, build)
  if (base === null) return null
  if (engine.config.checks.length === 0) return stopBuild(engine, build, base, NO_CHECKS)
  if (knownBaseline({ engine, build, signal }, base.tree) !== null) return null
  const on = await nameOf(engine, build)
  const { commit } = base
  await engine.store.builds.note(build, { type: 'baselineStarted', commit, on })
  engine.watcher.fact({ type: 'baselineStarted', commit, on })
  const verdict = await examine({ engine, build, signal }, base.tree, on)
  if (verdict.is === 'stop') {
    forgetBaseline({ engine, build, signal }, base.tree)
    return stopBuild(engine, build, base, verdict)
  }
  const { summary, red } = verdict
  const done = { type: 'baselineDone', commit, summary, red } as const
  await record(engine, build, done)
  return null
}

/** The base of the next session; null: the next step needs no session, or its base was examined before. */
async function nextBase({ store, scope, workspaces }: EngineDeps, build: BuildId): Promise<Version | null> {
  const head = await workspaces.head(build)
  if (!(await hasPlan({ store }, build))) return head
  const [task] = await store.tasks.claimable(scope, 1)
  if (task === undefined) return null
  const attempt = await store.builds.attempt(build, task.id)
  if (attempt === null) return head
  const effect = next(attempt)
  if (effect?.do !== 'iterate' && effect?.do !== 'verify') return null
  const tree = effect.do === 'verify' ? effect.tree : attempt.tree
  if (tree === null) return head
  const commit = await workspaces.baseOf(build, task.id, tree)
  return { commit, tree: await workspaces.treeOf(commit) }
}

/** The name that people use. A build that has begun is on its own branch, wherever HEAD is by now. */
async function nameOf({ store }: EngineDeps, build: BuildId): Promise<string> {
  return (await store.builds.attempts(build)).size === 0 ? 'HEAD' : branchOf(build)
}

async function examine(taskRun: CheckContext, tree: TreeId, on: string): Promise<BaselineVerdict> {
  const { engine } = taskRun
  const setup = await setupFor(engine, tree)
  let setupMs: number | null = null
  const prepare: EngineDeps['checks']['prepare'] = async (...given) => {
    const startedAt = engine.now()
    const prepared = await engine.checks.prepare(...given)
    if (prepared.ok && setup !== null) setupMs = engine.now() - startedAt
    return prepared
  }
  const timed = { ...taskRun, engine: { ...engine, checks: { ...engine.checks, prepare } } }
  const runs = await baselineOf(timed, tree)
  const files = runs.every(isGreen) ? [] : await engine.workspaces.files(tree)
  return judgeBaseline({ on, runs, setup, setupMs, files })
}

const ANEW = "A build keeps its commit and its settings: where you changed those, 'ralph abort' comes first"

/** A single step may run in a paused build. */
async function record({ store, watcher }: EngineDeps, build: BuildId, fact: BaselineFact): Promise<void> {
  for (const state of ['running', 'paused'] as const) {
    if ((await store.builds.move(build, [state], state, fact)) === null) continue
    watcher.fact(fact)
    return
  }
}

/** Pauses the build, so that its driver, also a server, waits for a person. */
async function stopBuild(
  { store, watcher }: EngineDeps,
  build: BuildId,
  { commit }: Version,
  { error, fix }: BaselineStop,
): Promise<Stop> {
  const fact = { type: 'baselineFailed', commit, error, fix } as const
  await store.builds.move(build, ['running', 'paused'], 'paused', fact)
  watcher.fact(fact)
  const unstarted = `${error}\n${fix} (${ANEW}.)`
  return { reason: 'HumanNeeded', unstarted, detail: `No agent was started: ${unstarted}` }
}
