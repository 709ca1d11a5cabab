// What a green result is worth, and what the probes saw, on the wire.
import { z } from 'zod'
import { PROBES } from '../../core/evidence/probe-report.ts'
import { STRENGTHS } from '../../core/fact/strength.ts'

/** Together they answer: does a test see this change? */
export const strengthFields = {
  strength: z
    .enum(STRENGTHS)
    .nullable()
    .describe('what the green result is worth; null: nothing is green, or it is from a version without probes'),
  sentence: z
    .string()
    .nullable()
    .describe('the same in one sentence, such as `proved: 3 tests fail without this change`'),
} as const

const flakyTest = z.object({
  check: z.string(),
  name: z.string(),
  failed: z.number().int(),
  runs: z.number().int(),
  on: z.enum(['base', 'candidate']),
})

const witnesses = z.object({
  tests: z.array(z.string()).describe('green with the change and red without it, by name; the first ones'),
  count: z.number().int(),
  by: z.array(z.enum(['base', 'emptied', 'count'])).describe('what they fail on'),
  blind: z.number().int().describe('tests that fail without the change and notice no break of it'),
})

const broken = z.object({
  how: z.enum(['emptied', 'mutant', 'restored']),
  paths: z.array(z.string()),
  line: z.number().int().nullable(),
  what: z.string(),
  result: z.enum(['noticed', 'survived', 'unclear']).describe('unclear: the broken tree could not be built or loaded'),
  by: z.array(z.string()).describe('the first tests that failed'),
  ms: z.number(),
})

export const probeReport = z.object({
  claim: z.enum(['behaviour', 'none']),
  kind: z.enum(['code', 'data', 'inert', 'tests', 'generated', 'nothing']).describe('what the patch changes'),
  newTests: z.number().int(),
  witnesses,
  breaks: z.array(broken).describe('how the change was broken on purpose, and whether a test noticed'),
  flaky: z.array(flakyTest),
  skipped: z.array(z.object({ probe: z.enum(PROBES), why: z.string() })),
  notes: z.array(z.string()),
  accepted: z.array(z.string()).describe('patterns of [evidence] accept that cover the whole change'),
  runs: z
    .array(z.object({ probe: z.enum(PROBES), on: z.enum(['base', 'candidate', 'broken']), times: z.number().int() }))
    .describe('how often the checks ran for the probes'),
  budgetMs: z.number(),
  spentMs: z.number(),
})

export type WireProbes = z.infer<typeof probeReport>
