// A task of a build that somebody removed from its plan.
import { z } from 'zod'

export const removedTask = z.object({
  id: z.string(),
  title: z.string(),
  at: z.number().describe('milliseconds since 1970'),
  during: z.enum(['session', 'pause']).describe('session: while an agent of the build worked; it counts as skipped'),
})
