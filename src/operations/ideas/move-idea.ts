// Moving an idea: judged by the core, then done, and kept with who wanted it and why. What a move starts is done by the
// hands of the caller: a terminal, a server and a library each have their own.
import { type Build, type BuildState, isOver } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import type { Idea, Spec, WantedMove } from '../../core/idea/idea.ts'
import { type PipelinePhase, type Prerequisite, requireMove, type Undertaking } from '../../core/idea/pipeline.ts'
import type { ShipReason } from '../../core/builds/ship-gate.ts'
import type { Why } from '../../store/store.ts'
import type { BuildContext } from '../builds/builds.ts'
import { findIdea } from './ideas.ts'
import { PLANNER } from './planning-now.ts'

export interface IdeaActions {
  /** Asked before anything is moved: refuses what could not be carried out. */
  readonly prepare?: (starts: Undertaking) => Promise<void>
  /** Asks the planner for a spec with its tasks; null: somebody else sees to it. */
  readonly specify: ((idea: Idea) => Promise<Spec>) | null
  /** Starts a build; whoever runs it moves the idea on. */
  readonly build: (idea: Idea, why: Why) => Promise<Build>
  readonly gate: (build: Build) => Promise<readonly ShipReason[]>
  /** Through the gate to the base branch, and the deploy. */
  readonly ship: (build: Build) => Promise<void>
}

export interface MoveOptions {
  readonly to: PipelinePhase
  readonly reason: string
  /** Who wants it; else who sits at the desk. */
  readonly by?: string
  readonly missing?: 'refused' | 'overridden'
  readonly spec?: Spec
}

export interface MovedIdea {
  readonly idea: Idea
  readonly from: PipelinePhase
  readonly starts: Undertaking | null
  /** The build that was started or goes on. */
  readonly build: Build | null
}

export async function moveIdea(
  context: BuildContext,
  actions: IdeaActions,
  id: string,
  options: MoveOptions,
): Promise<MovedIdea> {
  const idea = await findIdea(context, id)
  const { to, reason, by = context.person, missing = 'refused', spec } = options
  const build = await context.store.builds.newestOf(idea.id)
  const gate = to === 'deployed' && build?.state === 'complete' ? await actions.gate(build) : null
  const met = await metBy(context, { ...idea, spec: spec ?? idea.spec }, build, gate)
  if (gate !== null && gate.length > 0 && missing === 'refused' && idea.phase === 'build_review')
    throw gateRefusal(id, gate)
  const { starts, overridden } = requireMove(id, idea, { to, met, missing })
  if (starts !== null) await actions.prepare?.(starts)
  const wanted: WantedMove = { to, by, reason, overridden, ...(spec === undefined ? {} : { spec }) }
  const step = { context, actions, idea, wanted, build }
  const under = starts === null ? await swap(step) : await undertake[starts](step)
  return { idea: await findIdea(context, id), from: idea.phase, starts, build: under }
}

/** With every reason, for those who show them one by one. */
function gateRefusal(id: string, reasons: readonly ShipReason[]): Error {
  const error = refuse('IDEA_GATE', { id, reasons: reasons.map(({ what }) => what).join('; ') })
  return Object.assign(error, { reasons })
}

async function metBy(
  { store }: BuildContext,
  { spec, project }: Idea,
  build: Build | null,
  gate: readonly ShipReason[] | null,
): Promise<Prerequisite[]> {
  const attempts = build === null || isOver(build.state) ? [] : (await store.builds.attempts(build.id)).values()
  const isAsking = [...attempts].some(({ phase }) => phase.at === 'waiting')
  return [
    ...(spec === null ? [] : (['spec'] as const)),
    ...(project === null ? [] : (['project'] as const)),
    ...(isAsking ? [] : (['answers'] as const)),
    ...(build?.state === 'complete' ? (['completeBuild'] as const) : []),
    ...(gate?.length === 0 ? (['shipGate'] as const) : []),
  ]
}

