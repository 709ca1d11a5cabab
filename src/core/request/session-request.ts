// The requests of a session to the engine, and their answers. The union is closed: no request accepts, merges, approves
// or ships anything, and the handler decides what a session may touch (engine/session/session-requests.ts).
//
// Requests come from an agent's own tools, over a socket: every field is required and is checked here.
import { refuse } from '../error/error.ts'
import { type AgentId, type BuildId, type TaskId, agentId, taskId } from '../values/id.ts'
import type { PlanCounts } from '../plan/plan.ts'
import type { ScratchpadText } from '../session/scratchpad.ts'
import { type SignalKind, SIGNALS } from '../session/signal.ts'
import { type Task, TASK_STATUSES, TASK_TYPES, type TaskResult, type TaskStatus, type TaskText } from '../task/task.ts'
import type { StrengthWords } from '../probes/report/probe-text.ts'
import type { BuildState } from '../builds/build.ts'
import type { TreeEdit } from '../patch/tree-edit.ts'

export type SessionRequest =
  | { readonly do: 'peek'; readonly limit: number }
  /** Null: the best one. */
  | { readonly do: 'claim'; readonly id: TaskId | null; readonly leaseSeconds: number }
  | { readonly do: 'renew'; readonly id: TaskId; readonly leaseSeconds: number }
  | { readonly do: 'done'; readonly id: TaskId; readonly result: TaskResult | null }
  | { readonly do: 'fail'; readonly id: TaskId; readonly reason: string | null }
  | { readonly do: 'create'; readonly id: TaskId; readonly text: NewText; readonly deps: readonly TaskId[] }
  | { readonly do: 'show'; readonly id: TaskId }
  /** Null: any status, any assignee. */
  | { readonly do: 'list'; readonly statuses: readonly TaskStatus[] | null; readonly assignee: AgentId | null }
  | { readonly do: 'planStatus' }
  | { readonly do: 'buildStatus' }
  | ({ readonly do: 'scratchpad' } & ScratchpadText)
  | { readonly do: 'signal'; readonly signal: SignalKind; readonly reason: string | null }
  /** The program refused a command of the session that only the operator may run. */
  | { readonly do: 'refused'; readonly command: string }
  /** From a session that cannot write files. */
  | { readonly do: 'applyPatch'; readonly edit: TreeEdit }
  | { readonly do: 'runChecks' }

export type RequestName = SessionRequest['do']
export type RequestOf<Name extends RequestName> = Extract<SessionRequest, { do: Name }>

export type NewText = Partial<TaskText> & { readonly title: string }

/** By the name of the request. */
export interface SessionAnswers {
  readonly peek: readonly Task[]
  readonly claim: ClaimAnswer
  readonly renew: Task
  readonly done: Task
  readonly fail: Task
  readonly create: Task
  readonly show: {
    readonly task: Task
    readonly blockers: readonly Task[]
    /** What its green tree is worth; absent inside a session, and where no build verified it. */
    readonly evidence?: StrengthWords & { readonly lines: readonly string[] }
  }
  readonly list: readonly Task[]
  readonly planStatus: PlanCounts
  readonly buildStatus: BuildStanding
  readonly scratchpad: null
  readonly signal: null
  readonly refused: null
  readonly applyPatch: PatchedAnswer
  readonly runChecks: ChecksAnswer
}

/**
 * One function for each request. A session handler, a session that still chooses its task, and the store itself implement
 * this table, so the compiler names each of them that lacks an answer to a new request.
 */
export type RequestHandlers = {
  readonly [Name in RequestName]: (request: RequestOf<Name>) => Promise<SessionAnswers[Name]>
}

export function answerRequest<Request extends SessionRequest>(
  handlers: RequestHandlers,
  request: Request,
): Promise<SessionAnswers[Request['do']]> {
  const answer = handlers[request.do] as (request: SessionRequest) => Promise<SessionAnswers[Request['do']]>
  return answer(request)
}

/** A patch that is not taken is an answer: the session may write a better one. */
export type PatchedAnswer =
  | { readonly applied: true; readonly touchedFiles: readonly string[] }
  | { readonly applied: false; readonly reason: string }

export interface ChecksAnswer {
  /** Every check ran and is green; false where none is configured. */
  readonly ok: boolean
  readonly report: string
}

export interface ClaimAnswer {
  readonly task: Task
  /** The results of the finished blockers. */
  readonly blockerResults: readonly { readonly id: TaskId; readonly result: TaskResult }[]
  /** What the engine adds to the task: scratchpad, feedback, lessons; null where the session has it already. */
  readonly brief: string | null
}

export interface BuildStanding {
  /** Null where there is no build yet. */
  readonly build: { readonly id: BuildId; readonly state: BuildState } | null
  readonly plan: PlanCounts
  /** The iteration of the calling session; null outside of one, and while it has no task. */
  readonly iteration: IterationStanding | null
}

export interface IterationStanding {
  readonly task: TaskId
  readonly attempt: number
  readonly iteration: number
  /** The maximum of iterations of this attempt. */
  readonly iterationsMax: number
}

type Fields = Readonly<Record<string, unknown>>

