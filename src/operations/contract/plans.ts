// A plan on its way from a goal to a build, on the wire.
import { z } from 'zod'
import { PIPELINE_PHASES } from '../../core/idea/pipeline.ts'
import { TASK_TYPES } from '../../core/task/task.ts'
import { calls } from './calls.ts'
import { repository, somewhere } from './repositories.ts'
import { get, nothing, post, ref } from './route.ts'

const phase = z.enum(PIPELINE_PHASES)
/** The longest text to plan from, in characters; its bytes are checked later. */
const SEED_LENGTH_MAX = 262_144
const TASKS_MAX = 10_000
const words = z.string().max(65_536)
const list = z.array(words).max(100)

/** The core reports what is wrong with a task, in the same words as during planning. */
const planTask = z.strictObject({
  id: words,
  title: words,
  goal: words,
  acceptance: list,
  depends_on: list.default([]),
  files_expected: list.default([]),
  type: z.enum(TASK_TYPES).nullable().default(null),
})

const draft = z.strictObject({ tasks: z.array(planTask).max(TASKS_MAX), notes: words.default('') })

export const plan = z.object({
  idea_id: z.string(),
  title: z.string(),
  text: z.string().describe('what is wanted, in words'),
  phase,
  resumes: phase.nullable(),
  tasks: z.array(planTask).nullable().describe('null: there is no plan yet'),
  notes: z.string(),
  planner: z.string().describe('the agent that plans'),
  planning_since: z.number().nullable().describe('milliseconds since 1970; null: nobody plans it now'),
  told: z.string().nullable().describe('what is to be known of the planning now, such as a limit that is waited out'),
  problem: z.string().nullable().describe('why the last planning gave no plan'),
  planner_sessions: z
    .array(z.string())
    .describe('what planners said for it, as ids of sessions, oldest first; the last one while it is planned'),
  known: z.array(z.string()).describe('tasks outside of it that its own may wait for'),
  also_built: z.number().int().describe('tasks that are open already, and are built as well'),
  build_id: z.string().nullable(),
  updated_at: z.number().describe('milliseconds since 1970; follow the feed of ideas from here'),
})

export type WirePlan = z.infer<typeof plan>
export type PlanTask = z.infer<typeof planTask>
export type PlanDraft = z.infer<typeof draft>

const named = z.object({ id: ref })

export const planRoutes = {
  makePlan: post(
    calls.makePlan,
    'Makes a plan without a build: writes an idea down and asks the planner, or takes a list of tasks as it is. Answers at once.',
    {
      params: nothing,
      body: z.strictObject({
        text: z.string().trim().min(1).max(SEED_LENGTH_MAX).describe('a goal, a spec, or a list of tasks'),
        idea_id: ref.optional().describe('an idea whose words these are from now on; default: a new one'),
        repository,
      }),
      answer: plan,
    },
  ),
  plan: get(calls.plan, 'The plan of an idea, or how the planning of it stands.', {
    params: named,
    query: somewhere,
    answer: plan,
  }),
  savePlan: post(calls.savePlan, 'Keeps a plan that somebody changed; it is not built yet.', {
    params: named,
    body: draft.extend({ repository }),
    answer: plan,
  }),
  startPlan: post(calls.startPlan, 'Starts a build with this plan, and a loop that works on it.', {
    params: named,
    body: draft.extend({ repository }),
    answer: z.object({ sessionId: z.string(), status: z.literal('started') }),
  }),
} as const
