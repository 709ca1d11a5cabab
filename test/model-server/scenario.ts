// A scenario chooses its answer by the request alone, not by its earlier answers: a request that is sent again, by
// another process or after a crash, gets the same answer.
import { type Ask, toldTo, turnsSoFar } from './ask.ts'
import { refuse, type Turn } from './turn.ts'

export type Scenario = (ask: Ask) => Turn

/** One turn after the other, by how often the model has spoken in the conversation; a line may look at the request. */
export function inOrder(...lines: readonly (Turn | Scenario)[]): Scenario {
  return (ask) => {
    const line = lines[turnsSoFar(ask)] ?? unscripted(ask)
    return typeof line === 'function' ? line(ask) : line
  }
}

export interface Rule {
  readonly when: (ask: Ask) => boolean
  readonly play: Scenario
}

/** The first rule that fits plays. */
export function byContent(...rules: readonly Rule[]): Scenario {
  return (ask) => (rules.find(({ when }) => when(ask))?.play ?? unscripted)(ask)
}

/** The prompt, or a later message, holds these words. */
export function told(words: string): (ask: Ask) => boolean {
  return (ask) => toldTo(ask).includes(words)
}

/** The first requests that get here are answered otherwise: the one thing a scenario remembers. */
export function atFirst(turn: Turn, then: Scenario, times = 1): Scenario {
  let left = times
  return (ask) => {
    if (left === 0) return then(ask)
    left -= 1
    return turn
  }
}

function unscripted(ask: Ask): Turn {
  const asked = toldTo(ask).slice(0, 200)
  return refuse('unscripted', {
    words: `the scenario has no turn ${turnsSoFar(ask) + 1} for ${JSON.stringify(asked)}; add one`,
  })
}
