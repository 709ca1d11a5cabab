// The notes of the demo, each tied to a fact. A note appears with its fact; a fact that never came means that the build
// did not follow the script.
import { type Fact, taskOf } from '../../core/fact/fact.ts'

export interface DemoLine {
  readonly task: string
  /** Of facts about the task. */
  readonly shows: (fact: Fact) => boolean
  readonly note: string
}

export const demoScript: readonly DemoLine[] = [
  {
    task: 'money',
    shows: (fact) => fact.type === 'taskComplete',
    note: 'passed at once: Ralph ran the checks itself, on exactly the tree that it then merged',
  },
  {
    task: 'cart',
    shows: (fact) => fact.type === 'iterationDone' && fact.signal?.kind === 'ITERATION_DONE',
    note: 'more to do: it leaves a scratchpad, and a fresh session goes on from there',
  },
  {
    task: 'cart',
    shows: (fact) => fact.type === 'taskComplete',
    note: 'two iterations, one commit',
  },
  {
    task: 'discount',
    shows: (fact) => fact.type === 'verified' && fact.verdict.is === 'red',
    note: 'caught: it said done and the tests say no; nothing is merged, the next attempt is told why',
  },
  {
    task: 'tax',
    shows: (fact) => fact.type === 'reviewed' && fact.decision.is === 'request_changes',
    note: 'sent back: green is not enough; the next attempt gets what the reviewer wants mended',
  },
  {
    task: 'shipping',
    shows: (fact) => fact.type === 'humanNeeded',
    note: 'a person is asked: only this task waits, the others go on',
  },
  {
    task: 'checkout',
    shows: (fact) => fact.type === 'siaDecomposed',
    note: 'split: smaller tasks take its place, each with checks and a commit of its own',
  },
  {
    task: 'shipping',
    shows: (fact) => fact.type === 'taskComplete',
    note: 'done with the answer of a person; the branch had moved on, so the merged tree was verified once more',
  },
]

export function demoLineOf(fact: Fact): DemoLine | null {
  const task = taskOf(fact)
  return demoScript.find((beat) => beat.task === task && beat.shows(fact)) ?? null
}
