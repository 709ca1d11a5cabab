// How the loops of a server drive a build.
import { z } from 'zod'
import { WORKERS_MAX } from '../../core/values/limits.ts'

/** The same limits as in ralph.toml. */
const USD_MAX = 1_000_000
const TOKENS_MAX = 1_000_000_000_000

const budget = z
  .strictObject({
    usd: z.number().min(0).max(USD_MAX).optional().describe('US dollars; 0: no limit'),
    tokens: z.number().int().min(0).max(TOKENS_MAX).optional().describe('0: no limit'),
  })
  .describe('what the build may use in all, from now on')

export const driveOptions = z.strictObject({
  max_iterations: z.number().int().min(1).max(1_000_000).optional().describe('in this run, beyond the limit'),
  workers: z.number().int().min(1).max(WORKERS_MAX).optional().describe('tasks at the same time'),
  budget: budget.optional(),
})

export type WireDriveOptions = z.output<typeof driveOptions>
