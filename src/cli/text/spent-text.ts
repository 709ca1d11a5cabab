// The usage of a build as text. An unknown price is left out, never shown as zero.
import { formatBudget, isLimited } from '../../core/money/budget.ts'
import { formatTokens, formatUsd, type SpentTogether, tokensOf } from '../../core/money/spending.ts'
import type { BuildReport, Spent } from '../../operations/read/build-report.ts'
import { clock, count } from './sanitize.ts'

export function spentText(spent: Spent, iterationsMax: number): string {
  const others = spent.sessions - spent.iterations
  const parts = [
    `${spent.iterations} of ${count(iterationsMax, 'iteration')}`,
    ...(others > 0 ? [`${others} other ${others === 1 ? 'session' : 'sessions'}`] : []),
    `${clock(spent.agentMs)} of agents at work`,
    ...(spent.interventions === 0 ? [] : [`${count(spent.interventions, 'intervention')} of SIA`]),
    ...(tokensOf(spent) === 0 ? [] : [`${formatTokens(spent.inputTokens)} in`, outText(spent)]),
    ...(spent.costUsd === null ? [] : [costText(spent)]),
  ]
  return parts.join(', ')
}

function outText({ outputTokens }: SpentTogether): string {
  return `${outputTokens.toLocaleString('en-US')} out`
}

/** `$0.50`, or `at least $0.50 (2 sessions named no price)`; '' where no agent named one. */
export function costText({ costUsd, unpriced }: SpentTogether): string {
  if (costUsd === null) return ''
  if (unpriced === 0) return formatUsd(costUsd)
  return `at least ${formatUsd(costUsd)} (${count(unpriced, 'session')} named no price)`
}

/** For a cell of a table: the price where one is known, else the tokens. */
export function shortCost(spent: SpentTogether | undefined): string {
  if (spent === undefined) return ''
  if (spent.costUsd !== null) return `${spent.unpriced === 0 ? '' : '≥ '}${formatUsd(spent.costUsd)}`
  return tokensOf(spent) === 0 ? '' : formatTokens(tokensOf(spent))
}

/** Null where there is no budget. */
export function budgetText({ budget, spent }: Pick<BuildReport, 'budget' | 'spent'>): string | null {
  const { budget: total, charged } = budget
  if (!isLimited(total)) return null
  const used = {
    usd: total.usd === null ? null : charged.usd,
    tokens: total.tokens === null ? null : charged.tokens,
  }
  const guessed = total.usd !== null && spent.unpriced > 0 ? `; ${UNPRICED}` : ''
  return `Budget: ${formatBudget(used)} of ${formatBudget(total)} used${guessed}`
}

const UNPRICED = 'a session that named no price counts with its tokens at the known price, or with what was set aside'

/** Without the parts that are shown elsewhere. */
export function spentJson({ byTask: _, ...spent }: Spent): Record<string, unknown> {
  return spent
}
