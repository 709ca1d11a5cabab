// Routes for shipping: verify a build, ask the gate, publish.
import { z } from 'zod'
import { calls } from './calls.ts'
import { removedTask } from './removed-task.ts'
import { strengthFields } from './probes.ts'
import { repository } from './repositories.ts'
import { get, post, ref } from './route.ts'

/** Why a build may not be published, and what would change that. */
export const reason = z.object({ code: z.string(), what: z.string(), clear: z.string() })

export const shipRoutes = {
  publish: post(calls.publish, 'Takes the newest build to the base branch, if the gate lets it.', {
    params: z.object({ project_id: ref }),
    body: z
      .strictObject({
        allow_skipped: z.boolean().default(false),
        allow_unverified: z.boolean().default(false),
        push: z.boolean().default(false).describe('push the base branch and the notes with the evidence'),
        deploy: z
          .enum(['again', 'done'])
          .optional()
          .describe('after a deploy that failed or whose end is not known: run it again, or take it as done'),
        repository,
      })
      .prefault({}),
    answer: z.object({
      build_id: z.string(),
      base: z.string(),
      commit: z.string(),
      pushed: z.string().nullable().describe('to which remote; null: it was not asked for'),
      deployed: z.object({ exit: z.number().nullable(), output: z.string() }).nullable(),
    }),
  }),
  verify: post(calls.verify, 'Proves what the commits of a build say once more, in a clean clone, then answers.', {
    params: z.object({ id: ref }),
    body: z
      .strictObject({
        quick: z.boolean().default(false).describe('the checks alone, without the probes'),
        repository,
      })
      .prefault({}),
    answer: z.object({
      ok: z.boolean(),
      commits: z.array(
        z.object({
          commit: z.string(),
          subject: z.string(),
          task: z.string().nullable(),
          is: z.enum(['proved', 'disproved', 'accepted', 'foreign']),
          reasons: z.array(z.string()).describe('why not'),
          ...strengthFields,
          notes: z.array(z.string()).describe('what could not be repeated'),
        }),
      ),
    }),
  }),
  gate: get(calls.gate, 'Whether the newest build may be published, or every reason why not; changes nothing.', {
    params: z.object({ project_id: ref }),
    query: z.object({ repository }),
    answer: z.object({
      build_id: z.string().nullable().describe('null: there is none'),
      base: z.string(),
      ok: z.boolean(),
      reasons: z.array(reason),
      removed: z.array(removedTask).describe('tasks of the build that somebody took out of its plan'),
      commits: z.array(z.string()).describe('what would be published, oldest first'),
      base_moved: z.boolean().describe('the two are put together and verified first'),
      published: z.boolean().describe('the base branch has it all already'),
    }),
  }),
} as const
