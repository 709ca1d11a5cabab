// The part of the error table that is about ideas and their pipeline.
import type { ErrorKind } from './error.ts'

export const ideaErrors = {
  IDEA_ID_BAD: {
    sentence: 'an idea ID is 1 to 128 characters without white space or control characters',
    exit: 1,
    http: 422,
  },
  IDEA_TEXT_BAD: { sentence: '{problem}', exit: 1, http: 422 },
  IDEA_EXISTS: { sentence: "idea '{id}' already exists (phase: {phase})", exit: 1, http: 409 },
  IDEA_NOT_FOUND: { sentence: "idea '{id}' not found; 'ralph idea list' names them", exit: 2, http: 404 },
  IDEA_MOVE_ILLEGAL: {
    sentence: "idea '{id}' cannot go from {from} to {to}; from there it can go to {legal}",
    exit: 1,
    http: 409,
  },
  IDEA_NOT_READY: { sentence: "idea '{id}' cannot go to {to}: {lacks}", exit: 1, http: 409 },
  IDEA_GATE: {
    sentence: "idea '{id}' is not deployed, the ship gate has its reasons: {reasons}",
    exit: 4,
    http: 409,
  },
  SHIP_GATE: { sentence: 'build {build} is not shipped, the gate has its reasons: {reasons}', exit: 4, http: 409 },
  DEPLOY_FAILED: {
    sentence: "the deploy command failed (exit {exit}); mend it and run 'ralph ship --deploy again'",
    exit: 1,
    http: 502,
  },
  IDEA_BUILT: {
    sentence: "nothing of idea '{id}' is left to be built; 'ralph idea move {id} specification' plans it anew",
    exit: 1,
    http: 409,
  },
  IDEA_ELSEWHERE: {
    sentence: "idea '{id}' is built from {base}, and you are on {branch}; go there first",
    exit: 1,
    http: 409,
  },
  IDEA_MOVED: {
    sentence: "idea '{id}' was moved by somebody else meanwhile: it is in {phase} now; look at it and try again",
    exit: 1,
    http: 409,
    retryable: true,
  },
  PLAN_CLOSED: {
    sentence: "the plan of idea '{id}' cannot be changed while the idea is in {phase}; it can in spec_ready",
    exit: 1,
    http: 409,
  },
  PLAN_WORDS_CLOSED: {
    sentence: "idea '{id}' is in {phase}, where its words stay as they are; move it back, or write another one",
    exit: 1,
    http: 409,
  },
  IDEA_CURSOR_BAD: {
    sentence: "'{cursor}' is no place in the list; take the one that was answered",
    exit: 1,
    http: 422,
  },
  PHASE_UNKNOWN: { sentence: "unknown phase '{phase}', use {known}", exit: 1, http: 422 },
} as const satisfies Record<string, ErrorKind>
