// Why and how urgently a run ends. The first reason stays; the urgency may grow.
import type { Reason } from './ended.ts'

export interface Ending {
  request(reason: Reason): void
  /** No grace: kill. */
  hurry(): void
  /** The child has reported its result: from now on it ends because it lingers. */
  resultSeen(): void
  reason(): Reason | null
  isUrgent(): boolean
  readonly requested: Promise<void>
  readonly hurried: Promise<void>
}

export function startEnding(): Ending {
  let first: Reason | null = null
  let isResultSeen = false
  const requested = startFlag()
  const hurried = startFlag()
  const request = (reason: Reason): void => {
    const isLate = isResultSeen && (reason === 'deadline' || reason === 'idle')
    first ??= isLate ? 'lingered' : reason
    requested.raise()
  }
  return {
    request,
    hurry: () => {
      request('aborted')
      hurried.raise()
    },
    resultSeen: () => {
      isResultSeen = true
    },
    reason: () => first,
    isUrgent: hurried.isRaised,
    requested: requested.raised,
    hurried: hurried.raised,
  }
}

interface Flag {
  readonly raised: Promise<void>
  isRaised(): boolean
  raise(): void
}

function startFlag(): Flag {
  let isRaised = false
  let resolve = (): void => {}
  const raised = new Promise<void>((done) => {
    resolve = done
  })
  return {
    raised,
    isRaised: () => isRaised,
    raise: () => {
      isRaised = true
      resolve()
    },
  }
}
