// How long a build has waited for its agents, from its facts. Loops that wait at the same time count once.
import type { RecordedFact } from '../fact/fact.ts'
import { taskOf } from '../fact/fact.ts'
import type { Instant, TaskId } from '../values/id.ts'

export interface WaitedTime {
  readonly agent: string
  readonly times: number
  readonly ms: number
  /** The reason of the last wait. */
  readonly reason: string
}

interface Stretch {
  readonly agent: string
  readonly reason: string
  readonly from: Instant
  readonly to: Instant
}

/** The longest first. `now` ends a wait that still lasts. */
export function waitedIn(facts: readonly RecordedFact[], now: Instant): WaitedTime[] {
  const byAgent = Map.groupBy(stretches(facts, now), ({ agent }) => agent)
  return [...byAgent]
    .map(([agent, own]) => ({ agent, ...unite(own), reason: own.at(-1)?.reason ?? '' }))
    .toSorted((one, other) => other.ms - one.ms)
}

/**
 * A wait ends with the next fact of its task. A loop that was killed recorded no end: its wait lasts no longer than the
 * limit.
 */
function stretches(facts: readonly RecordedFact[], now: Instant): Stretch[] {
  const open = new Map<TaskId | null, { readonly at: Instant; readonly fact: Waiting }>()
  const found: Stretch[] = []
  const close = (task: TaskId | null, end: Instant): void => {
    const begun = open.get(task)
    open.delete(task)
    if (begun === undefined) return
    const { agent, reason, until } = begun.fact
    found.push({ agent, reason, from: begun.at, to: Math.max(begun.at, Math.min(end, until)) })
  }
  for (const { fact, at } of facts) {
    // A fact about the build as a whole ends a wait that belongs to no task.
    const task = taskOf(fact)
    close(task, at)
    if (fact.type === 'waiting' || fact.type === 'planningLimited' || fact.type === 'agentLimited')
      open.set(task, { at, fact })
  }
  for (const task of [...open.keys()]) close(task, now)
  return found
}

type Waiting = Extract<RecordedFact['fact'], { type: 'waiting' | 'planningLimited' | 'agentLimited' }>

function unite(own: readonly Stretch[]): Pick<WaitedTime, 'times' | 'ms'> {
  let [times, ms, end] = [0, 0, -Infinity]
  for (const { from, to } of own.toSorted((one, other) => one.from - other.from)) {
    if (from > end) times += 1
    ms += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return { times, ms }
}
