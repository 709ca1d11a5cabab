import { addUsed, NOTHING, tokensOf, type Used } from '../../core/money/spending.ts'

/** Adds up what the sessions of one effect used. */
export interface Meter {
  readonly add: (used: Used) => void
  /** Null: none of them reported anything. */
  readonly total: () => Used | null
}

export function openMeter(): Meter {
  let sum = NOTHING
  return {
    add: (used) => {
      sum = addUsed(sum, used)
    },
    total: () => (tokensOf(sum) === 0 && sum.costUsd === null ? null : sum),
  }
}
