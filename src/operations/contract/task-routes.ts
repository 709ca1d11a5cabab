// Routes that write tasks, and routes by which your own agent claims a task, keeps it and gives it back.
import { z } from 'zod'
import { LEASE_DEFAULT_SECONDS, LEASE_SECONDS_MAX, PEEK_DEFAULT, PEEK_MAX, TASK_TYPES } from '../../core/task/task.ts'
import { calls } from './calls.ts'
import { taskAnswer } from './lists.ts'
import { repository, somewhere } from './repositories.ts'
import { get, nothing, post } from './route.ts'

const words = z.string().max(65_536)
const list = z.array(words).max(100)
const id = z.string().min(1).max(128)
const named = z.object({ id })

/** The core reports what is wrong with a text, in the same words as on the command line. */
const text = {
  description: words.nullable().optional().describe('what is to be done, in full'),
  priority: z.number().int().min(0).optional().describe('0 comes first; default: 2'),
  category: words.nullable().optional(),
  type: z.enum(TASK_TYPES).nullable().optional(),
  spec: words.nullable().optional().describe('the spec it belongs to'),
  ref: words.nullable().optional().describe('where to read more'),
  steps: list.optional(),
  acceptance: list.optional().describe('how one sees that it is done'),
  filesExpected: list.optional(),
}

const holder = id.describe('who holds it')
const speaker = holder.optional().describe('who holds it; default: the operator, who needs not')
const leaseSeconds = z.number().int().min(0).max(LEASE_SECONDS_MAX).default(LEASE_DEFAULT_SECONDS)
const result = z.looseObject({ commit: z.string() })
const by = z.strictObject({ by: id.describe('the task that is to be finished before'), repository })

const exampleResults = z.array(
  z.object({ is: z.enum(['holds', 'fails', 'missing', 'unclear']), answer: z.string().describe('what came out') }),
)

export const taskRoutes = {
  sealed: get(calls.sealed, 'The sealed examples of a task with their values; no session may see them.', {
    params: named,
    query: somewhere,
    answer: z.object({
      id: z.string(),
      from: z.enum(['plan', 'settings', 'file']).nullable().describe('null: the task has none'),
      examples: z.array(z.unknown()).describe('as a plan has them: a call or a command, and what has to come out'),
      tried: z
        .object({ tree: z.string(), results: exampleResults, on_base: exampleResults })
        .nullable()
        .describe('null: they were not tried yet'),
    }),
  }),
  addTask: post(calls.addTask, 'Makes a task.', {
    params: nothing,
    body: z.strictObject({
      id: words.describe('1 to 128 characters without white space'),
      title: words,
      ...text,
      deps: list.default([]).describe('tasks that must be finished before it'),
      repository,
    }),
    answer: taskAnswer,
  }),
  updateTask: post(calls.updateTask, 'Changes what is given of a task that is neither done nor deleted.', {
    params: named,
    body: z.strictObject({
      title: words.optional(),
      ...text,
      status: z.enum(['open', 'done', 'deleted']).optional().describe('given back, finished or deleted'),
      agent: speaker,
      repository,
    }),
    answer: taskAnswer,
  }),
  blockTask: post(calls.blockTask, 'Lets a task wait for another.', { params: named, body: by, answer: taskAnswer }),
  unblockTask: post(calls.unblockTask, 'Takes that back.', { params: named, body: by, answer: taskAnswer }),
  claimable: get(calls.claimable, 'The tasks that can be claimed, best first, then all that are being worked on.', {
    params: nothing,
    query: z.object({ limit: z.coerce.number<number>().int().min(1).max(PEEK_MAX).default(PEEK_DEFAULT), repository }),
    answer: z.object({ tasks: z.array(taskAnswer) }),
  }),
  claimTask: post(calls.claimTask, 'Takes a task for the time of a lease; nobody else has it meanwhile.', {
    params: nothing,
    body: z.strictObject({
      agent: holder,
      task_id: id.optional().describe('default: the best one that can be claimed'),
      leaseSeconds,
      repository,
    }),
    answer: z.object({
      task: taskAnswer,
      blockerResults: z.array(z.object({ id: z.string(), result })).describe('what finished blockers left behind'),
    }),
  }),
  renewTask: post(calls.renewTask, 'Makes a lease last longer; only who holds the task can.', {
    params: named,
    body: z.strictObject({ agent: holder, leaseSeconds, repository }),
    answer: taskAnswer,
  }),
  doneTask: post(calls.doneTask, 'Says that a task is done; in a build it counts once the engine has verified it.', {
    params: named,
    body: z
      .strictObject({ agent: speaker, result: result.optional().describe('what dependants see'), repository })
      .prefault({}),
    answer: taskAnswer,
  }),
  failTask: post(calls.failTask, 'Gives a task back, to be claimed again.', {
    params: named,
    body: z
      .strictObject({ agent: speaker, reason: words.optional().describe('kept with the task'), repository })
      .prefault({}),
    answer: taskAnswer,
  }),
} as const