const readers: { readonly [Name in RequestName]: (fields: Fields) => RequestOf<Name> } = {
  peek: (fields) => ({ do: 'peek', limit: wholeNumber(fields, 'limit') }),
  claim: (fields) => ({
    do: 'claim',
    id: orNull(fields, 'id', idIn),
    leaseSeconds: wholeNumber(fields, 'leaseSeconds'),
  }),
  renew: (fields) => ({ do: 'renew', id: idIn(fields, 'id'), leaseSeconds: wholeNumber(fields, 'leaseSeconds') }),
  done: (fields) => ({ do: 'done', id: idIn(fields, 'id'), result: orNull(fields, 'result', resultIn) }),
  fail: (fields) => ({ do: 'fail', id: idIn(fields, 'id'), reason: orNull(fields, 'reason', textIn) }),
  create: (fields) => ({
    do: 'create',
    id: idIn(fields, 'id'),
    text: newTextIn(fields),
    deps: listIn(fields, 'deps').map(taskId),
  }),
  show: (fields) => ({ do: 'show', id: idIn(fields, 'id') }),
  list: (fields) => ({
    do: 'list',
    statuses: orNull(fields, 'statuses', statusesIn),
    assignee: orNull(fields, 'assignee', (of, name) => agentId(textIn(of, name))),
  }),
  planStatus: () => ({ do: 'planStatus' }),
  buildStatus: () => ({ do: 'buildStatus' }),
  scratchpad: (fields) => ({
    do: 'scratchpad',
    done: textIn(fields, 'done'),
    testStatus: textIn(fields, 'testStatus'),
    nextStep: textIn(fields, 'nextStep'),
    blockers: textIn(fields, 'blockers'),
  }),
  signal: (fields) => ({
    do: 'signal',
    signal: oneOf(SIGNALS, fields, 'signal'),
    reason: orNull(fields, 'reason', textIn),
  }),
  refused: (fields) => ({ do: 'refused', command: commandIn(fields) }),
  applyPatch: (fields) => ({ do: 'applyPatch', edit: editIn(fields) }),
  runChecks: () => ({ do: 'runChecks' }),
}

export const REQUEST_NAMES = Object.keys(readers) as readonly RequestName[]

/** Refuses anything else than a valid request, with one sentence that names the fault. */
export function readSessionRequest(value: unknown): SessionRequest {
  if (!isFields(value)) throw bad('a request is a JSON object')
  const name = oneOf(REQUEST_NAMES, value, 'do')
  return readers[name](value)
}

function bad(problem: string): Error {
  return refuse('REQUEST_BAD', { problem })
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function orNull<T>(fields: Fields, name: string, read: (fields: Fields, name: string) => T): T | null {
  return fields[name] === null ? null : read(fields, name)
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string') throw bad(`'${name}' must be a text`)
  return value
}

/** As the log has it: a command of Ralph without arguments, or a call of the library. */
function commandIn(fields: Fields): string {
  const command = textIn(fields, 'command')
  if (!/^ralph[ .][a-zA-Z .-]{1,60}$/.test(command)) throw bad("'command' must be a command of ralph")
  return command
}

function idIn(fields: Fields, name: string): TaskId {
  return taskId(textIn(fields, name))
}

function editIn(fields: Fields): TreeEdit {
  const edit = fields['edit']
  if (!isFields(edit)) throw bad("'edit' must be an object with 'diff' or 'files'")
  if (Array.isArray(edit['files']))
    return {
      files: edit['files'].map((file: unknown) => {
        if (!isFields(file)) throw bad("a file must be an object with 'path' and 'content'")
        return { path: textIn(file, 'path'), content: textIn(file, 'content') }
      }),
    }
  return { diff: textIn(edit, 'diff') }
}

function wholeNumber(fields: Fields, name: string): number {
  const value = fields[name]
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw bad(`'${name}' must be a whole number, 0 or more`)
  return value
}

function listIn(fields: Fields, name: string): readonly string[] {
  const value = fields[name]
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw bad(`'${name}' must be a list of texts`)
  return value
}

function oneOf<T extends string>(known: readonly T[], fields: Fields, name: string): T {
  const found = known.find((one) => one === fields[name])
  if (found === undefined) throw bad(`'${name}' must be one of ${known.join(', ')}`)
  return found
}

function statusesIn(fields: Fields, name: string): readonly TaskStatus[] {
  return listIn(fields, name).map((status) => oneOf(TASK_STATUSES, { status }, 'status'))
}

function resultIn(fields: Fields, name: string): TaskResult {
  const value = fields[name]
  if (!isFields(value)) throw refuse('RESULT_BAD')
  if (!('commit' in value)) throw refuse('RESULT_WITHOUT_COMMIT')
  return value as TaskResult
}

const textReaders: { readonly [Field in keyof TaskText]: (fields: Fields, name: string) => TaskText[Field] } = {
  title: textIn,
  description: (fields, name) => orNull(fields, name, textIn),
  priority: wholeNumber,
  category: (fields, name) => orNull(fields, name, textIn),
  spec: (fields, name) => orNull(fields, name, textIn),
  ref: (fields, name) => orNull(fields, name, textIn),
  steps: listIn,
  type: (fields, name) => orNull(fields, name, (of) => oneOf(TASK_TYPES, of, name)),
  acceptance: listIn,
  filesExpected: listIn,
}

/** A missing field takes the default of a new task; core/task/task.ts bounds the lengths. */
function newTextIn(fields: Fields): NewText {
  const text = fields['text']
  if (!isFields(text)) throw bad("'text' must be an object with a 'title'")
  const unknown = Object.keys(text).find((name) => !Object.hasOwn(textReaders, name))
  if (unknown !== undefined) throw bad(`a task has no field '${unknown}'`)
  const names = Object.keys(text) as (keyof TaskText)[]
  const read = Object.fromEntries(names.map((name) => [name, textReaders[name](text, name)])) as Partial<TaskText>
  return { ...read, title: textIn(text, 'title') }
}
