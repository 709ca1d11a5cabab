// What a build may spend. The config freezes it at the start; a later change applies to everybody who works on the
// build.
import type { Config } from '../../config/settings/config.ts'
import { type Amount, type Budget, budgetOf } from '../../core/money/budget.ts'
import type { BuildId } from '../../core/values/id.ts'
import type { Store } from '../../store/store.ts'

export interface BudgetNow {
  readonly budget: Budget
  /** What was used, and what is reserved for running sessions. */
  readonly charged: Amount
}

export async function budgetNow(
  { store }: { readonly store: Store },
  build: BuildId,
  { limits }: Pick<Config, 'limits'>,
): Promise<BudgetNow> {
  const [set, charged] = await Promise.all([store.spending.budget(build), store.spending.charged(build)])
  return { budget: set ?? budgetOf(limits), charged }
}

/** Replaces the old budget: the new one is the total of the build, not an addition. */
export async function agreeOnBudget(
  context: { readonly store: Store },
  build: BuildId,
  config: Pick<Config, 'limits'>,
  said: Partial<Budget>,
): Promise<BudgetNow> {
  const now = await budgetNow(context, build, config)
  if (Object.keys(said).length === 0) return now
  const budget = { ...now.budget, ...said }
  await context.store.spending.setBudget(build, budget)
  return { ...now, budget }
}
