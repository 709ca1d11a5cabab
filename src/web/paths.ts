// How each verb of the contract is called. The contract itself would bring its whole validation along; a test holds this
// table to it, and the compiler holds every call to its types.
import type { Answer, Asked, RouteName } from '../operations/contract.ts'

export const PATHS = {
  status: 'GET /api/build/:ideaId/status',
  start: 'POST /api/build/:ideaId/start',
  pause: 'POST /api/build/:sessionId/pause',
  resume: 'POST /api/build/:sessionId/resume',
  skip: 'POST /api/build/:sessionId/skip',
  retry: 'POST /api/build/:sessionId/retry',
  answer: 'POST /api/build/:sessionId/answer',
  resolve: 'POST /api/build/:sessionId/resolve',
  revert: 'POST /api/build/:sessionId/revert',
  step: 'POST /api/build/step',
  state: 'GET /api/build/:build_id',
  abort: 'POST /api/build/:build_id/abort',
  builds: 'GET /api/builds',
  facts: 'GET /api/builds/:id/facts',
  view: 'GET /api/builds/:id/view',
  taskDetail: 'GET /api/builds/:id/tasks/:task',
  taskPatch: 'GET /api/builds/:id/tasks/:task/diff',
  outline: 'GET /api/iterations/:id/outline',
  rows: 'GET /api/iterations/:id/rows',
  search: 'GET /api/iterations/:id/search',
} as const satisfies Partial<Record<RouteName, string>>

export type Verb = keyof typeof PATHS
export type VerbAnswer<Name extends Verb> = Answer<Name>

/** What may be left out because the server knows a default is left out here too. */
export interface VerbInput<Name extends Verb> {
  readonly params?: Asked<Name>['params']
  readonly query?: Partial<Asked<Name>['query']>
  readonly body?: Partial<Asked<Name>['body']>
}
