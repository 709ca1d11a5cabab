// Which facts are causes, and from whom.
import type { AgentCause, Cause, Fact, OperatorCause } from './fact.ts'

/** Every cause with its source. The compiler requires that none is missing. */
const causes: Readonly<Record<AgentCause['type'], 'agent'> & Record<OperatorCause['type'], 'operator'>> = {
  iterationDone: 'agent',
  verified: 'agent',
  reviewed: 'agent',
  merged: 'agent',
  mergeRefused: 'agent',
  intervened: 'agent',
  humanNeeded: 'agent',
  limited: 'agent',
  waited: 'agent',
  interrupted: 'agent',
  taskSkipped: 'operator',
  taskRetried: 'operator',
  taskAnswered: 'operator',
  taskResolved: 'operator',
  taskReverted: 'operator',
  statusRejected: 'operator',
}

export function isCause(fact: Fact): fact is Cause {
  return Object.hasOwn(causes, fact.type)
}

export function isOperatorCause(fact: Cause): fact is OperatorCause {
  return causes[fact.type] === 'operator'
}
