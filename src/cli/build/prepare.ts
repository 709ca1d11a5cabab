// Which build is run, with which config: the unfinished one as it was frozen, or a new one over the open tasks.
import { openShop } from '../../compose.ts'
import type { Config } from '../../config/config.ts'
import type { Build } from '../../core/build.ts'
import type { BuildId } from '../../core/id.ts'
import { configForContinued, configForNew } from '../../operations/build-config.ts'
import { type BuildDesk, type Frozen, frozenOf, goOn, startBuild, unfinishedBuild } from '../../operations/builds.ts'
import { requireSamePlan, sourceAt } from '../../operations/plan-source.ts'
import { importProgressFile, type ProgressSource, withProgressFile } from '../../operations/progress.ts'
import { requireAgents } from '../../operations/run-build.ts'
import type { Call } from '../command.ts'
import { checkoutOf } from './desk.ts'
import { remark } from './teller.ts'
import type { BuildWish } from './wish.ts'

type Shop = Awaited<ReturnType<typeof openShop>>
type Watcher = Parameters<typeof openShop>[3]

/** What is known before anything is opened or changed. */
export interface Chosen extends Frozen {
  /** Null: a new build is to be started. */
  readonly unfinished: Build | null
  readonly remarks: readonly string[]
}

export async function choose(desk: BuildDesk, call: Call, wish: BuildWish, source: string | null): Promise<Chosen> {
  const place = { folder: checkoutOf(call), env: call.env }
  const unfinished = await unfinishedBuild(desk)
  if (unfinished === null) {
    const { config, remarks } = await configForNew(place, wish.agent)
    return { unfinished, config, source, remarks }
  }
  const frozen = await frozenOf(desk, unfinished.id)
  requireSamePlan(unfinished, frozen.source, source)
  const { config, remarks } = await configForContinued(place, frozen.config, wish.agent)
  return { unfinished, config, source: frozen.source, remarks }
}

export interface Prepared {
  readonly build: Build
  readonly shop: Shop
  readonly remarks: readonly string[]
}

/** Null: there is nothing to do. Who cannot work is found out before a new build is begun. */
export async function prepare(desk: BuildDesk, call: Call, chosen: Chosen, watcher: Watcher): Promise<Prepared | null> {
  const { unfinished, config, source } = chosen
  const shop = await openCheckedShop(call, config, watcher)
  const file = source === null ? null : sourceAt(checkoutOf(call), source)
  const taken = file === null || unfinished !== null ? [] : await importFile(desk, file)
  const build = unfinished === null ? await startBuild(desk, { config, source }) : await goOn(desk, unfinished)
  if (build === null) return null
  const { isDirty, remarks } = await shop.workspaces.startBuild(build.id)
  const dirty = isDirty
    ? ['your checkout has changes that are not committed: the build starts from HEAD, without them']
    : []
  return {
    build,
    shop: withPlan(call, shop, build.id, source),
    remarks: unfinished === null ? [...taken, ...dirty, ...remarks, ...unchecked(config)] : unchecked(config),
  }
}

/** The same shop, keeping the file that the plan came from. */
export function withPlan(call: Call, shop: Shop, build: BuildId, source: string | null): Shop {
  if (source === null) return shop
  return withProgressFile(shop, build, sourceAt(checkoutOf(call), source), (sentence) => remark(`Note: ${sentence}.`))
}

function unchecked({ checks, validators }: Config): string[] {
  if (checks.length + validators.length > 0) return []
  return ["there are no checks, so nothing can be verified and nothing will be merged; 'ralph init' looks for some"]
}

async function importFile(desk: BuildDesk, file: ProgressSource): Promise<string[]> {
  const { doneBefore } = await importProgressFile(desk, file)
  if (doneBefore.length === 0) return []
  return [`done already, and not done again although unchecked in ${file.spec}: ${doneBefore.join(', ')}`]
}

export async function openCheckedShop(call: Call, config: Config, watcher: Watcher): Promise<Shop> {
  const shop = await openShop(checkoutOf(call), call.env, config, watcher)
  await requireAgents(shop)
  return shop
}
