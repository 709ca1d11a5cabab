// The part of the error table that is about sessions and how they reach the engine.
import type { ErrorKind } from './error.ts'

export const sessionErrors = {
  ENGINE_GONE: {
    sentence: 'the engine that started this session does not answer ({reason}); end the session, what it made is kept',
    exit: 1,
    http: 503,
    retryable: true,
  },
  NO_ITERATION: {
    sentence:
      'there is no iteration here; only a session that the engine started has a scratchpad, a signal, patches and checks',
    exit: 1,
    http: 409,
  },
  OPERATOR_ONLY: {
    sentence:
      "'{command}' is for the operator: what a build has started cannot do it; an agent that needs it ends its session with TASK_STUCK and says why",
    exit: 1,
    http: 403,
  },
  NOT_FOR_SESSIONS: {
    sentence:
      "the plan is not a session's to change; inside an iteration there are peek, list, show, deps, plan-status, claim, renew, done, fail and create",
    exit: 1,
    http: 403,
  },
  NO_TASK_YET: {
    sentence: "this session has no task yet; claim one first with 'ralph task claim ID'",
    exit: 1,
    http: 409,
  },
  OTHER_TASK: { sentence: "this session works on '{id}' only", exit: 1, http: 403 },
  SESSION_OVER: {
    sentence: "task '{id}' was taken away from this session; end it, what it made is kept",
    exit: 1,
    http: 409,
  },
  TASKS_MADE_MAX: { sentence: 'a session may make {max} tasks and has made them', exit: 1, http: 409 },
  REQUEST_BAD: { sentence: 'the request cannot be read: {problem}', exit: 1, http: 422 },
  SOCKET_UNOPENED: {
    sentence: 'no socket for the session can be opened in {folder} ({reason}); free space there, or set TMPDIR',
    exit: 1,
    http: 500,
    retryable: true,
  },
} as const satisfies Record<string, ErrorKind>
