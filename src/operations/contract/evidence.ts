// Why each merged task of a build can be trusted, as a table.
import { z } from 'zod'
import { removedTask } from './removed-task.ts'
import { probeReport, strengthFields } from './probes.ts'
import { checkRun } from './task-detail.ts'

const provedCheck = checkRun
  .pick({ name: true, kind: true, isGreen: true, how: true, exit: true, tests: true, cached: true, rerun: true })
  .extend({ outputDigest: z.string().describe('of every byte that it printed') })

const provedTask = z.object({
  taskId: z.string(),
  title: z.string(),
  commit: z.string(),
  digest: z.string().nullable().describe('of the evidence, as the commit names it; null: it has none'),
  acceptedBy: z.string().nullable().describe('who took it over unverified; null: nobody had to'),
  tree: z.string(),
  ...strengthFields,
  probes: probeReport.nullable().describe('null: none were made'),
  cleared: z
    .object({ by: z.string(), reasons: z.array(z.string()) })
    .nullable()
    .describe('who cleared findings or thin evidence, and why; null: nobody had to'),
  checks: z.array(provedCheck),
})

export const evidencePage = z.object({
  tasks: z.array(provedTask).describe('in plan order'),
  removed: z.array(removedTask).describe('tasks that somebody took out of its plan: nothing proves them'),
  next: z.string().nullable().describe('what to ask for next; null: there is no more'),
})

export type EvidencePage = z.infer<typeof evidencePage>
export type ProvedTask = EvidencePage['tasks'][number]
