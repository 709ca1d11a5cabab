// Every verb that goes over the wire: how it is called, what it takes, what it answers. The server, its description as
// OpenAPI and its clients are made from this table. Runs in a browser too.
import { z } from 'zod'
import { TASK_STATUSES } from '../core/task.ts'
import { buildState, seedDocuments } from './contract/build-state.ts'
import { driveWish } from './contract/drive.ts'
import {
  buildPage,
  cursor,
  factPage,
  iterationList,
  limit,
  taskAnswer,
  taskPage,
  transcriptPage,
} from './contract/lists.ts'
import { repository, repositoryList } from './contract/repositories.ts'
import { sessionStatus } from './contract/session-status.ts'

export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly about: string
  readonly params: z.ZodType
  readonly query: z.ZodType
  readonly body: z.ZodType
  readonly answer: z.ZodType
}

/** An id of a build or of an idea. */
const ref = z.string().min(1).max(128)
/** An idea may be named by the caller; a name that looks like a build's would be taken for one. */
const ideaName = ref.regex(
  /^(?!b_)[^\s\p{C}/]+$/u,
  "must have no white space, control character or slash, and not begin with 'b_'",
)
const TEXT_MAX = 65_536
const text = z.string().trim().min(1).max(TEXT_MAX)

const nothing = z.object({})
const onTask = z.strictObject({ task_id: z.string().max(128).optional().describe('default: the one that waits') })
const done = z.object({ success: z.literal(true), task_id: z.string().optional() })

export const errorAnswer = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    faults: z
      .array(z.object({ path: z.string(), problem: z.string() }))
      .optional()
      .describe('what is wrong with the input, and where'),
  }),
  reasons: z
    .array(z.object({ code: z.string(), what: z.string(), clear: z.string() }))
    .optional()
    .describe('why a build may not be published, and what would change that'),
})

export type ErrorAnswer = z.infer<typeof errorAnswer>

const get = <Q extends z.ZodType, P extends z.ZodType, A extends z.ZodType>(
  path: string,
  about: string,
  shape: { readonly params: P; readonly query: Q; readonly answer: A },
) => ({ method: 'GET', path, about, body: z.undefined(), ...shape }) as const

const post = <P extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  path: string,
  about: string,
  shape: { readonly params: P; readonly body: B; readonly answer: A },
) => ({ method: 'POST', path, about, query: nothing, ...shape }) as const

const idea = z.object({ ideaId: ref })
const session = z.object({ sessionId: ref })
const build = z.object({ build_id: ref })
const empty = z.strictObject({}).prefault({})

