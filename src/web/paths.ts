// How each verb of the contract is called. The contract itself would bring its whole validation along: this is its list of
// paths, and the compiler holds every call to its types.
import type { Answer, Asked } from '../operations/contract/contract.ts'
import { calls } from '../operations/contract/calls.ts'

export const PATHS = calls

export type Verb = keyof typeof PATHS
export type VerbAnswer<Name extends Verb> = Answer<Name>

/** What may be left out because the server knows a default is left out here too. */
export interface VerbInput<Name extends Verb> {
  readonly params?: Asked<Name>['params']
  readonly query?: Partial<Asked<Name>['query']>
  readonly body?: Partial<Asked<Name>['body']>
}
