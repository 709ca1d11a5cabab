// Moves an idea: the core judges the move, and the store keeps it with who wanted it and why. The caller performs what
// a move starts: a terminal, a server and a library each have their own actions.
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
  /** Called before anything moves; refuses what could not be carried out. */
  readonly prepare?: (starts: Undertaking) => Promise<void>
  /** Asks the planner for a spec with its tasks; null: another part of the program does that. */
  readonly specify: ((idea: Idea) => Promise<Spec>) | null
  /** Starts a build; running it moves the idea on. */
  readonly build: (idea: Idea, why: Why) => Promise<Build>
  readonly gate: (build: Build) => Promise<readonly ShipReason[]>
  /** Passes the gate, moves the base branch, and deploys. */
  readonly ship: (build: Build) => Promise<void>
}

export interface MoveOptions {
  readonly to: PipelinePhase
  readonly reason: string
  /** Who wants it; default: the person of the context. */
  readonly by?: string
  readonly missing?: 'refused' | 'overridden'
  readonly spec?: Spec
}

export interface MovedIdea {
  readonly idea: Idea
  readonly from: PipelinePhase
  readonly starts: Undertaking | null
  /** The build that was started or continued. */
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

/** With all reasons, for callers that show them one by one. */
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

/** What each undertaking does; returns the build it is about. */
const undertake: Readonly<Record<Undertaking, (step: Step) => Promise<Build | null>>> = {
  specify: async (step) => {
    await swap(step)
    if (step.actions.specify !== null) await writeSpec(step.context, step.idea, step.actions.specify)
    return null
  },
  build: async ({ context, actions, idea, wanted }) => {
    const { spec, overridden } = wanted
    // Saved before the build starts, whose own move says who and why.
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

/**
 * Moves the idea first: its build would record its own reason, but the person's is better. A build that is over stays
 * as it is.
 */
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

/** Moves the idea if it is still in the phase that was read. */
async function swap({ context, idea, wanted }: Step): Promise<null> {
  const moved = await context.store.ideas.move(idea.id, idea.phase, wanted)
  if (moved !== null) return null
  throw refuse('IDEA_MOVED', { id: idea.id, phase: (await findIdea(context, idea.id)).phase })
}

/** A planner that gives no spec leaves the idea failed; from there it can be asked again. */
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

/** `why`: what keeps the idea in its phase; null where it has moved, or does not advance by itself. */
export interface AdvanceResult {
  readonly idea: Idea
  readonly is: 'deployed' | 'kept' | 'manual'
  readonly why: string | null
}

/** Moves a complete build through the ship gate, if its idea advances by itself. */
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
