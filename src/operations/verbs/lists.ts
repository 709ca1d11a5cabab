// Lists, page by page.
import type { BuildId, IdeaId } from '../../core/values/id.ts'
import { namesOfBuilds } from '../read/build-name.ts'
import { readBuildView } from '../read/build-view.ts'
import { requireNamed } from '../builds/builds.ts'
import type { ServedRepository } from '../serve/served-repository.ts'
import { iterationName } from '../read/sessions.ts'
import { readTranscript } from '../read/transcript-page.ts'
import type { Verbs } from './verbs.ts'
import { wireFact } from '../feed/feed-piece.ts'

export function listVerbs(servedRepo: ServedRepository) {
  const { context, root, name: repository } = servedRepo
  const { store, scope } = context
  return {
    repositories: async () => ({ repositories: [{ name: repository, folder: root, branch: scope.branch }] }),
    builds: async ({ query: { idea, before, limit } }) => {
      const found = await store.builds.list(scope, {
        limit: limit + 1,
        ...(idea === undefined ? {} : { idea: idea as IdeaId }),
        ...(before === undefined ? {} : { before: before as BuildId }),
      })
      const shown = found.slice(0, limit)
      const names = await namesOfBuilds(context, shown)
      const builds = shown.map(({ idea: ideaId, spec, configHash: _, ...rest }, at) => {
        return { ...rest, name: names[at] ?? rest.id, ideaId, specId: spec, repository }
      })
      return { builds, next: found.length > limit ? (builds.at(-1)?.id ?? null) : null }
    },
    facts: async ({ params, query: { after, limit } }) => {
      const build = await requireNamed(context, params.id)
      const found = await store.builds.facts(build.id, after, limit + 1)
      const facts = found.slice(0, limit).map((one) => wireFact(build, one))
      return { facts, next: found.length > limit ? (facts.at(-1)?.seq ?? null) : null }
    },
    view: async ({ params }) => readBuildView(context, (await requireNamed(context, params.id)).id),
    iterations: async ({ params }) => {
      const { id } = await requireNamed(context, params.id)
      const records = await store.builds.attachments(id, 'iteration')
      return {
        iterations: records.map((record) => ({ ...record, id: iterationName(id, record), taskId: record.task })),
      }
    },
    transcript: ({ params, query }) => readTranscript(servedRepo, params.id, query.after, query.limit),
  } satisfies Partial<Verbs>
}
