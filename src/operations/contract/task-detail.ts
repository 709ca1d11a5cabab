// Everything known about one task in a build: its sessions, their results, the evidence and the reviews.
import { z } from 'zod'
import { sessionFigures } from './lists.ts'
import { probeReport, strengthFields } from './probes.ts'

export const checkRun = z.object({
  name: z.string(),
  kind: z.enum(['check', 'validator']),
  isGreen: z.boolean(),
  how: z.enum(['exited', 'signalled', 'timedOut', 'flooded', 'notStarted', 'notNeeded']),
  exit: z.number().nullable(),
  durationMs: z.number(),
  tests: z
    .object({ source: z.string(), run: z.number(), failed: z.number(), skipped: z.number() })
    .nullable()
    .describe('null: the runner did not say'),
  outputTail: z.string(),
  cached: z.boolean().describe('taken over from an earlier run on the same tree'),
  rerun: z.string().nullable().describe('a command line that runs it again on the same tree'),
})

export const finding = z.object({ rule: z.string(), path: z.string(), line: z.number().nullable(), what: z.string() })

const evidence = z.object({
  id: z.string(),
  attempt: z.number().int().nullable().describe('null: of a fix that a person made'),
  tree: z.string(),
  at: z.number(),
  verdict: z.enum(['green', 'red', 'unverified']),
  ...strengthFields,
  probes: probeReport.nullable().describe('null: none were made'),
  notes: z.array(z.string()),
  checks: z.array(checkRun),
  baseline: z.array(checkRun).describe('the same checks on what the work stands on, where it mattered'),
  secondOpinion: z.object({ restored: z.array(z.string()), checks: z.array(checkRun) }).nullable(),
  findings: z.array(finding),
  cleared: z.object({ by: z.string(), reasons: z.array(z.string()) }).nullable(),
  resolution: z.object({ by: z.string(), text: z.string() }).nullable(),
})

const iteration = z.object({
  id: z.string().describe('BUILD.TASK.ATTEMPT.ITERATION'),
  attempt: z.number().int(),
  iteration: z.number().int(),
  agent: z.string(),
  model: z.string().nullable().describe('null: as the agent itself chooses'),
  startedAt: z.number(),
  durationMs: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().nullable(),
  signal: z.string().nullable(),
  error: z.string().nullable(),
  scratchpad: z.string().nullable(),
})

export const sessionRole = z.enum(['planner', 'implementer', 'reviewer', 'sia'])

const session = z.object({
  id: z.string().describe('as an iteration has it, with `.reviewer`, `.sia` or `.planner` after it'),
  taskId: z.string().nullable().describe('null: about the build as a whole, such as its plan'),
  attempt: z.number().int(),
  iteration: z.number().int().describe('the one that it was asked about; of a planner 2 where it was asked again'),
  role: sessionRole,
  ...sessionFigures,
  failure: z.string().nullable().describe('why it did not come to its own end'),
})

export const sessionList = z.object({
  sessions: z
    .array(session.extend({ state: z.enum(['open', 'settled', 'lost']).describe('lost: its loop was killed') }))
    .describe('oldest first'),
})

const review = z.object({
  attempt: z.number().int(),
  by: z.enum(['rule', 'agent']),
  decision: z.enum(['approve', 'request_changes']),
  reasons: z.array(z.string()),
  requiredFixes: z.array(z.string()),
})

export const taskDetail = z.object({
  folder: z.string().nullable().describe('where its work lies now; null: it has no folder'),
  running: z
    .object({ id: z.string(), attempt: z.number().int(), iteration: z.number().int(), role: sessionRole })
    .nullable()
    .describe('the session that is under way; its transcript can be read already'),
  iterations: z.array(iteration).describe('oldest first'),
  asked: z.array(session).describe('sessions of the reviewer and of SIA that are over, oldest first'),
  evidence: z.array(evidence).describe('oldest first'),
  reviews: z.array(review),
})

export const taskPatch = z.object({
  diff: z.string().describe('a unified diff; cut after 4 MiB'),
  files: z.array(
    z.object({
      path: z.string(),
      change: z.enum(['added', 'modified', 'deleted', 'renamed']),
      from: z.string().optional(),
    }),
  ),
  isWhole: z.boolean(),
  commit: z.string().nullable().describe('null: not merged'),
})

export const transcriptOutline = z.object({
  rows: z.number().int(),
  bytes: z.number().int(),
  marks: z
    .array(z.number().int())
    .describe('the byte at which every hundredth row begins, from the first on; with `from`, only those after it'),
})

const transcriptRow = z.object({
  at: z.string().nullable(),
  type: z.enum(['text', 'thinking', 'log', 'toolUse', 'toolResult', 'usage', 'unknown']),
  tool: z.string().nullable(),
  isError: z.boolean(),
  text: z.string().describe('its beginning, of the asked length'),
  length: z.number().int().describe('characters that there are'),
  byte: z.number().int().describe('where it begins'),
})

export const transcriptRows = z.object({ rows: z.array(transcriptRow) })

/** A message of the transcript feed. It is not a fact, and nobody stores it. */
export const transcriptNews = z.union([
  z.object({ type: z.literal('grew'), bytes: z.number().int().describe('what there is of it now') }),
  z.object({ type: z.literal('begun') }).describe('another session has a transcript in the same place'),
  z.object({ type: z.literal('ended') }).describe('the session is over; nothing follows'),
])

export const transcriptFound = z.object({
  rows: z.array(z.number().int()).describe('the numbers of the rows that hold it, from 0'),
  isWhole: z.boolean().describe('false: there are more than 1,000'),
})

export type TaskDetail = z.infer<typeof taskDetail>
export type TaskEvidence = TaskDetail['evidence'][number]
export type WireCheckRun = z.infer<typeof checkRun>
export type WireIteration = z.infer<typeof iteration>
export type WireSession = z.infer<typeof session>
export type SessionRole = z.infer<typeof sessionRole>
export type TaskPatch = z.infer<typeof taskPatch>
export type TranscriptOutline = z.infer<typeof transcriptOutline>
export type TranscriptRow = z.infer<typeof transcriptRow>
export type TranscriptFound = z.infer<typeof transcriptFound>
