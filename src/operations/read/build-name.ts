// The names of builds, for people.
import type { Build } from '../../core/builds/build.ts'
import { buildName } from '../../core/builds/build-name.ts'
import type { Seed } from '../../core/plan/seed.ts'
import type { Task } from '../../core/task/task.ts'
import type { BuildContext } from '../builds/builds.ts'

interface Origin {
  readonly source: string | null
  readonly seed: Seed | null
}

/** From what the build was frozen with; `tasks`: its own, in plan order. */
export async function nameOfBuild(
  { store }: Pick<BuildContext, 'store'>,
  { id, idea }: Build,
  { source, seed }: Origin,
  tasks: readonly Task[],
): Promise<string> {
  const title = seed === null ? null : ((await store.ideas.find(idea))?.title ?? null)
  return buildName({ source, seed, title, tasks: tasks.map((task) => task.title) }) ?? id
}

/** In the order of the builds. Reads the tasks once, however many builds there are. */
export async function namesOfBuilds(context: BuildContext, builds: readonly Build[]): Promise<string[]> {
  const { store, scope } = context
  const tasks = builds.length === 0 ? [] : await store.tasks.list(scope, {})
  const shown = tasks.filter(({ status }) => status !== 'split' && status !== 'deleted')
  const byBuild = Map.groupBy(shown, ({ build }) => build)
  return Promise.all(
    builds.map(async (build) => {
      const [kept] = await store.builds.attachments(build.id, 'config')
      const [seed] = await store.builds.attachments(build.id, 'seed')
      const origin = { source: kept?.source ?? null, seed: seed?.seed ?? null }
      return nameOfBuild(context, build, origin, byBuild.get(build.id) ?? [])
    }),
  )
}
