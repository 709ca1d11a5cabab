// A server may work in several repositories; each has a name there.
import { z } from 'zod'

/** Chooses one of them. */
export const repository = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe('its name, as /api/repositories has it; may be left out where only one is served')

/** A query that only chooses the repository. */
export const somewhere = z.object({ repository })

export const repositoryList = z.object({
  repositories: z.array(
    z.object({ name: z.string(), folder: z.string(), branch: z.string().describe('which was checked out') }),
  ),
})
