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
  IDEA_MOVED: {
    sentence: "idea '{id}' was moved by somebody else meanwhile: it is in {phase} now; look at it and try again",
    exit: 1,
    http: 409,
    retryable: true,
  },
  IDEA_CURSOR_BAD: {
    sentence: "'{cursor}' is no place in the list; take the one that was answered",
    exit: 1,
    http: 422,
  },
  PHASE_UNKNOWN: { sentence: "unknown phase '{phase}', use {known}", exit: 1, http: 422 },
} as const satisfies Record<string, ErrorKind>
