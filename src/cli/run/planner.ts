// Asks the planner, without a build.
import { killEverything, openEngine } from '../../compose.ts'
import type { AgentName } from '../../config/settings/config.ts'
import { DONE_REASONS } from '../../core/builds/done-reason.ts'
import { type Seed, seedName } from '../../core/plan/seed.ts'
import { configForNew } from '../../operations/builds/build-config.ts'
import { type DraftRule, draftOfGraph, makePlan, type PlannerCall } from '../../operations/plans/make-plan.ts'
import { requireRoles } from '../../operations/builds/run-build.ts'
import { checkoutOf, uniquePart } from './build-context.ts'
import { onInterrupt } from './interrupt.ts'
import { firstLine, timeOfDay } from '../text/sanitize.ts'
import { note } from './reporter.ts'
import type { Call } from '../command.ts'

export async function plannedRule(
  call: Call,
  agent: AgentName | null,
  seed: Seed,
  spec: string | undefined,
): Promise<DraftRule> {
  const graph = await withPlanner(call, agent, seedName(seed), (planner) => makePlan(planner, seed))
  return draftOfGraph(graph, seed, spec)
}

/** `what` is planned; Ctrl+C asks the planner to stop, twice ends it. */
export async function withPlanner<T>(
  call: Call,
  agent: AgentName | null,
  what: string,
  work: (planner: PlannerCall) => Promise<T>,
): Promise<T> {
  const place = { folder: checkoutOf(call), env: call.env }
  const { config } = await configForNew(place, agent, 'planner')
  const engine = await openEngine(place.folder, call.env, config, { fact: () => {}, agent: () => {} })
  for (const sentence of await requireRoles(engine, ['planner'])) note(`Note: ${sentence}.`)
  const over = new AbortController()
  const quiet = onInterrupt({
    stop: () => {
      note('Stopping: the planner is asked to stop. Ctrl+C again kills it.')
      over.abort(new Error('stopped'))
    },
    kill: () => void killEverything().finally(() => process.exit(DONE_REASONS.UserCancelled.exit)),
  })
  try {
    note(`${engine.agents.planner.name} plans ${what} …`)
    return await work({
      engine,
      name: `plan_${uniquePart(Date.now())}`,
      signal: over.signal,
      note: (sentence) => note(`Note: ${sentence}.`),
      waiting: (until, reason) => note(`Waiting until ${timeOfDay(until)}: ${firstLine(reason)}`),
    })
  } finally {
    quiet()
  }
}
