// What to do after a session that ended without a task: the loop waits for a limit to pass, and ends where only the
// operator can help.
import { causeOf } from '../session/failure-policy.ts'
import { sleepUntil } from '../effects/wait.ts'
import type { SessionEnd } from '../session/session.ts'
import type { Loop } from '../deps.ts'
import type { Stop, StopSwitch } from '../stop.ts'

export type UnclaimedEnd =
  | { readonly is: 'stopped'; readonly stop: Stop }
  /** The session could not have done anything; the next one may. */
  | { readonly is: 'waited' }
  | { readonly is: 'idle' }

/** `waits`: how often in a row the loop has waited for the agent. */
export async function afterUnclaimed(
  loop: Loop,
  { agent, outcome: { failure } }: Pick<SessionEnd, 'agent' | 'outcome'>,
  { stops, waits }: { readonly stops: StopSwitch; readonly waits: number },
): Promise<UnclaimedEnd> {
  const asked = stops.asked()
  if (asked !== null) return { is: 'stopped', stop: asked }
  if (failure === null) return { is: 'idle' }
  const { engine } = loop
  const cause = causeOf(engine, failure, agent, waits)
  switch (cause.is) {
    case 'limit':
      stops.uncount()
      await tellLimit(loop, agent.name, cause.until, failure.sentence)
      return waitFor(loop, stops, cause.until)
    case 'operator':
      return stopAll(stops, { reason: 'Failed', detail: cause.sentence })
    case 'budget':
      return stopAll(stops, { reason: 'BudgetExhausted', detail: cause.sentence })
    case 'stopped':
    case 'own':
      return { is: 'idle' }
  }
}

async function waitFor({ engine }: Loop, stops: StopSwitch, until: number): Promise<UnclaimedEnd> {
  const late = stops.atWait(until)
  if (late !== null) return stopAll(stops, late)
  await sleepUntil(until, engine.now, stops.asking)
  return { is: 'waited' }
}

/** What stops this loop would also stop every other loop of this process, only later. */
function stopAll(stops: StopSwitch, stop: Stop): UnclaimedEnd {
  stops.ask(stop)
  return { is: 'stopped', stop }
}

async function tellLimit({ engine, build }: Loop, agent: string, until: number, reason: string): Promise<void> {
  await engine.store.builds.move(build, ['running'], 'running', { type: 'agentLimited', agent, until, reason })
}
