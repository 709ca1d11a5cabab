// A build on the wire, for products that know sessions.
import { z } from 'zod'
import { strengthFields } from './probes.ts'

const sessionTask = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string().nullable(),
  status: z.enum(['pending', 'running', 'completed', 'failed']),
  attempt: z.number().int().describe('0: not begun'),
  dependsOn: z.array(z.string()),
  lastError: z.string().nullable(),
  ...strengthFields,
})

const instant = z.number().describe('milliseconds since 1970')

export const startedStatus = z.object({
  sessionId: z.string(),
  ideaId: z.string(),
  status: z.enum(['active', 'paused', 'complete', 'failed', 'human_needed']),
  progress: z.object({
    total: z.number().int(),
    completed: z.number().int(),
    failed: z.number().int(),
    current: z.string().nullable().describe('the name of the current task'),
    currentAttempt: z.number().int(),
  }),
  siaInterventions: z.number().int(),
  lastError: z
    .string()
    .nullable()
    .describe('why it waits for a human, else what went wrong last; null where nothing did, and once it is complete'),
  generatedFiles: z.number().int().describe('files that the merged tasks added or changed'),
  commits: z.number().int(),
  specId: z.string().nullable(),
  startedAt: instant,
  lastActivityAt: instant,
  tasks: z.array(sessionTask),
  completedTasks: z.array(z.string()),
  failedTasks: z.array(z.string()).describe('those that wait for a human, and those that were skipped'),
  currentTaskIndex: z.number().int().describe('of the first unsettled task'),
  currentAttempt: z.number().int(),
  isDriven: z.boolean().describe('whether a loop works on it now'),
  waiting: z.array(z.object({ taskId: z.string(), taskName: z.string(), reason: z.string() })),
})

export const sessionStatus = z.union([z.object({ status: z.literal('not_started') }), startedStatus])

export type StartedStatus = z.infer<typeof startedStatus>
