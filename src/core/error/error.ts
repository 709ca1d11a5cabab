// Failure is data: one table says what each error tells the user, how the process exits and what HTTP answers.
// A `{name}` in a sentence is filled from the error's details.
import { buildErrors } from './build-errors.ts'
import { checkoutErrors } from './checkout-errors.ts'
import { gitErrors } from './git-errors.ts'
import { httpErrors } from './http-errors.ts'
import { ideaErrors } from './idea-errors.ts'
import { pluginErrors } from './plugin-errors.ts'
import { sessionErrors } from './session-errors.ts'

export interface ErrorKind {
  readonly sentence: string
  readonly exit: 1 | 2 | 3 | 4 | 130
  readonly http: number
  readonly retryable?: true
  /** The call itself was wrong: the face shows how it is called. */
  readonly usage?: true
}

const kinds = {
  // The call
  USAGE: { sentence: '{message}', exit: 1, http: 422, usage: true },
  COMMAND_UNKNOWN: { sentence: 'unknown command {command}', exit: 1, http: 404, usage: true },
  FLAG_UNKNOWN: { sentence: 'unknown flag {flag}', exit: 1, http: 422, usage: true },
  FLAG_VALUE_MISSING: { sentence: '{flag} needs a value', exit: 1, http: 422, usage: true },
  FLAG_VALUE_UNEXPECTED: { sentence: '{flag} takes no value', exit: 1, http: 422, usage: true },
  ARGUMENT_UNEXPECTED: { sentence: 'unexpected argument {argument}', exit: 1, http: 422, usage: true },
  TASK_ID_MISSING: { sentence: 'missing task ID', exit: 1, http: 422, usage: true },
  TASK_TITLE_MISSING: { sentence: 'missing task title', exit: 1, http: 422, usage: true },
  BLOCKER_MISSING: { sentence: 'missing --by', exit: 1, http: 422, usage: true },
  PRIORITY_BAD: { sentence: '-p (priority) must be a non-negative integer', exit: 1, http: 422 },
  LEASE_BAD: { sentence: '--lease must be a non-negative integer', exit: 1, http: 422 },
  COUNT_BAD: { sentence: '-n must be a positive integer', exit: 1, http: 422 },
  PID_BAD: { sentence: '--pid must be a positive integer', exit: 1, http: 422 },
  NUMBER_TOO_LARGE: { sentence: '{flag} must be at most {max}', exit: 1, http: 422 },
  FLAGS_CONFLICT: { sentence: '{one} and {other} are mutually exclusive', exit: 1, http: 422 },
  YES_NEEDED: {
    sentence: '{flag} has to be confirmed, and nobody is at a terminal to be asked; add --yes to confirm it',
    exit: 1,
    http: 422,
  },
  NOT_CONFIRMED: { sentence: 'not confirmed; nothing was changed', exit: 1, http: 409 },
  STATUS_UNKNOWN: { sentence: "unknown status '{status}', use {known}", exit: 1, http: 422 },

  // Tasks
  TASK_ID_BAD: {
    sentence: 'a task ID is 1 to 128 characters without white space or control characters',
    exit: 1,
    http: 422,
  },
  AGENT_ID_BAD: {
    sentence: 'an agent ID is 1 to 128 characters without white space or control characters',
    exit: 1,
    http: 422,
  },
  TASK_LINE_BAD: { sentence: 'the {field} must be one line of at most {limit} characters', exit: 1, http: 422 },
  TASK_TEXT_BAD: {
    sentence: '{field} is longer than {limit} characters, or holds a NUL or half a character',
    exit: 1,
    http: 422,
  },
  STEPS_BAD: { sentence: 'steps must be a JSON array of strings', exit: 1, http: 422 },
  TASK_NOT_FOUND: { sentence: "task '{id}' not found", exit: 2, http: 404 },
  TASK_EXISTS: { sentence: "task '{id}' already exists (status: {status})", exit: 1, http: 409 },
  TASK_NOT_ACTIVE: { sentence: "task '{id}' is not active (status: {status})", exit: 1, http: 409 },
  TASK_DONE: { sentence: "task '{id}' is done and cannot be {verb}", exit: 1, http: 409 },
  TASK_HELD: {
    sentence: "a loop works on task '{id}'; 'ralph skip {id}' leaves it out of the build, 'ralph pause' stops the loop",
    exit: 1,
    http: 409,
  },
  TASK_DELETED: { sentence: "task '{id}' is deleted and cannot be updated", exit: 1, http: 409 },
  TASK_SPLIT: { sentence: "task '{id}' was split; name one of the tasks that took its place", exit: 1, http: 409 },
  TASK_NOT_ELIGIBLE: { sentence: 'Task not eligible', exit: 2, http: 409 },
  NO_ELIGIBLE_TASKS: { sentence: 'No eligible tasks', exit: 2, http: 404 },
  NOT_THE_ASSIGNEE: { sentence: "agent '{agent}' is not the assignee of task '{id}'", exit: 1, http: 409 },
  RESULT_BAD: { sentence: 'result must be a JSON object', exit: 1, http: 422 },
  RESULT_WITHOUT_COMMIT: { sentence: "result JSON must include a 'commit' key", exit: 1, http: 422 },
  AGENT_NOT_FOUND: { sentence: "agent '{id}' not found", exit: 2, http: 404 },
  AGENT_IDS_TAKEN: {
    sentence: "no free agent ID is left; remove old ones with 'ralph task agent deregister'",
    exit: 1,
    http: 409,
  },
  DEPENDENCY_NOT_FOUND: { sentence: 'dependency not found', exit: 2, http: 404 },
  DEPENDENCY_UNKNOWN: { sentence: "dependency '{id}' not found", exit: 1, http: 422 },
  DEPENDENCY_CYCLE: { sentence: 'this would make a dependency cycle: {path}', exit: 1, http: 409 },
  DELETE_ALL_UNCONFIRMED: { sentence: '--all deletes every unfinished task; add --confirm', exit: 1, http: 422 },
  DONE_KEPT: { sentence: 'done tasks cannot be deleted; name other statuses', exit: 1, http: 409 },
  PLAN_LINE_BAD: { sentence: 'line {line}: {problem}; nothing was written', exit: 1, http: 422 },

  ...sessionErrors,
  ...pluginErrors,
  ...httpErrors,
  ...ideaErrors,

  ...buildErrors,

  // The machine
  FACT_REFUSED: { sentence: 'the fact {fact} does not fit a task that is {phase}: {why}', exit: 1, http: 409 },
  ATTEMPT_NOT_FOUND: { sentence: "task '{id}' has no attempt in this build yet", exit: 2, http: 409 },
  AGENT_NOT_READY: { sentence: 'the agent {name} cannot work: {reason}', exit: 1, http: 409 },
  NOTHING_WAITS: {
    sentence: "no task waits for a human; 'ralph status' tells how the build stands",
    exit: 2,
    http: 409,
  },
  SEVERAL_WAIT: { sentence: 'several tasks wait, name one: {ids}', exit: 1, http: 409 },
  NO_WORKSPACE: {
    sentence: "task '{id}' has no folder now; 'ralph open {id}' brings its work back, or name the fix with --from",
    exit: 2,
    http: 409,
  },
  FIX_REFUSED: { sentence: 'the fix cannot be taken: {reason}', exit: 1, http: 422 },
  NO_ATTEMPTS: { sentence: 'no task of this build was worked on yet', exit: 2, http: 404 },
  TASK_NOT_WAITING: { sentence: "task '{id}' does not wait for a human (it is {phase})", exit: 1, http: 409 },
  BUILD_EXISTS: { sentence: "build '{id}' already exists", exit: 1, http: 409 },

  // The ground we stand on
  NOT_A_REPOSITORY: {
    sentence: "{folder} is not in a git repository; run 'git init' first, or go to one",
    exit: 1,
    http: 500,
  },
  BRANCH_UNREADABLE: {
    sentence: 'cannot tell the branch of {folder}, whose refs are not plain files; set RALPH_SCOPE_BRANCH to its name',
    exit: 1,
    http: 500,
  },
  STORE_URL_BAD: {
    sentence: '{variable} must be sqlite:/path; there is no store for {other}',
    exit: 1,
    http: 500,
  },
  STORE_UNREADABLE: { sentence: 'cannot open the task store {path}: {reason}', exit: 1, http: 500 },
  STORE_CORRUPT: {
    sentence: '{path} is not a usable SQLite database ({reason}); move it away or restore a copy',
    exit: 1,
    http: 500,
  },
  STORE_NEWER: {
    sentence: '{path} was written by a newer Ralph (schema {found}, this one knows {known}); upgrade Ralph',
    exit: 1,
    http: 500,
  },
  STORE_BUSY: {
    sentence: 'the task store {path} stayed locked for {seconds} s; end the process that holds it and try again',
    exit: 1,
    http: 503,
    retryable: true,
  },
  STORE_FULL: { sentence: 'no space left for {path}; free some and try again', exit: 1, http: 507, retryable: true },
  COMMAND_BAD: { sentence: 'cannot run {command}: {problem}', exit: 1, http: 500 },
  ...gitErrors,
  BASE_UNKNOWN: {
    sentence: "there is no branch '{base}' to ship to; name it with base under [ship] in ralph.toml",
    exit: 1,
    http: 409,
  },
  SHIP_OVERLAP: {
    sentence: '{branch} could not be moved forward in {folder}, and nothing was shipped: {reason}',
    exit: 1,
    http: 409,
  },
  SHIP_CONFLICT: {
    sentence:
      '{base} moved on and conflicts with the build in {paths}; merge ralph/{build} by hand, or build again from {base}',
    exit: 4,
    http: 409,
  },
  SHIP_RED: {
    sentence:
      'put together with what came to {base} meanwhile, the build is not proved, and nothing was shipped: {error}',
    exit: 4,
    http: 409,
  },
  PUSH_FAILED: {
    sentence: 'pushing to {remote} failed, mend that and run the same command again: {reason}',
    exit: 1,
    http: 502,
  },
  PULL_REQUEST_FAILED: { sentence: 'gh could not open the pull request: {reason}', exit: 1, http: 502 },
  PROGRAM_MISSING: {
    sentence: '{program} cannot be started; install it, and see that PATH has it',
    exit: 1,
    http: 500,
  },
  NOTHING_MERGED: { sentence: '{what} has nothing merged that could be taken back', exit: 2, http: 409 },
  REVERT_CONFLICT: {
    sentence: 'taking back {commit} conflicts with what was merged later in {paths}; revert that first',
    exit: 1,
    http: 409,
  },
  REVERT_RED: {
    sentence: 'taking back {commit} would leave the branch unproved, so nothing was changed: {error}',
    exit: 4,
    http: 409,
  },
  BRANCH_BUSY: { sentence: 'the branch of build {build} kept moving; try again', exit: 1, http: 409, retryable: true },
  COMMIT_UNKNOWN: {
    sentence: "there is no build or commit '{name}' here; 'git log' and 'ralph status' name them",
    exit: 2,
    http: 404,
  },
  BRANCH_NOT_FOUND: { sentence: "build '{build}' has no branch yet; start it first", exit: 2, http: 404 },
  COMMIT_NOT_FOUND: { sentence: "'{ref}' is no commit or branch of this repository", exit: 2, http: 404 },
  PIN_NOT_FOUND: { sentence: "no work is pinned as '{ref}'; 'ralph recover' lists what is", exit: 2, http: 404 },
  TREE_UNKNOWN: {
    sentence: "nobody knows what tree {tree} of task '{id}' was made on; retry the task",
    exit: 1,
    http: 409,
  },
  ...checkoutErrors,
  WORKSPACE_BUSY: {
    sentence: "another process works in the folder of task '{id}'; wait for it, or stop it",
    exit: 1,
    http: 409,
    retryable: true,
  },
  CONFIG_BAD: { sentence: '{where}: {problem}', exit: 1, http: 500 },
  PLAN_BAD: { sentence: '{problem}', exit: 1, http: 422 },
  PLAN_FAILED: { sentence: '{problem}; nothing was written', exit: 1, http: 502 },
  PROGRESS_FILE_BAD: { sentence: '{problem}', exit: 1, http: 422 },
  PROMPT_BAD: { sentence: '{path}: {problem}', exit: 1, http: 500 },
  FILE_UNREADABLE: { sentence: 'cannot read {path}: {reason}', exit: 1, http: 500 },
  FILE_UNWRITABLE: { sentence: 'cannot write {path}: {reason}', exit: 1, http: 500 },
  FILE_EXISTS: { sentence: '{path} exists already; {mend}', exit: 1, http: 409 },
  DEMO_FAILED: {
    sentence: 'the demo went otherwise than it should ({problems}); please report it with what is in {folder}',
    exit: 1,
    http: 500,
  },
  INTERRUPTED: { sentence: 'stopped; nothing was changed', exit: 130, http: 499 },
  INTERNAL: {
    sentence: 'something broke inside Ralph: {reason}; run it with --debug to see where',
    exit: 1,
    http: 500,
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof kinds

export class RalphError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, details: Readonly<Record<string, string | number>> = {}, cause?: unknown) {
    const sentence = kinds[code].sentence.replace(/\{(\w+)\}/g, (_, name: string) =>
      String(details[name] ?? `{${name}}`),
    )
    super(sentence, cause === undefined ? undefined : { cause })
    this.name = 'RalphError'
    this.code = code
  }

  /** The program is bundled in parts that each have this class: what counts is what an error is, not whose copy made it. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'RalphError' && 'publicCode' in value
  }

  /** The name scripts can rely on. */
  get publicCode(): string {
    return `RALPH_${this.code}`
  }

  get exit(): ErrorKind['exit'] {
    return kinds[this.code].exit
  }

  get http(): number {
    return kinds[this.code].http
  }

  get retryable(): boolean {
    return 'retryable' in kinds[this.code]
  }

  get showsUsage(): boolean {
    return 'usage' in kinds[this.code]
  }
}

/** `throw refuse('TASK_NOT_FOUND', { id })` */
export function refuse(
  code: ErrorCode,
  details: Readonly<Record<string, string | number>> = {},
  cause?: unknown,
): RalphError {
  return new RalphError(code, details, cause)
}

/** An error that was thrown in another process, as it was thrown there. */
export function retold(code: string, message: string): RalphError {
  const known = Object.hasOwn(kinds, code) ? (code as ErrorCode) : 'INTERNAL'
  const error = new RalphError(known)
  error.message = message
  return error
}
