// A build on the wire, for products that step through it.
import { z } from 'zod'
import { TASK_TYPES } from '../../core/task/task.ts'

const documents = z.record(z.string(), z.unknown())

const wireTask = z.object({
  id: z.string(),
  title: z.string(),
  goal: z.string(),
  acceptance: z.array(z.string()),
  depends_on: z.array(z.string()),
  files_expected: z.array(z.string()),
  status: z.enum(['todo', 'doing', 'done', 'blocked']),
  type: z.enum(TASK_TYPES).nullable(),
})

const buildGraph = z.object({ tasks: z.array(wireTask), notes: z.string() })

const patchSet = z.object({
  task_id: z.string(),
  diff: z.string().describe('a unified diff; cut after 1 MiB, which the notes say'),
  touched_files: z.array(z.string()),
  notes: z.string(),
})

const validationReport = z.object({
  ok: z.boolean(),
  errors: z.array(z.string()),
  normalized_html: z.string().optional(),
})

const checkReport = z.object({
  ok: z.boolean(),
  typecheck_ok: z.boolean(),
  lint_ok: z.boolean(),
  unit_ok: z.boolean(),
  logs: z.string(),
})

const reviewReport = z.object({
  decision: z.enum(['approve', 'request_changes']),
  reasons: z.array(z.string()),
  required_fixes: z.array(z.string()),
})

const STEP_PHASES = [
  'planning',
  'implementing',
  'verifying',
  'reviewing',
  'iterating',
  'ready',
  'aborted',
  'error',
] as const

const historyEntry = z.object({
  ts: z.number().describe('milliseconds since 1970'),
  phase: z.enum(STEP_PHASES),
  task_id: z.string().nullable(),
  seq: z.number().int().describe('of the fact that changed the phase'),
  event: z.string().describe('the type of that fact'),
})

export const buildState = z.object({
  build_id: z.string(),
  project_id: z.string(),
  phase: z.enum(STEP_PHASES),
  current_task_id: z.string().nullable(),
  brief: documents,
  build_plan: documents,
  product_doc: documents,
  build_graph: buildGraph.nullable().describe('null until it is planned'),
  last_patch: patchSet.nullable(),
  last_validation: validationReport.nullable().describe('null where no validator is configured'),
  last_checks: checkReport.nullable(),
  last_review: reviewReport.nullable(),
  history: z.array(historyEntry).describe('each change of the phase, oldest first; the last 1,000'),
})

export type WireBuildState = z.infer<typeof buildState>
export type WireTask = z.infer<typeof wireTask>
export type WireReview = z.infer<typeof reviewReport>
export type HistoryEntry = z.infer<typeof historyEntry>

/** Documents of another program to plan from. */
export const seedDocuments = z.strictObject({
  brief: documents.default({}),
  build_plan: documents.default({}),
  product_doc: documents.default({}),
})
