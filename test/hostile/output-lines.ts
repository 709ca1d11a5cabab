import type { Fact } from '../../src/core/fact/fact.ts'

/** A fact about the task, in short. */
export function factLines(fact: Fact): string[] {
  if (!('taskId' in fact) || fact.taskId !== 'evil') return []
  switch (fact.type) {
    case 'iterationDone':
      return [`${fact.attempt}/${fact.iteration} ${fact.error ?? fact.signal?.kind ?? 'no signal'}`]
    case 'verified':
      return [`verified ${fact.verdict.is}`]
    case 'taskFailed':
      return [`failed: ${fact.error.split('\n')[0]}`]
    case 'merged':
      return ['merged']
    case 'limited':
    case 'waited':
    case 'interrupted':
      return [fact.type]
    case 'mergeRefused':
      return [`refused: ${fact.error}`]
    case 'intervened':
      return [`sia: ${fact.intervention.type}`]
    case 'humanNeeded':
      return [`human: ${fact.reason}`]
    default:
      return []
  }
}
