// `ralph build --dry-run`: prints what would be done, and changes nothing.
import { openCast } from '../../compose.ts'
import { budgetOf } from '../../core/budget.ts'
import { budgetNow } from '../../operations/budget.ts'
import { configForContinued, configForNew } from '../../operations/build-config.ts'
import { frozenOf, unfinishedBuild } from '../../operations/builds.ts'
import { type DryRun, planAhead, rehearse } from '../../operations/dry-run.ts'
import { requireSamePlan, sourceAt } from '../../operations/plan-source.ts'
import type { Call } from '../command.ts'
import { print, printJson } from '../output.ts'
import { checkoutOf, hasStore, openBuildDesk } from './desk.ts'
import { dryText } from './dry-text.ts'
import { remark } from './teller.ts'
import type { BuildWish } from './wish.ts'

export async function dryRun(call: Call, wish: BuildWish, source: string | null): Promise<void> {
  remark('Dry run: nothing is started and nothing is changed.')
  const place = { folder: checkoutOf(call), env: call.env }
  const desk = hasStore(call) ? await openBuildDesk(call) : null
  const build = desk === null ? null : await unfinishedBuild(desk)
  const frozen = desk === null || build === null ? null : await frozenOf(desk, build.id)
  if (build !== null && frozen !== null) requireSamePlan(build, frozen.source, source)
  const { config, remarks } =
    frozen === null ? await configForNew(place, wish.agent) : await configForContinued(place, frozen.config, wish.agent)
  for (const sentence of remarks) remark(`Note: ${sentence}.`)
  const from = frozen?.source ?? source
  const now = Date.now()
  const plan = await planAhead(desk, build, from === null ? null : sourceAt(place.folder, from), now)
  const cast = await openCast(place.folder, call.env, config)
  const found = await rehearse(cast, build, plan, place.folder, now)
  const frozenBudget = desk === null || build === null ? null : (await budgetNow(desk, build.id, config)).budget
  const budget = { ...(frozenBudget ?? budgetOf(config.limits)), ...wish.budget }
  if (call.wantsJson) printJson({ ...json(found, wish, from), budget })
  else print(dryText(found, wish, from, budget))
}

function json({ config, ...found }: DryRun, wish: BuildWish, source: string | null): Record<string, unknown> {
  const { checks, validators, limits, workspace, review } = config
  return { ...found, source, checks, validators, limits, setup: workspace.setup, review, run: wish }
}
