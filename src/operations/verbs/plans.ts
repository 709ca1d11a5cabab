// Plans before their builds, over HTTP.
import { planWords, readPlan, savePlan, startPlan } from '../serve/plan-preview.ts'
import type { VerbContext, Verbs } from './verbs.ts'

export function planVerbs({ servedRepo, ideas }: VerbContext) {
  return {
    makePlan: async ({ body: { text, idea_id: idea } }) =>
      readPlan(servedRepo, (await planWords(servedRepo, ideas, { text, idea })).id),
    plan: ({ params }) => readPlan(servedRepo, params.id),
    savePlan: async ({ params, body }) => readPlan(servedRepo, (await savePlan(servedRepo, params.id, body)).id),
    startPlan: async ({ params, body }) => {
      const { id } = await startPlan(servedRepo, ideas, params.id, body)
      return { sessionId: id, status: 'started' }
    },
  } satisfies Partial<Verbs>
}
