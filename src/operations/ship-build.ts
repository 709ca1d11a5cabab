// The whole way of a finished build, for who has nobody to ask: gate, base branch, deploy command.
import { originOf } from '../config/config.ts'
import { refuse } from '../core/error.ts'
import type { BuildId, CommitId } from '../core/id.ts'
import type { Shop } from '../engine/shop.ts'
import type { BuildDesk } from './builds.ts'
import { deploy, type Deployed } from './deploy.ts'
import { placeAt } from './plain-git.ts'
import { examineShip, type GateReport, ship, type Shipping } from './ship.ts'

export interface ShipPlace {
  /** The operator's checkout. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Nothing is let pass: who wants that says so with `ralph ship`. */
export function shippingOf(
  desk: BuildDesk,
  shop: Shop,
  build: BuildId,
  { folder, env }: ShipPlace,
  signal: AbortSignal,
): Shipping {
  const { config } = shop
  const base = originOf(config, 'ship.base') === 'default' ? desk.scope.branch : config.ship.base
  const allowed = { skipped: 'refused', unverified: 'refused' } as const
  return { desk, shop, build, base, allowed, signal, user: placeAt(folder, env) }
}

export interface Shipped {
  readonly gate: GateReport
  readonly commit: CommitId
  /** Null: there is nothing to be run. */
  readonly deployed: Deployed | null
}

export async function shipBuild(shipping: Shipping): Promise<Shipped> {
  const gate = await examineShip(shipping)
  if (gate.reasons.length > 0)
    throw refuse('SHIP_GATE', { build: gate.build, reasons: gate.reasons.map(({ what }) => what).join('; ') })
  const commit = await ship(shipping, gate)
  const { desk, build, shop, user, signal } = shipping
  const command = shop.config.ship.deploy ?? ''
  const deployed = command === '' ? null : await deploy(desk, build, { command, commit }, user, signal)
  return { gate, commit, deployed }
}
