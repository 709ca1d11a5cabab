// A build after fact `seq`, for readers that fold later facts themselves with the core's own functions.
import { z } from 'zod'
import { strengthFields } from './probes.ts'
import { removedTask } from './removed-task.ts'
import { finding } from './task-detail.ts'

const attempt = z
  .looseObject({ task: z.string(), number: z.number().int(), phase: z.looseObject({ at: z.string() }) })
  .describe('where a task stands in its attempts')

const task = z.looseObject({ id: z.string(), title: z.string(), status: z.string(), deps: z.array(z.string()) })

export const buildView = z.object({
  seq: z.number().int().describe('of the last fact that is in it; follow the feed from here'),
  build: z.object({
    id: z.string(),
    idea: z.string(),
    spec: z.string().nullable(),
    state: z.enum(['running', 'paused', 'aborted', 'failed', 'complete']),
    configHash: z.string(),
    lastError: z.string().nullable(),
    startedAt: z.number(),
    lastActivityAt: z.number(),
  }),
  name: z.string().describe('what it is made from, for people'),
  limits: z.object({ attempts: z.number(), interventions: z.number(), iterations: z.number() }),
  tasks: z.array(task).describe('in plan order, without those that were split or deleted'),
  removed: z.array(removedTask).describe('tasks that somebody took out of its plan'),
  attempts: z.array(attempt),
  strengths: z
    .array(z.object({ taskId: z.string(), ...strengthFields, findings: z.array(finding) }))
    .describe('of each task with a green tree: the merged one, else the one that was verified last'),
  interventions: z.number().int(),
  spent: z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    costUsd: z.number().nullable(),
    sessions: z.number().int(),
    unpriced: z.number().int().describe('sessions that named no price'),
  }),
  isDriven: z.boolean().describe('whether a loop works on it now'),
  isPlanned: z.boolean(),
  plannings: z.number().int().describe('how often a planner was asked for its plan; 0: the plan was there before'),
  now: z.number().describe("the server's clock, for what has elapsed"),
})

export type WireView = z.infer<typeof buildView>
