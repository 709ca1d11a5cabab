// What is refused at the door of the HTTP API, and what only its callers can ask for.
import type { ErrorKind } from './error.ts'

export const httpErrors = {
  INPUT_BAD: { sentence: '{problem}', exit: 1, http: 422 },
  ROUTE_UNKNOWN: {
    sentence: "there is no {method} {path}; '/api/openapi.json' lists what there is",
    exit: 1,
    http: 404,
  },
  MEDIA_TYPE: { sentence: 'a body must be JSON; send it with content-type: application/json', exit: 1, http: 415 },
  BODY_TOO_LARGE: { sentence: 'a body may have at most {limit} KiB', exit: 1, http: 413 },
  TOKEN_MISSING: {
    sentence: "this needs the server's token, as 'Authorization: Bearer TOKEN', or the link that it printed",
    exit: 1,
    http: 401,
  },
  TOKEN_WRONG: { sentence: "this is not the server's token; take the one that it printed", exit: 1, http: 401 },
  LINK_USED: {
    sentence:
      "this link was used before or is of another server; restart 'ralph serve' for a new one, or use the token",
    exit: 1,
    http: 401,
  },
  HOST_REFUSED: { sentence: 'this server does not answer for the host that was asked for', exit: 1, http: 403 },
  ORIGIN_REFUSED: { sentence: 'pages of other origins may not speak to this server', exit: 1, http: 403 },
  TOO_MANY_TRIES: {
    sentence: 'too many wrong tokens came from this address; wait {seconds} s',
    exit: 1,
    http: 429,
    retryable: true,
  },
  FEED_FULL: {
    sentence: 'the live feed has {limit} readers already; close one and try again',
    exit: 1,
    http: 503,
    retryable: true,
  },
  BIND_OPEN: {
    sentence:
      "other machines could reach {host}, so 'ralph serve' needs a token of yours there: set RALPH_SERVE_TOKEN (at least {length} characters)",
    exit: 1,
    http: 500,
  },
  SERVE_TOKEN_BAD: {
    sentence: 'RALPH_SERVE_TOKEN must be {min} to {max} letters, digits, - or _',
    exit: 1,
    http: 500,
  },
  PORT_BAD: { sentence: '--port must be a whole number from 0 to 65535', exit: 1, http: 422 },
  LISTEN_FAILED: { sentence: 'cannot listen on {host}:{port}: {reason}', exit: 1, http: 500 },
  NOTHING_TO_BUILD: {
    sentence: "no task is open, so there is nothing to build; add one with 'ralph task create', or plan some",
    exit: 2,
    http: 409,
  },
  UPGRADE_NEEDED: {
    sentence: "this is a WebSocket; ask for '…/events' to have the same as server-sent events",
    exit: 1,
    http: 426,
  },
  SERVED_TWICE: { sentence: "'{folder}' is a checkout that was named before; name each once", exit: 1, http: 422 },
  REPOSITORY_UNKNOWN: {
    sentence: "no repository '{name}' is served here; served are {names}",
    exit: 2,
    http: 404,
  },
  REPOSITORY_UNSAID: {
    sentence: "several repositories are served, so say which one with 'repository': {names}",
    exit: 1,
    http: 422,
  },
  REPOSITORY_UNCLEAR: {
    sentence: "'{ref}' is in several repositories ({names}); name the build by its id, or say which with 'repository'",
    exit: 1,
    http: 409,
  },
  SHIP_REFUSED: { sentence: '{what} is not published: {reasons}', exit: 4, http: 409 },
  FIX_UNVERIFIED: {
    sentence: "the fix for task '{id}' is kept but not merged, since it is not verified: {reason}",
    exit: 4,
    http: 409,
  },
  STOPPING: { sentence: 'the server is stopping; what was begun is kept', exit: 130, http: 503, retryable: true },
  CLOSED: { sentence: 'this was closed before; open it again with openRalph', exit: 1, http: 503 },
  ITERATION_NOT_FOUND: { sentence: "there is no iteration '{id}'", exit: 2, http: 404 },
  WORK_GONE: {
    sentence: "what iteration {attempt}.{iteration} of task '{id}' left was cleaned away",
    exit: 2,
    http: 404,
  },
  TRANSCRIPT_GONE: { sentence: "the transcript of iteration '{id}' was cleaned away", exit: 2, http: 404 },
} as const satisfies Record<string, ErrorKind>
