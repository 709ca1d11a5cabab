// Lists, page by page.
import { z } from 'zod'

const PAGE_DEFAULT = 100
const PAGE_MAX = 1_000

/** The most entries of a page. */
export const limit = z.coerce.number<number>().int().min(1).max(PAGE_MAX).default(PAGE_DEFAULT)

export const cursor = z.string().min(1).max(512).optional().describe('`next` of the page before')

const next = z.string().nullable().describe('what to ask for next; null: there is no more')

const fact = z
  .looseObject({
    type: z.string(),
    seq: z.number().int().describe('its number in the build, from 1, without gaps'),
    at: z.number().describe('milliseconds since 1970'),
    sessionId: z.string(),
    ideaId: z.string(),
  })
  .describe('something that happened, with what belongs to its type')

export const factPage = z.object({ facts: z.array(fact), next: z.number().int().nullable() })

const buildRow = z.object({
  id: z.string(),
  name: z.string().describe('what it is made from, for people'),
  repository: z.string(),
  ideaId: z.string(),
  specId: z.string().nullable(),
  state: z.enum(['running', 'paused', 'aborted', 'failed', 'complete']),
  lastError: z.string().nullable().describe('what went wrong last, also where it went on since'),
  startedAt: z.number(),
  lastActivityAt: z.number(),
})

export const buildPage = z.object({ builds: z.array(buildRow), next })

const taskRow = z.object({
  id: z.string(),
  repository: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  status: z.string(),
  reported: z.boolean().describe('done by a report alone; the next build verifies it'),
  priority: z.number(),
  type: z.string().nullable(),
  claim: z.enum(['behaviour', 'none']).describe('`behaviour`: a test must show what is new'),
  claimFrom: z.enum(['type', 'title', 'default']).describe('what says so'),
  category: z.string().nullable(),
  spec: z.string().nullable(),
  deps: z.array(z.string()),
  steps: z.array(z.string()),
  acceptance: z.array(z.string()),
  filesExpected: z.array(z.string()),
  build: z.string().nullable(),
  assignee: z.string().nullable(),
  leaseExpiresAt: z.number().nullable(),
  retryCount: z.number().int(),
  failReason: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
})

export const taskAnswer = taskRow
export const taskPage = z.object({ tasks: z.array(taskRow), next })

/** The id of a session of any role. */
export const sessionId = z
  .string()
  .min(1)
  .max(512)
  .describe('BUILD.TASK.ATTEMPT.ITERATION, then `.reviewer` or `.sia` for who was asked about it')

/** The figures of every session, whatever its role. */
export const sessionFigures = {
  agent: z.string(),
  startedAt: z.number(),
  durationMs: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().nullable(),
}

const iterationRow = z.object({
  id: z.string().describe('BUILD.TASK.ATTEMPT.ITERATION'),
  taskId: z.string(),
  attempt: z.number().int(),
  iteration: z.number().int(),
  ...sessionFigures,
  signal: z.string().nullable(),
  error: z.string().nullable(),
})

export const iterationList = z.object({ iterations: z.array(iterationRow) })

export const transcriptPage = z.object({
  events: z.array(z.looseObject({})).describe('what the agent said and did, oldest first'),
  next: z.number().int().nullable().describe('the byte to go on from; null: there is no more so far'),
})

export type WireTaskRow = z.infer<typeof taskRow>
export type TranscriptPage = z.infer<typeof transcriptPage>
