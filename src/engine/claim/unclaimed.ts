// A session that ended without a task: a limit is waited out, what only the operator can mend ends the loop.
import { burdenOf } from '../session/failure-policy.ts'
import { sleepUntil } from '../perform/wait.ts'
import type { SessionEnd } from '../session/session.ts'
import type { Loop } from '../deps.ts'
import type { Stop, StopSwitch } from '../stop.ts'

export type Unclaimed =
  | { readonly is: 'stopped'; readonly stop: Stop }
  /** It could not have done anything: the next one may. */
  | { readonly is: 'waited' }
  | { readonly is: 'idle' }

/** `waits`: how often in a row the agent was waited for before. */
export async function afterUnclaimed(
  loop: Loop,
  { agent, outcome: { failure } }: Pick<SessionEnd, 'agent' | 'outcome'>,
  { stops, waits }: { readonly stops: StopSwitch; readonly waits: number },
): Promise<Unclaimed> {
  const asked = stops.asked()
  if (asked !== null) return { is: 'stopped', stop: asked }
  if (failure === null) return { is: 'idle' }
  const { engine } = loop
  const burden = burdenOf(engine, failure, agent, waits)
  switch (burden.is) {
    case 'limit':
      stops.uncount()
      await tellLimit(loop, agent.name, burden.until, failure.sentence)
      return waited(loop, stops, burden.until)
    case 'operator':
      return stopAll(stops, { reason: 'Failed', detail: burden.sentence })
    case 'budget':
      return stopAll(stops, { reason: 'BudgetExhausted', detail: burden.sentence })
    case 'stopped':
    case 'own':
      return { is: 'idle' }
  }
}

async function waited({ engine }: Loop, stops: StopSwitch, until: number): Promise<Unclaimed> {
  const late = stops.atWait(until)
  if (late !== null) return stopAll(stops, late)
  await sleepUntil(until, engine.now, stops.asking)
  return { is: 'waited' }
}

/** What stops this loop would stop every other of this process as well, only later. */
function stopAll(stops: StopSwitch, stop: Stop): Unclaimed {
  stops.ask(stop)
  return { is: 'stopped', stop }
}

async function tellLimit({ engine, build }: Loop, agent: string, until: number, reason: string): Promise<void> {
  await engine.store.builds.move(build, ['running'], 'running', { type: 'agentLimited', agent, until, reason })
}
