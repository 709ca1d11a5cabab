// What a long-lived process, a server or a library, does when an idea's move starts something.
import { refuse } from '../../core/error/error.ts'
import type { Build } from '../../core/builds/build.ts'
import type { Idea, Spec } from '../../core/idea/idea.ts'
import { configForNew } from '../builds/build-config.ts'
import { specifyIdea } from '../ideas/build-idea.ts'
import type { IdeaActions } from '../ideas/move-idea.ts'
import { requireRoles } from '../builds/run-build.ts'
import { examineShip, type Shipping } from '../ship/ship.ts'
import { shipBuild, shippingOf } from '../ship/ship-build.ts'
import { withEngine, type Workplace } from './served-repository.ts'

/** Asks the planner; `agent`: another planner than the one in ralph.toml. */
export async function specifyAt(at: Workplace, idea: Idea, agent: string | null, signal: AbortSignal): Promise<Spec> {
  const { config } = await configForNew({ folder: at.root, env: at.env }, agent, 'planner')
  const engine = await at.openEngine(config)
  try {
    await requireRoles(engine, ['planner'])
    return await specifyIdea(
      {
        engine,
        name: `plan_${at.context.unique()}`,
        signal,
        note: (sentence) => at.note(`idea ${idea.id}: ${sentence}`),
        waiting: (until, reason) => at.note(`idea ${idea.id} waits until ${new Date(until).toISOString()}: ${reason}`),
      },
      idea,
    )
  } finally {
    engine.store.close()
  }
}

export function shipActions(at: Workplace, signal: AbortSignal): Pick<IdeaActions, 'gate' | 'ship'> {
  return {
    gate: (build) => shipping(at, build, signal, async (ready) => (await examineShip(ready)).reasons),
    ship: (build) =>
      shipping(at, build, signal, async (ready) => {
        const { deployed } = await shipBuild(ready)
        if (deployed !== null && deployed.exit !== 0)
          throw refuse('DEPLOY_FAILED', { exit: deployed.exit ?? 'unknown' })
      }),
  }
}

function shipping<T>(
  at: Workplace,
  { id }: Build,
  signal: AbortSignal,
  work: (ready: Shipping) => Promise<T>,
): Promise<T> {
  const place = { folder: at.root, env: at.env, openCleanClone: at.openCleanClone }
  return withEngine(at, id, (engine) => work(shippingOf(at.context, engine, id, place, signal)))
}
