// Asks a role for an answer in JSON: once, and once more with the problem. The agent may only read.
import type { Agent, Role } from '../../agents/agent.ts'
import { type Answer, bad } from '../../core/values/json-answer.ts'
import type { TreeId } from '../../core/values/id.ts'
import type { SessionFailure } from './session-budget.ts'
import { runSession } from './session.ts'
import type { SessionRequestContext } from '../deps.ts'

export type RoleAnswer<T> =
  | { readonly is: 'answer'; readonly value: T; readonly agent: Agent }
  | { readonly is: 'none'; readonly problem: string; readonly agent: Agent }
  | { readonly is: 'failed'; readonly failure: SessionFailure; readonly agent: Agent }

interface Question<T> {
  readonly role: Exclude<Role, 'implementer'>
  readonly prompt: string
  /** The content of the folder the agent works in. */
  readonly tree: TreeId
  readonly read: (message: string) => Answer<T>
}

/** `again`: the context of the second question, if it differs. */
export async function askRole<T>(
  requestContext: SessionRequestContext,
  question: Question<T>,
  again = requestContext,
): Promise<RoleAnswer<T>> {
  const first = await ask(requestContext, question)
  if (first.is !== 'none') return first
  const prompt = await requestContext.engine.prompts.fill('repair', { prompt: question.prompt, problem: first.problem })
  return ask(again, { ...question, prompt })
}

async function ask<T>(
  requestContext: SessionRequestContext,
  { role, prompt, tree, read }: Question<T>,
): Promise<RoleAnswer<T>> {
  const readOnly = await requestContext.engine.workspaces.readOnlyCheckout(tree)
  let changed: readonly string[] = []
  const { outcome, agent } = await runSession(requestContext, role, prompt, readOnly.folder).finally(async () => {
    changed = await readOnly.giveBack()
  })
  if (outcome.failure !== null) return { is: 'failed', failure: outcome.failure, agent }
  const answer = changed.length > 0 ? bad(`you changed ${changed.join(', ')}; only read`) : read(outcome.finalMessage)
  return answer.ok ? { is: 'answer', value: answer.value, agent } : { is: 'none', problem: answer.problem, agent }
}
