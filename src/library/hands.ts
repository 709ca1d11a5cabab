// What a program does where an idea's move starts something.
import { openShop } from '../compose.ts'
import type { Build } from '../core/build.ts'
import { refuse } from '../core/error.ts'
import { configForNew } from '../operations/build-config.ts'
import { specifyIdea } from '../operations/build-idea.ts'
import { findBuild, frozenOf } from '../operations/builds.ts'
import type { IdeaHands } from '../operations/move-idea.ts'
import { requireRoles } from '../operations/run-build.ts'
import { examineShip } from '../operations/ship.ts'
import { shipBuild, shippingOf } from '../operations/ship-build.ts'
import type { BuildSession } from '../operations/build-session.ts'
import type { OpenPlace } from './place.ts'

/** Who starts builds. */
export interface Starter {
  because(ideaId: string, why: { readonly by: string; readonly reason: string }): void
  startBuild(ideaId: string): Promise<BuildSession>
}

const NOBODY = { fact: () => {}, agent: () => {} }

export function libraryHands(place: OpenPlace, starter: Starter): IdeaHands {
  const { desk } = place
  return {
    specify: async (idea) => {
      const { config } = await configForNew(place, null, 'planner')
      const shop = await openShop(place.folder, place.env, config, NOBODY)
      try {
        await requireRoles(shop, ['planner'])
        const signal = new AbortController().signal
        const call = { shop, name: `plan_${desk.unique()}`, signal, told: () => {}, waiting: () => {} }
        return await specifyIdea(call, idea)
      } finally {
        shop.store.close()
      }
    },
    build: async ({ id }, why) => {
      starter.because(id, why)
      const session = await starter.startBuild(id)
      return findBuild(desk, session.id)
    },
    gate: (build) => shipping(place, build, async (at) => (await examineShip(at)).reasons),
    ship: (build) =>
      shipping(place, build, async (at) => {
        const { deployed } = await shipBuild(at)
        if (deployed !== null && deployed.exit !== 0)
          throw refuse('DEPLOY_FAILED', { exit: deployed.exit ?? 'unknown' })
      }),
  }
}

async function shipping<T>(
  { desk, folder, env }: OpenPlace,
  { id }: Build,
  work: (at: ReturnType<typeof shippingOf>) => Promise<T>,
): Promise<T> {
  const frozen = await frozenOf(desk, id)
  const shop = await openShop(folder, env, frozen.config, NOBODY, frozen)
  try {
    return await work(shippingOf(desk, shop, id, { folder, env }, new AbortController().signal))
  } finally {
    shop.store.close()
  }
}
