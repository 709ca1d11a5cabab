// Ships a finished build without asking anybody: gate, base branch, deploy command.
import { originOf } from '../../config/settings/config.ts'
import { refuse } from '../../core/error/error.ts'
import type { BuildId, CommitId } from '../../core/values/id.ts'
import type { ShipReason } from '../../core/builds/ship-gate.ts'
import type { EngineDeps } from '../../engine/deps.ts'
import type { BuildContext } from '../builds/builds.ts'
import { deploy, type DeployResult } from './deploy.ts'
import { placeAt } from '../builds/plain-git.ts'
import { examineShip, type GateReport, recordShipped, ship, type Shipping } from './ship.ts'
import { proveShip } from './ship-proof.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface ShipPlace extends Pick<Shipping, 'openCleanClone' | 'note'> {
  /** The operator's checkout. */
  readonly folder: string
  readonly env: Environment
}

/** Allows no exceptions; those need `ralph ship`. */
export function shippingOf(
  context: BuildContext,
  engine: EngineDeps,
  build: BuildId,
  { folder, env, openCleanClone, note }: ShipPlace,
  signal: AbortSignal,
): Shipping {
  const { config } = engine
  const base = originOf(config, 'ship.base') === 'default' ? context.scope.branch : config.ship.base
  const allowed = { skipped: 'refused', unverified: 'refused' } as const
  const user = placeAt(folder, env)
  return {
    context,
    engine,
    build,
    base,
    allowed,
    signal,
    user,
    openCleanClone,
    ...(note === undefined ? {} : { note }),
  }
}

export interface ShipResult {
  readonly gate: GateReport
  readonly commit: CommitId
  /** Null: there is nothing to run. */
  readonly deployed: DeployResult | null
}

export async function shipBuild(shipping: Shipping): Promise<ShipResult> {
  const gate = await examineShip(shipping)
  requireNone(gate.build, gate.reasons)
  const commit = gate.isShipped ? await recordShipped(shipping, gate) : await shipProved(shipping, gate)
  const { context, build, engine, user, signal } = shipping
  const command = engine.config.ship.deploy ?? ''
  const deployed = command === '' ? null : await deploy(context, build, { command, commit }, user, signal)
  return { gate, commit, deployed }
}

async function shipProved(shipping: Shipping, gate: GateReport): Promise<CommitId> {
  const proof = await proveShip(shipping, gate)
  requireNone(gate.build, proof.reasons)
  return ship(shipping, gate, proof)
}

/** With all reasons, for callers that show them one by one. */
function requireNone(build: BuildId, reasons: readonly ShipReason[]): void {
  if (reasons.length === 0) return
  const error = refuse('SHIP_GATE', { build, reasons: reasons.map(({ what }) => what).join('; ') })
  throw Object.assign(error, { reasons })
}
