// Who answers a session: the desk of its iteration, or the store where there is no engine.
import type { RequestName, RequestOf, SessionAnswers, SessionRequest } from './session-request.ts'

/** Whoever answers has an answer for each of them. */
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