export const routes = {
  status: get('/api/build/:ideaId/status', 'How the newest build of an idea stands.', {
    params: idea,
    query: nothing,
    answer: sessionStatus,
  }),
  start: post('/api/build/:ideaId/start', 'Starts a build over the open tasks, and a loop that works on it.', {
    params: idea,
    body: driveWish.extend({ repository }).prefault({}),
    answer: z.object({ sessionId: z.string(), status: z.literal('started') }),
  }),
  pause: post('/api/build/:sessionId/pause', 'Lets the loop end what it is doing, and begin nothing more.', {
    params: session,
    body: empty,
    answer: done,
  }),
  resume: post('/api/build/:sessionId/resume', 'Hands the build to a loop of this server.', {
    params: session,
    body: driveWish.prefault({}),
    answer: done,
  }),
  skip: post('/api/build/:sessionId/skip', 'Leaves a task undone; what depends on it may start.', {
    params: session,
    body: onTask.prefault({}),
    answer: done,
  }),
  retry: post('/api/build/:sessionId/retry', 'Tries a task that waits again, as it is.', {
    params: session,
    body: onTask.prefault({}),
    answer: done,
  }),
  answer: post('/api/build/:sessionId/answer', 'Tries a task that waits again, with this text in the prompt.', {
    params: session,
    body: onTask.extend({ text }),
    answer: done,
  }),
  resolve: post(
    '/api/build/:sessionId/resolve',
    'Takes the fix that somebody made in the folder of a task that waits; verifies it and merges it, then answers.',
    {
      params: session,
      body: onTask.extend({
        resolution: text.describe('what was done'),
        ref: z.string().min(1).max(512).optional().describe('a commit or branch with the fix, if it is not there'),
        unverified: z.boolean().default(false).describe('take it on your word; publish will ask about it'),
      }),
      answer: done.extend({ commit: z.string(), verified: z.boolean() }),
    },
  ),
  revert: post(
    '/api/build/:sessionId/revert',
    'Takes a merged patch back by a verified commit; the task opens again.',
    {
      params: session,
      body: z
        .strictObject({ task_id: z.string().max(128).optional().describe('default: the one that was merged last') })
        .prefault({}),
      answer: done.extend({ commit: z.string() }),
    },
  ),
  create: post('/api/build/start', 'Creates a build that is to be planned. It is driven by step, or by resume.', {
    params: nothing,
    body: z.strictObject({ project_id: ideaName, seed: seedDocuments, repository }),
    answer: buildState,
  }),
  step: post('/api/build/step', 'Performs one step of a build, and answers when it is done.', {
    params: nothing,
    body: z.strictObject({
      build_id: ref,
      user_message: text
        .optional()
        .describe('goes into the next prompt: of the task that waits, else of the next session'),
      mode: z.enum(['auto', 'plan_only']).default('auto').describe('plan_only: only planning is done'),
    }),
    answer: buildState,
  }),
  state: get('/api/build/:build_id', 'How a build stands, with its plan, last patch, reports and history.', {
    params: build,
    query: nothing,
    answer: buildState,
  }),
  abort: post('/api/build/:build_id/abort', 'Stops the agent at once and ends the build; what was merged stays.', {
    params: build,
    body: empty,
    answer: buildState,
  }),
  publish: post(
    '/api/projects/:project_id/publish',
    'Takes the newest build to the base branch, if the gate lets it.',
    {
      params: z.object({ project_id: ref }),
      body: z
        .strictObject({ allow_skipped: z.boolean().default(false), allow_unverified: z.boolean().default(false) })
        .prefault({}),
      answer: z.object({
        build_id: z.string(),
        base: z.string(),
        commit: z.string(),
        deployed: z.object({ exit: z.number().nullable(), output: z.string() }).nullable(),
      }),
    },
  ),
  builds: get('/api/builds', 'The builds of this repository and branch, newest first.', {
    params: nothing,
    query: z.object({ idea: ref.optional(), before: cursor, limit, repository }),
    answer: buildPage,
  }),
  facts: get('/api/builds/:id/facts', 'What happened in a build, in order.', {
    params: z.object({ id: ref }),
    query: z.object({ after: z.coerce.number().int().min(0).default(0), limit }),
    answer: factPage,
  }),
  iterations: get('/api/builds/:id/iterations', 'The agent sessions of a build, oldest first.', {
    params: z.object({ id: ref }),
    query: nothing,
    answer: iterationList,
  }),
  transcript: get('/api/iterations/:id/transcript', 'What an agent said and did in an iteration.', {
    params: z.object({ id: z.string().min(1).max(512) }),
    query: z.object({ after: z.coerce.number().int().min(0).default(0), limit }),
    answer: transcriptPage,
  }),
  tasks: get('/api/tasks', 'The tasks of this repository and branch, in plan order.', {
    params: nothing,
    query: z.object({
      status: z.enum(TASK_STATUSES).optional(),
      after: cursor,
      limit,
      repository,
    }),
    answer: taskPage,
  }),
  task: get('/api/tasks/:id', 'One task.', {
    params: z.object({ id: z.string().min(1).max(128) }),
    query: z.object({ repository }),
    answer: taskAnswer,
  }),
  repositories: get('/api/repositories', 'What is served: each repository with its branch.', {
    params: nothing,
    query: nothing,
    answer: repositoryList,
  }),
} as const satisfies Record<string, Route>

export type Routes = typeof routes
export type RouteName = keyof Routes

/** What a verb is given, and what it answers. */
export interface Asked<Name extends RouteName> {
  readonly params: z.output<Routes[Name]['params']>
  readonly query: z.output<Routes[Name]['query']>
  readonly body: z.output<Routes[Name]['body']>
}
export type Answer<Name extends RouteName> = z.output<Routes[Name]['answer']>

/** Where to go on in a feed: a number, or with the build it counts in, as `b_1:17`. */
export const feedStart = z.string().regex(/^(?:[^:]{1,256}:)?\d{1,15}$/, 'must be a number, or BUILD:NUMBER')
