// Who may do what, of those who ask from inside a build: a session or a check of it is never the operator.
import type { calls, Verb } from './contract/calls.ts'

/** `operator`: no session and no check of a build in the same store may do it. */
export type Who = 'anyone' | 'operator'

/** What changes something; a question may be asked by anyone. */
type Order = { [Name in Verb]: (typeof calls)[Name] extends `POST ${string}` ? Name : never }[Verb]

const orders: Readonly<Record<Order, Who>> = {
  start: 'operator',
  pause: 'operator',
  resume: 'operator',
  skip: 'operator',
  retry: 'operator',
  answer: 'operator',
  resolve: 'operator',
  revert: 'operator',
  create: 'operator',
  step: 'operator',
  abort: 'operator',
  publish: 'operator',
  makePlan: 'operator',
  savePlan: 'operator',
  startPlan: 'operator',
  verify: 'anyone',
  addIdea: 'operator',
  transition: 'operator',
  addTask: 'anyone',
  updateTask: 'operator',
  blockTask: 'operator',
  unblockTask: 'operator',
  claimTask: 'anyone',
  renewTask: 'anyone',
  doneTask: 'anyone',
  failTask: 'anyone',
}

export function whoMay(verb: Verb): Who {
  return (orders as Partial<Record<Verb, Who>>)[verb] ?? 'anyone'
}
