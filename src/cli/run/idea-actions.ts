// What a terminal does where an idea's move starts something.
import { openCleanClone, openEngine } from '../../compose.ts'
import type { AgentName } from '../../config/settings/config.ts'
import type { Build } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import { configForNew } from '../../operations/builds/build-config.ts'
import { buildIdea, isPlannedIdea, requireBuildable, specifyIdea } from '../../operations/ideas/build-idea.ts'
import { type BuildContext, frozenOf } from '../../operations/builds/builds.ts'
import type { IdeaActions } from '../../operations/ideas/move-idea.ts'
import { requireReadyEngine } from '../../operations/serve/serve-builds.ts'
import { examineShip } from '../../operations/ship/ship.ts'
import { shipBuild, shippingOf } from '../../operations/ship/ship-build.ts'
import { checkoutOf } from './build-context.ts'
import { onInterrupt } from './interrupt.ts'
import { runPlace } from './prepare.ts'
import { note } from './reporter.ts'
import type { Call } from '../command.ts'

const NOBODY = { fact: () => {}, agent: () => {} }

export function terminalIdeaActions(
  context: BuildContext,
  call: Call,
  agent: AgentName | null,
  spec: 'planned' | 'by-hand',
): IdeaActions {
  return {
    specify:
      spec === 'by-hand'
        ? null
        : async (idea) => {
            const { withPlanner } = await import('./planner.ts')
            return withPlanner(call, agent, `idea ${idea.id}`, (planner) => specifyIdea(planner, idea))
          },
    build: async (idea, why) => {
      await requireBuildable(context, idea)
      const { config, notes } = await configForNew({ folder: checkoutOf(call), env: call.env }, agent)
      // Who cannot work is found out before the build is begun.
      const unable = await requireReadyEngine(runPlace(context, call), config, isPlannedIdea(idea))
      for (const sentence of [...unable, ...notes]) note(`Note: ${sentence}.`)
      return buildIdea(context, idea, config, why)
    },
    gate: (build) => shipping(context, call, build, async (at) => (await examineShip(at)).reasons),
    ship: (build) =>
      shipping(context, call, build, async (at) => {
        const { commit, deployed } = await shipBuild(at)
        note(`Build ${build.id} is shipped; ${at.base} is at ${commit.slice(0, 10)}.`)
        if (deployed !== null && deployed.exit !== 0)
          throw refuse('DEPLOY_FAILED', { exit: deployed.exit ?? 'unknown' })
      }),
  }
}

async function shipping<T>(
  context: BuildContext,
  call: Call,
  { id }: Build,
  work: (at: ReturnType<typeof shippingOf>) => Promise<T>,
): Promise<T> {
  const frozen = await frozenOf(context, id)
  const folder = checkoutOf(call)
  const engine = await openEngine(folder, call.env, frozen.config, NOBODY, frozen)
  const openRoom = (copy: readonly string[]) => openCleanClone(folder, call.env, copy)
  const place = { folder, env: call.env, openCleanClone: openRoom, note }
  const over = new AbortController()
  const quiet = onInterrupt({ stop: () => over.abort(new Error('stopped')), kill: () => process.exit(130) })
  try {
    return await work(shippingOf(context, engine, id, place, over.signal))
  } finally {
    quiet()
    engine.store.close()
  }
}
