// Who may do what. A session or a check of a build is never the operator.
import type { calls, Verb } from './contract/calls.ts'

/** `operator`: refused to sessions and checks of a build in the same store. */
export type Who = 'anyone' | 'operator'

/** Verbs that change something; anybody may ask a question, except about what is sealed. */
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

/** Answers that hold sealed examples, or the words of the planner and the reviewer who wrote and saw them. */
const sealedAnswers: readonly Verb[] = ['sealed', 'transcript', 'outline', 'rows', 'search']

export function whoMay(verb: Verb): Who {
  if (sealedAnswers.includes(verb)) return 'operator'
  return (orders as Partial<Record<Verb, Who>>)[verb] ?? 'anyone'
}
