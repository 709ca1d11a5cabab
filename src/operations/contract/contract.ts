// Every verb on the wire: how to call it, its input and its answer. The server, its OpenAPI description and its clients
// derive from this table. Runs in a browser too.
import { z } from 'zod'
import { PIPELINE_PHASES } from '../../core/idea/pipeline.ts'
import { TASK_STATUSES } from '../../core/task/task.ts'
import { buildState, seedDocuments } from './build-state.ts'
import { calls, type Verb } from './calls.ts'
import { detailRoutes } from './detail-routes.ts'
import { driveOptions } from './drive.ts'
import { ideaAnswer, type ideaNews, ideaPage, phaseFilter } from './ideas.ts'
import {
  buildPage,
  cursor,
  factPage,
  iterationList,
  limit,
  sessionId,
  taskAnswer,
  taskPage,
  transcriptPage,
} from './lists.ts'
import { planRoutes } from './plans.ts'
import { repository, repositoryList, somewhere } from './repositories.ts'
import { get, nothing, post, ref, type Route, text } from './route.ts'
import { reason, shipRoutes } from './ship-routes.ts'
import { taskRoutes } from './task-routes.ts'
import { sessionStatus } from './session-status.ts'
import type { transcriptNews } from './task-detail.ts'

/** The caller may choose an idea's id, but not one that looks like a build's. */
const ideaName = ref.regex(
  /^(?!b_)[^\s\p{C}/]+$/u,
  "must have no white space, control character or slash, and not begin with 'b_'",
)
const onTask = z.strictObject({
  task_id: z.string().max(128).optional().describe('default: the one that waits'),
  repository,
})
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
  reasons: z.array(reason).optional().describe('why a build may not be published, and what would change that'),
})

export type ErrorAnswer = z.infer<typeof errorAnswer>

const idea = z.object({ ideaId: ref })
const session = z.object({ sessionId: ref })
const build = z.object({ build_id: ref })
const empty = z.strictObject({ repository }).prefault({})

