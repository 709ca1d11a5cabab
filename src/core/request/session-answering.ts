// The handler of a session's requests: the engine's for an iteration, or the store's where there is no engine.
import type { RequestName, RequestOf, SessionAnswers, SessionRequest } from './session-request.ts'

/** A handler answers every request. */
export type Answering = {
  readonly [Name in RequestName]: (request: RequestOf<Name>) => Promise<SessionAnswers[Name]>
}

export function answerFrom<Request extends SessionRequest>(
  answering: Answering,
  request: Request,
): Promise<SessionAnswers[Request['do']]> {
  const answer = answering[request.do] as (request: SessionRequest) => Promise<SessionAnswers[Request['do']]>
  return answer(request)
}