interface Step {
  readonly context: BuildContext
  readonly actions: IdeaActions
  readonly idea: Idea
  readonly wanted: WantedMove
  readonly build: Build | null
}

/** What each undertaking does, and the build that it is about. */
const undertake: Readonly<Record<Undertaking, (step: Step) => Promise<Build | null>>> = {
  specify: async (step) => {
    await swap(step)
    if (step.actions.specify !== null) await writeSpec(step.context, step.idea, step.actions.specify)
    return null
  },
  build: async ({ context, actions, idea, wanted }) => {
    const { spec, overridden } = wanted
    // Said before the build: its own move tells who and why.
    const ready = spec === undefined ? idea : await context.store.ideas.change(idea.id, (one) => ({ ...one, spec }))
    const despite = overridden?.length ? ` (although ${overridden.join(', ')} was missing)` : ''
    return actions.build(ready, { by: wanted.by, reason: `${wanted.reason}${despite}` })
  },
  pauseBuild: (step) => steer(step, ['running'], 'paused', 'buildPaused'),
  resumeBuild: (step) => steer(step, ['paused'], 'running', 'buildResumed'),
  abortBuild: (step) => steer(step, ['running', 'paused', 'failed'], 'aborted', 'buildAborted'),
  ship: async ({ actions, build }) => {
    if (build !== null) await actions.ship(build)
    return build
  },
}

/** The idea first: its build says why it moves, and a person knows better. A build that is over stays as it is. */
async function steer(
  step: Step,
  from: readonly BuildState[],
  to: BuildState,
  type: 'buildPaused' | 'buildResumed' | 'buildAborted',
): Promise<Build | null> {
  await swap(step)
  const { context, build, wanted } = step
  if (build === null) return null
  return (await context.store.builds.move(build.id, from, to, { type, by: wanted.by })) ?? build
}

/** Moves it, if it is where it was looked at. */
async function swap({ context, idea, wanted }: Step): Promise<null> {
  const moved = await context.store.ideas.move(idea.id, idea.phase, wanted)
  if (moved !== null) return null
  throw refuse('IDEA_MOVED', { id: idea.id, phase: (await findIdea(context, idea.id)).phase })
}

/** A planner that gives no spec leaves the idea failed, from where it can be asked again. */
export async function writeSpec(
  context: BuildContext,
  idea: Idea,
  ask: NonNullable<IdeaActions['specify']>,
): Promise<void> {
  const by = PLANNER
  try {
    const spec = await ask(idea)
    const tasks = spec.graph?.tasks.length ?? 0
    const reason = `a spec with ${tasks === 1 ? 'one task' : `${tasks} tasks`}`
    const moved = await context.store.ideas.move(idea.id, 'specification', { to: 'spec_ready', by, reason, spec })
    if (moved === null) throw refuse('IDEA_MOVED', { id: idea.id, phase: (await findIdea(context, idea.id)).phase })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await context.store.ideas.move(idea.id, 'specification', { to: 'failed', by, reason })
    throw error
  }
}

/** `why`: what keeps it where it is; null where it is on its way, or was not to go by itself. */
export interface AdvanceResult {
  readonly idea: Idea
  readonly is: 'deployed' | 'kept' | 'manual'
  readonly why: string | null
}

/** A complete build goes on through the ship gate by itself, where its idea has it so. */
export async function advanceIdea(context: BuildContext, actions: IdeaActions, build: Build): Promise<AdvanceResult> {
  const idea = await findIdea(context, build.idea)
  if (idea.advance === 'manual' || idea.phase !== 'build_review') return { idea, is: 'manual', why: null }
  try {
    const moved = await moveIdea(context, actions, idea.id, { to: 'deployed', by: 'ralph', reason: 'auto_advance' })
    return { idea: moved.idea, is: moved.idea.phase === 'deployed' ? 'deployed' : 'kept', why: null }
  } catch (error) {
    return {
      idea: await findIdea(context, idea.id),
      is: 'kept',
      why: error instanceof Error ? error.message : String(error),
    }
  }
}
