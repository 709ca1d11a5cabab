// Ideas on the wire.
import { z } from 'zod'
import { PIPELINE_PHASES } from '../../core/idea/pipeline.ts'
import { TASK_TYPES } from '../../core/task/task.ts'
import { startedStatus } from './session-status.ts'

const phase = z.enum(PIPELINE_PHASES)
const instant = z.number().describe('milliseconds since 1970')

/** One phase or several. */
export const phaseFilter = z.union([phase, z.array(phase)]).optional()

const card = z.object({
  id: z.string(),
  title: z.string(),
  phase,
  resumes: phase.nullable().describe('of what is paused or has failed: where it was before'),
  legal: z.array(phase).describe('where it may go from here'),
  auto_advance: z.boolean().describe('a complete build goes on through the ship gate by itself'),
  repository: z.string().nullable().describe('null: nobody has said yet where it is to be built'),
  base: z.string().nullable().describe('the branch that a finished build goes to'),
  spec_id: z.string().nullable(),
  build: startedStatus
    .pick({ sessionId: true, status: true, progress: true, lastError: true, startedAt: true })
    .nullable()
    .describe('how its newest build stands'),
  created_at: instant,
  updated_at: instant,
})

export const ideaPage = z.object({
  ideas: z.array(card),
  next: z.string().nullable().describe('what to ask for next; null: there is no more'),
})

const specTask = z.object({
  id: z.string(),
  title: z.string(),
  goal: z.string(),
  acceptance: z.array(z.string()),
  depends_on: z.array(z.string()),
  files_expected: z.array(z.string()),
  type: z.enum(TASK_TYPES).nullable(),
})

const move = z.object({
  at: instant,
  by: z.string(),
  from: phase,
  to: phase,
  reason: z.string(),
  overridden: z.array(z.string()).describe('what it needs and a person let pass'),
})

export const ideaAnswer = card.extend({
  text: z.string().describe('what is wanted, in words'),
  spec: z
    .object({
      id: z.string(),
      text: z.string(),
      tasks: z.array(specTask).nullable().describe('null: whoever builds it plans first'),
    })
    .nullable(),
  moves: z.array(move).describe('the last 1,000, oldest first'),
})

/** Where to continue in the ideas feed: a time for each served repository. */
export const boardPlaces = z.string().regex(/^\d{1,15}(?:\.\d{1,15}){0,99}$/, "must be what 'after' was")

/** A message of the ideas feed: an idea as it is now. */
export const ideaNews = z.object({
  type: z.literal('idea'),
  after: z.string().describe('where to go on: everything that was changed up to then has been told'),
  idea: card,
})

export type IdeaCard = z.infer<typeof card>
export type WireIdea = z.infer<typeof ideaAnswer>
