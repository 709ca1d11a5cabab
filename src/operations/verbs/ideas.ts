// Ideas and the ship gate, over HTTP.
import { originOf } from '../../config/settings/config.ts'
import type { IdeaId } from '../../core/values/id.ts'
import { writtenSpec } from '../../core/idea/spec-text.ts'
import { configForNew } from '../builds/build-config.ts'
import { examineGate, noBuild } from '../serve/manual-actions.ts'
import { type CardPlace, ideaCards, ideaInFull } from '../read/idea-cards.ts'
import { addIdea, findIdea, listIdeas } from '../ideas/ideas.ts'
import type { ServedRepository } from '../serve/served-repository.ts'
import type { VerbContext, Verbs } from './verbs.ts'

/** Where the cards of its ideas come from. */
export function placeOf({ context, name }: ServedRepository): CardPlace {
  return { context, repository: name }
}

export function ideaVerbs({ servedRepo, ideas, stopping }: VerbContext) {
  const { context } = servedRepo
  const place = placeOf(servedRepo)
  return {
    ideas: async ({ query: { phase, after, limit } }) => {
      const page = await listIdeas(context, {
        limit,
        ...(phase === undefined ? {} : { phases: [phase].flat() }),
        ...(after === undefined ? {} : { after }),
      })
      return { ideas: await ideaCards(place, page.ideas), next: page.next }
    },
    addIdea: async ({ body: { text, title, id, auto_advance: advances } }) => {
      const idea = await addIdea(context, {
        text,
        ...(title === undefined ? {} : { title }),
        ...(id === undefined ? {} : { id }),
        advance: advances ? 'auto' : 'manual',
      })
      return ideaInFull(place, idea.id)
    },
    idea: ({ params }) => ideaInFull(place, params.id),
    transition: async ({ params: { id }, body }) => {
      const { to, reason = 'asked for', spec, override, agent = null, run } = body
      await findIdea(context, id)
      await ideas.move(id, {
        to,
        reason,
        missing: override ? 'overridden' : 'refused',
        ...(spec === undefined ? {} : { spec: writtenSpec(id, spec) }),
        agent,
        run: run ? 'here' : 'by-hand',
      })
      return ideaInFull(place, id)
    },
    gate: async ({ params: { project_id: project } }) => {
      const gate = await examineGate(servedRepo, project, stopping)
      if (gate !== null) {
        const { build, base, reasons, commits, removed, hasBaseMoved, isShipped } = gate
        const found = { reasons: [...reasons], removed: [...removed], commits: [...commits] }
        return {
          build_id: build,
          base,
          ok: reasons.length === 0,
          ...found,
          base_moved: hasBaseMoved,
          published: isShipped,
        }
      }
      const { config } = await configForNew({ folder: servedRepo.root, env: servedRepo.env }, null)
      const base = originOf(config, 'ship.base') === 'default' ? context.scope.branch : config.ship.base
      const none = { ok: false, reasons: [noBuild(project as IdeaId)], removed: [], commits: [] }
      return { build_id: null, base, ...none, base_moved: false, published: false }
    },
  } satisfies Partial<Verbs>
}
