// A role's answer in JSON: asked once, and once more with what was wrong; then there is none. Who answers may only read.
import type { Role } from '../agents/agent.ts'
import { type Answer, bad } from '../core/answer.ts'
import type { TreeId } from '../core/id.ts'
import type { SessionFailure } from './purse.ts'
import { runSession } from './session.ts'
import type { Job } from './shop.ts'

export type RoleAnswer<T> =
  | { readonly is: 'answer'; readonly value: T }
  | { readonly is: 'none'; readonly problem: string }
  | { readonly is: 'failed'; readonly failure: SessionFailure }

interface Question<T> {
  readonly role: Exclude<Role, 'implementer'>
  readonly prompt: string
  /** What lies in the folder it works in. */
  readonly tree: TreeId
  readonly read: (message: string) => Answer<T>
}

export async function askRole<T>(job: Job, question: Question<T>): Promise<RoleAnswer<T>> {
  const first = await ask(job, question)
  if (first.is !== 'none') return first
  const prompt = await job.shop.prompts.fill('repair', { prompt: question.prompt, problem: first.problem })
  return ask(job, { ...question, prompt })
}

async function ask<T>(job: Job, { role, prompt, tree, read }: Question<T>): Promise<RoleAnswer<T>> {
  const loan = await job.shop.workspaces.lend(tree)
  let changed: readonly string[] = []
  const { outcome } = await runSession(job, role, prompt, loan.folder).finally(async () => {
    changed = await loan.giveBack()
  })
  if (outcome.failure !== null) return { is: 'failed', failure: outcome.failure }
  const answer = changed.length > 0 ? bad(`you changed ${changed.join(', ')}; only read`) : read(outcome.finalMessage)
  return answer.ok ? { is: 'answer', value: answer.value } : { is: 'none', problem: answer.problem }
}
