// Plans before their builds, over HTTP.
import { planWords, readPlan, savePlan, startPlan } from '../serve/plan-preview.ts'
import type { VerbContext, Verbs } from './verbs.ts'

export function planVerbs({ site, ideas }: VerbContext) {
  return {
    makePlan: async ({ body: { text, idea_id: idea } }) =>
      readPlan(site, (await planWords(site, ideas, { text, idea })).id),
    plan: ({ params }) => readPlan(site, params.id),
    savePlan: async ({ params, body }) => readPlan(site, (await savePlan(site, params.id, body)).id),
    startPlan: async ({ params, body }) => {
      const { id } = await startPlan(site, ideas, params.id, body)
      return { sessionId: id, status: 'started' }
    },
  } satisfies Partial<Verbs>
}
