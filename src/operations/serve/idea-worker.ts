// What a server does for ideas in the background: it asks the planner, hands builds to its loops, and takes complete
// builds through the ship gate. After a stop or a kill, the next start resumes this work.
import { AGENT_NAMES } from '../../config/settings/config.ts'
import { type Build, isOver } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import type { BuildId } from '../../core/values/id.ts'
import type { Idea } from '../../core/idea/idea.ts'
import type { Undertaking } from '../../core/idea/pipeline.ts'
import type { Mutex } from '../../engine/mutex.ts'
import type { Why } from '../../store/store.ts'
import { configForNew } from '../builds/build-config.ts'
import { type BuildContext, findBuild } from '../builds/builds.ts'
import { openPlanners } from './idea-planners.ts'
import { listIdeas } from '../ideas/ideas.ts'
import type { DriveOptions } from './begin-run.ts'
import type { Loops } from './loops.ts'
import { advanceIdea, type IdeaActions, type MovedIdea, moveIdea, type MoveOptions } from '../ideas/move-idea.ts'
import { PLANNER } from '../ideas/planning-now.ts'
import { requireRoles } from '../builds/run-build.ts'
import { type IdeaRun, ideaRun, startIdeaBuild } from './serve-builds.ts'
import type { ServedRepository } from './served-repository.ts'
import { shipActions } from './idea-actions.ts'

/** `by-hand`: somebody else writes the spec, and `step` drives the build. */
export interface ServedMove extends MoveOptions {
  readonly agent: string | null
  readonly run: 'here' | 'by-hand'
  readonly how?: DriveOptions
}

export interface IdeaWork {
  /** Answers when the idea has moved; planning and building continue after that. */
  readonly move: (id: string, options: ServedMove) => Promise<MovedIdea>
  /** Starts its build, without a reason of its own for the move. */
  readonly build: (idea: Idea, how: DriveOptions) => Promise<Build>
  /** Takes the build through the ship gate, if its idea advances by itself. */
  readonly advance: (build: BuildId) => Promise<void>
  readonly resumeAfterRestart: () => Promise<void>
  /** Resolves when everything has been given back. */
  readonly stop: () => Promise<void>
}

/** `alone`: one start or ship at a time, since two at the same moment would both find that nothing is under way. */
export function openIdeaWork(
  servedRepo: ServedRepository,
  loops: Loops,
  alone: Mutex,
  stopping: AbortSignal,
): IdeaWork {
  const { context } = servedRepo
  const planners = openPlanners(servedRepo, stopping)
  const underWay = new Set<Promise<void>>()

  const advance = async (id: BuildId): Promise<void> => {
    const build = await findBuild(context, id)
    if (build.state !== 'complete' || stopping.aborted) return
    const actions = actionsOf(servedRepo, loops, { agent: null, run: 'by-hand' }, stopping)
    const { idea, is, why } = await alone(() => advanceIdea(context, actions, build))
    if (is !== 'manual') servedRepo.note(`idea ${idea.id} is in ${idea.phase}${why === null ? '' : `: ${why}`}`)
  }
  const track = (work: Promise<void>): Promise<void> => {
    const whole = work
      .catch((error: unknown) => servedRepo.note(error instanceof Error ? error.message : String(error)))
      .finally(() => underWay.delete(whole))
    underWay.add(whole)
    return whole
  }
  const move: IdeaWork['move'] = async (id, options) => {
    if (options.agent !== null) requireAgentName(options.agent)
    const actions = actionsOf(servedRepo, loops, options, stopping)
    const work = () => moveIdea(context, actions, id, options)
    const moved = await (options.to === 'building' || options.to === 'deployed' ? alone(work) : work())
    if (options.run === 'by-hand') return moved
    if (moved.starts === 'specify') await planners.begin(moved.idea, options.agent)
    if (moved.starts === 'resumeBuild' && moved.build !== null) await goOnHere(loops, moved.build)
    return moved
  }
  return {
    move,
    build: async ({ id }, how) => {
      const { build } = await move(id, { to: 'building', reason: 'asked for', agent: null, run: 'here', how })
      if (build === null) throw refuse('NOTHING_TO_BUILD')
      return build
    },
    advance: (build) => track(advance(build)),
    resumeAfterRestart: async () => {
      for (const { idea, was } of await interruptedWork(context)) {
        if (was === 'planning') await planners.begin(idea, null)
        else
          void track(
            context.store.builds.newestOf(idea.id).then((build) => (build === null ? undefined : advance(build.id))),
          )
      }
    },
    stop: async () => {
      await planners.ended()
      await Promise.all(underWay)
    },
  }
}

function requireAgentName(agent: string): void {
  if (AGENT_NAMES.some((name) => name === agent)) return
  throw refuse('INPUT_BAD', { problem: `body.agent: must be one of ${AGENT_NAMES.join(', ')}` })
}

function actionsOf(
  servedRepo: ServedRepository,
  loops: Loops,
  { agent, run, how = {} }: Pick<ServedMove, 'agent' | 'run' | 'how'>,
  stopping: AbortSignal,
): IdeaActions {
  const { root, env } = servedRepo
  return {
    prepare: async (starts: Undertaking) => {
      if (starts !== 'specify' || run === 'by-hand') return
      const { config } = await configForNew({ folder: root, env }, agent, 'planner')
      const engine = await servedRepo.openEngine(config)
      await requireRoles(engine, ['planner']).finally(() => engine.store.close())
    },
    // Asked for after the idea has moved, so that nobody has to wait for it.
    specify: null,
    build: async (idea: Idea, why: Why) => {
      if (run === 'by-hand') return startIdeaBuild(servedRepo, idea, agent, why, loops.ended)
      return driveIdea(loops, await ideaRun(servedRepo, idea, agent, why), { ...how, by: why.by })
    },
    ...shipActions(servedRepo, stopping),
  }
}

async function driveIdea(loops: Loops, run: IdeaRun, how: DriveOptions): Promise<Build> {
  const build = await (run.in === 'new build' ? loops.start(run.first, how) : loops.drive(run.build, how))
  if (build === null) throw refuse('NOTHING_TO_BUILD')
  return build
}

async function goOnHere(loops: Loops, build: Build): Promise<void> {
  if (!isOver(build.state) && !loops.keeps(build.id)) await loops.drive(build)
}

interface InterruptedWork {
  readonly idea: Idea
  readonly was: 'planning' | 'advancing'
}

/** What an earlier server was doing or would have continued. */
async function interruptedWork(context: BuildContext): Promise<InterruptedWork[]> {
  const found: InterruptedWork[] = []
  for (let after: string | null | undefined; after !== null;) {
    const query = { phases: ['specification', 'build_review'] as const, limit: 100 }
    const page = await listIdeas(context, after === undefined ? query : { ...query, after })
    for (const idea of page.ideas) {
      const [last] = await context.store.ideas.moves(idea.id, 1)
      if (last?.by === PLANNER && last.to === 'specification') found.push({ idea, was: 'planning' })
      // An idea that came back from a failed deploy waits for a person.
      if (idea.advance === 'auto' && last?.to === 'build_review' && last.from === 'building')
        found.push({ idea, was: 'advancing' })
    }
    after = page.next
  }
  return found
}