export const routes = {
  ...detailRoutes,
  ...planRoutes,
  ...shipRoutes,
  ...taskRoutes,
  status: get(calls.status, 'How the newest build of an idea stands.', {
    params: idea,
    query: somewhere,
    answer: sessionStatus,
  }),
  start: post(calls.start, 'Starts a build over the open tasks, and a loop that works on it.', {
    params: idea,
    body: driveOptions.extend({ repository }).prefault({}),
    answer: z.object({ sessionId: z.string(), status: z.literal('started') }),
  }),
  pause: post(calls.pause, 'Lets the loop end what it is doing, and begin nothing more.', {
    params: session,
    body: empty,
    answer: done,
  }),
  resume: post(calls.resume, 'Hands the build to a loop of this server.', {
    params: session,
    body: driveOptions.extend({ repository }).prefault({}),
    answer: done,
  }),
  skip: post(calls.skip, 'Leaves a task undone; what depends on it may start.', {
    params: session,
    body: onTask.prefault({}),
    answer: done,
  }),
  retry: post(calls.retry, 'Tries a task that waits again, as it is.', {
    params: session,
    body: onTask.prefault({}),
    answer: done,
  }),
  answer: post(calls.answer, 'Tries a task that waits again, with this text in the prompt.', {
    params: session,
    body: onTask.extend({ text }),
    answer: done,
  }),
  resolve: post(
    calls.resolve,
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
  revert: post(calls.revert, 'Takes a merged patch back by a verified commit; the task opens again.', {
    params: session,
    body: z
      .strictObject({
        task_id: z.string().max(128).optional().describe('default: the one that was merged last'),
        repository,
      })
      .prefault({}),
    answer: done.extend({ commit: z.string() }),
  }),
  create: post(calls.create, 'Creates a build that is to be planned. It is driven by step, or by resume.', {
    params: nothing,
    body: z.strictObject({ project_id: ideaName, seed: seedDocuments, repository }),
    answer: buildState,
  }),
  step: post(calls.step, 'Performs one step of a build, and answers when it is done.', {
    params: nothing,
    body: z.strictObject({
      build_id: ref,
      user_message: text
        .optional()
        .describe('goes into the next prompt: of the task that waits, else of the next session'),
      mode: z.enum(['auto', 'plan_only']).default('auto').describe('plan_only: only planning is done'),
      repository,
    }),
    answer: buildState,
  }),
  state: get(calls.state, 'How a build stands, with its plan, last patch, reports and history.', {
    params: build,
    query: somewhere,
    answer: buildState,
  }),
  abort: post(calls.abort, 'Stops the agent at once and ends the build; what was merged stays.', {
    params: build,
    body: empty,
    answer: buildState,
  }),
  ideas: get(calls.ideas, 'The ideas of this repository and branch, newest first.', {
    params: nothing,
    query: z.object({ phase: phaseFilter, after: cursor, limit, repository }),
    answer: ideaPage,
  }),
  addIdea: post(calls.addIdea, 'Writes an idea down, in phase ideation.', {
    params: nothing,
    body: z.strictObject({
      text: text.describe('what is wanted, in words'),
      title: z.string().trim().min(1).max(200).optional().describe('default: its first line'),
      id: ideaName.optional().describe('default: one is made'),
      auto_advance: z.boolean().default(false).describe('a complete build goes on through the ship gate by itself'),
      repository,
    }),
    answer: ideaAnswer,
  }),
  idea: get(calls.idea, 'All about one idea: its words and spec, where it may go, who moved it when and why.', {
    params: z.object({ id: ref }),
    query: z.object({ repository }),
    answer: ideaAnswer,
  }),
  transition: post(
    calls.transition,
    'Moves an idea; what that starts, such as planning or a build, is done by this server after the answer.',
    {
      params: z.object({ id: ref }),
      body: z
        .strictObject({
          to: z.enum(PIPELINE_PHASES),
          reason: z.string().trim().min(1).max(2_000).optional().describe('kept with the move'),
          spec: text.optional().describe('the spec it has from then on, written by you'),
          override: z.boolean().default(false).describe('although something it needs is missing; needs a reason'),
          agent: z.string().max(64).optional().describe('who plans or builds; default: as in ralph.toml'),
          run: z.boolean().default(true).describe('false: you write the spec, and drive the build by step'),
          repository,
        })
        .refine(({ override, reason: why }) => !override || why !== undefined, {
          path: ['reason'],
          message: 'an override needs a reason, which is kept',
        }),
      answer: ideaAnswer,
    },
  ),
  builds: get(calls.builds, 'The builds of this repository and branch, newest first.', {
    params: nothing,
    query: z.object({ idea: ref.optional(), before: cursor, limit, repository }),
    answer: buildPage,
  }),
  facts: get(calls.facts, 'What happened in a build, in order.', {
    params: z.object({ id: ref }),
    query: z.object({ after: z.coerce.number<number>().int().min(0).default(0), limit, repository }),
    answer: factPage,
  }),
  iterations: get(calls.iterations, 'The agent sessions of a build, oldest first.', {
    params: z.object({ id: ref }),
    query: somewhere,
    answer: iterationList,
  }),
  transcript: get(calls.transcript, 'What an agent said and did in a session.', {
    params: z.object({ id: sessionId }),
    query: z.object({ after: z.coerce.number<number>().int().min(0).default(0), limit, repository }),
    answer: transcriptPage,
  }),
  tasks: get(calls.tasks, 'The tasks of this repository and branch, in plan order.', {
    params: nothing,
    query: z.object({
      status: z.enum(TASK_STATUSES).optional(),
      after: cursor,
      limit,
      repository,
    }),
    answer: taskPage,
  }),
  task: get(calls.task, 'One task.', {
    params: z.object({ id: z.string().min(1).max(128) }),
    query: z.object({ repository }),
    answer: taskAnswer,
  }),
  repositories: get(calls.repositories, 'What is served: each repository with its branch.', {
    params: nothing,
    query: nothing,
    answer: repositoryList,
  }),
} as const satisfies Record<Verb, Route>

export type Routes = typeof routes
export type RouteName = keyof Routes

/** The input of a verb, and its answer. */
export interface Asked<Name extends RouteName> {
  readonly params: z.output<Routes[Name]['params']>
  readonly query: z.output<Routes[Name]['query']>
  readonly body: z.output<Routes[Name]['body']>
}
export type Answer<Name extends RouteName> = z.output<Routes[Name]['answer']>

/** All input of a caller in one object: path ids, query and body. */
export type Inputs = { readonly [Name in RouteName]: Input<Routes[Name]> }
export type Answers = { readonly [Name in RouteName]: Answer<Name> }

type Input<One extends Route> = Flat<Part<One['params']> & Part<One['query']> & Part<One['body']>>
/** Ignores whether the whole part may be left out; an empty part adds nothing. */
type Part<Schema extends z.ZodType> = Named<NonNullable<z.input<Schema>>>
type Named<Value> = [Value] extends [never] ? unknown : string extends keyof Value ? unknown : Value
type Flat<Value> = { readonly [Key in keyof Value]: Value[Key] }

/** A message of the ideas feed: an idea as it is now. */
export type IdeaNews = z.output<typeof ideaNews>

/** A message of the transcript feed. */
export type TranscriptNews = z.output<typeof transcriptNews>

/** Where to continue in a feed: a number, or with the build it counts in, as `b_1:17`. */
export const feedStart = z.string().regex(/^(?:[^:]{1,256}:)?\d{1,15}$/, 'must be a number, or BUILD:NUMBER')
