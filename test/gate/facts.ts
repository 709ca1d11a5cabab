// What a build's log and a commit's evidence say, as far as the bench reads it.
import { type Place, runWords } from './commands.ts'

export interface Fact {
  readonly type: string
  readonly reason?: string
  readonly commit?: string
  readonly verdict?: { readonly is: string; readonly error?: string }
  /** Where this version of Ralph says it with the verdict. */
  readonly strength?: unknown
}

export interface ProbeCost {
  readonly probes: number
  readonly probesMs: number
  readonly budgetMs: number
  /** One run of all checks. */
  readonly checksMs: number
}

interface Evidence {
  readonly checks?: readonly { readonly durationMs?: number }[]
  readonly probes?: { readonly breaks: readonly unknown[]; readonly spentMs: number; readonly budgetMs: number }
}

/** Null where nothing was merged, or the evidence says nothing about probes. */
export async function costOf(facts: readonly Fact[], place: Place): Promise<ProbeCost | null> {
  const commit = facts.findLast(({ type }) => type === 'merged')?.commit
  if (commit === undefined) return null
  const { code, stdout } = await runWords(['git', 'notes', '--ref', 'ralph', 'show', commit], place)
  if (code !== 0) return null
  const { evidence } = JSON.parse(stdout) as { evidence: Evidence | null }
  const { probes, checks = [] } = evidence ?? {}
  if (probes === undefined) return null
  const checksMs = checks.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0)
  return { probes: probes.breaks.length, probesMs: probes.spentMs, budgetMs: probes.budgetMs, checksMs }
}
