// Every error: its sentence for the user, the exit code of the process and the status of the HTTP answer. A `{name}` in a
// sentence is filled from the details of the error.

export interface ErrorKind {
  readonly sentence: string
  readonly exit: 1 | 2 | 3 | 4 | 130
  readonly http: number
  readonly retryable?: true
  /** The call itself is wrong: the face shows the usage. */
  readonly usage?: true
}

export const errorKinds = {
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
  TYPE_UNKNOWN: { sentence: "unknown type '{type}', use {known}", exit: 1, http: 422 },
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
  TASK_NOT_DONE: {
    sentence: "task '{id}' is not done (status: {status}), so there is nothing to verify",
    exit: 1,
    http: 409,
  },
  TASK_UNREPORTED: {
    sentence:
      "task '{id}' was done by an older Ralph, which kept no report that could be verified; 'ralph verify' verifies commits",
    exit: 1,
    http: 409,
  },
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

  // Sessions, and how they reach the engine
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

  // The Claude Code plugin in the user's repository
  SETTINGS_BAD: { sentence: '{path}: {problem}; mend it, and nothing of yours in it is lost', exit: 1, http: 422 },
  PLUGIN_MISSING: {
    sentence: 'the Claude Code plugin is not where Ralph was installed; install Ralph again',
    exit: 1,
    http: 500,
  },

  // The HTTP API
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

  // Ideas and their pipeline
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

  // A build as a whole
  BUILD_NOT_FOUND: { sentence: "build '{id}' not found", exit: 2, http: 404 },
  SANDBOX_MISSING: {
    sentence:
      'ralph.toml says [sandbox] mode = "required", and this version has no sandbox; run ralph in a container or a virtual machine and set mode = "off"',
    exit: 1,
    http: 409,
  },
  NO_BUILD: { sentence: "there is no build {where} yet; start one with 'ralph build'", exit: 2, http: 404 },
  BUILD_STATE: { sentence: "build '{id}' is {state} and cannot be {done}", exit: 1, http: 409 },
  BUILD_NOT_PAUSED: {
    sentence: "build '{id}' is not paused; 'ralph build' goes on with it where no loop works on it",
    exit: 1,
    http: 409,
  },
  BUILD_UNFINISHED: {
    sentence: "build '{id}' over {plan} is not finished; go on with 'ralph build', or end it with 'ralph abort' first",
    exit: 1,
    http: 409,
  },
  BASELINE_FAILED: { sentence: 'no agent was started: {problem}', exit: 3, http: 409 },
  BUILD_DRIVEN: {
    sentence: "a loop works on {what} of build '{id}'; let it run, or pause it first with 'ralph pause'",
    exit: 1,
    http: 409,
  },

  // Attempts and waiting tasks
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

  // The repository, the store and the files
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

  // Git
  GIT_NOT_STARTED: { sentence: 'git cannot be run: {problem}', exit: 1, http: 500 },
  GIT_OLD: { sentence: '{found} is too old; install git {needed} or newer', exit: 1, http: 500 },
  GIT_FAILED: { sentence: 'git {verb} failed: {reason}', exit: 1, http: 500 },
  GIT_SLOW: {
    sentence: 'git {verb} was stopped after {minutes} minutes; look what holds it up and try again',
    exit: 1,
    http: 503,
    retryable: true,
  },
  GIT_DISK_FULL: { sentence: 'no space left for {path}; free some and try again', exit: 1, http: 507, retryable: true },
  GIT_LOCKED: {
    sentence: '{path} stayed locked; end the git process that holds it and try again',
    exit: 1,
    http: 503,
    retryable: true,
  },
  GIT_DAMAGED: {
    sentence: "{path} is damaged ({reason}); run 'git fsck' there, and restore a copy or move it away",
    exit: 1,
    http: 500,
  },
  OBJECT_DAMAGED: {
    sentence:
      "git object {object} is damaged (its content does not match its hash) in {where}; restore it from another clone or a backup ('git fsck' lists every damaged object)",
    exit: 4,
    http: 409,
  },
  GIT_UNSIGNED: {
    sentence: 'the commit could not be signed ({reason}); mend the key, or set commit.gpgsign to false',
    exit: 1,
    http: 500,
  },

  // Shipping and taking back
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

  // The repository, and the user's own checkout with `ralph build --in-place`
  BRANCH_IN_THE_WAY: {
    sentence:
      "your branch '{branch}' leaves no room for a build's branch '{branch}/BUILD' (git cannot have both); rename it with 'git branch -m {branch} NEW-NAME' and start again",
    exit: 1,
    http: 409,
  },
  CONVERSION_UNSUPPORTED: {
    sentence:
      '{path} has {rule}, so git converts it on checkout; Ralph takes files byte for byte and does not support that yet: {mend}',
    exit: 1,
    http: 409,
  },
  CHECKOUT_MISSING: {
    sentence: 'there is no checkout here to work in; go to one, or build without --in-place',
    exit: 1,
    http: 409,
  },
  CHECKOUT_DIRTY: {
    sentence: '--in-place needs a clean checkout; not committed: {paths}; commit, stash or ignore that first',
    exit: 1,
    http: 409,
  },
  CHECKOUT_DETACHED: {
    sentence: "--in-place needs a branch to come back to, and HEAD is detached; 'git switch' to one first",
    exit: 1,
    http: 409,
  },
  CHECKOUT_UNBORN: {
    sentence: '--in-place needs a commit to come back to, and there is none yet; commit something first',
    exit: 1,
    http: 409,
  },
  CHECKOUT_CONVERTED: {
    sentence:
      'git keeps {path} otherwise than it lies in your checkout (line ends, a filter, a sparse checkout), so --in-place cannot work here; build without it',
    exit: 1,
    http: 409,
  },
  CHECKOUT_ELSEWHERE: { sentence: '{branch} is checked out in {folder}; go on there', exit: 1, http: 409 },
  CHECKOUT_LEFT: {
    sentence:
      "build '{build}' works in {folder} on {branch}, and that is on {name} now; 'git switch {branch}' there, then 'ralph build' goes on",
    exit: 1,
    http: 409,
  },
  CHECKOUT_COMMITTED: {
    sentence:
      "{branch} has a commit that Ralph did not make ({commit}); 'git reset --soft {head}' takes it off and leaves its changes in your files, then 'ralph build' goes on",
    exit: 1,
    http: 409,
  },
  CHECKOUT_BUSY: {
    sentence: 'another process works in {folder}; wait for it, or stop it',
    exit: 1,
    http: 409,
    retryable: true,
  },
  IN_PLACE_ALONE: {
    sentence: 'in place one task is worked on at a time; leave --workers out',
    exit: 1,
    http: 422,
  },
  NOT_IN_PLACE: {
    sentence: "build '{id}' was not started with --in-place; go on without it, or end it with 'ralph abort' first",
    exit: 1,
    http: 409,
  },

  // Folders, settings and files
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
