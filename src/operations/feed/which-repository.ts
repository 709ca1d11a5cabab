// Finds which of several repositories is meant: by its name, or by what it knows.
import { refuse } from '../../core/error/error.ts'
import type { IdeaId } from '../../core/values/id.ts'
import { type BuildContext, buildNamed } from '../builds/builds.ts'
import type { CardPlace } from '../read/idea-cards.ts'

interface NamedRepository {
  /** The repository's name among those that are served. */
  readonly repository: string
}

/** The repository of this name; all of them where no name is given. */
export function repositoriesMeant<Place extends NamedRepository>(
  places: readonly Place[],
  said?: string,
): readonly Place[] {
  if (said === undefined) return places
  const found = places.filter(({ repository }) => repository === said)
  if (found.length === 0) throw refuse('REPOSITORY_UNKNOWN', { name: said, names: namesOf(places) })
  return found
}

/** Null: none of them knows it. */
export function onlyOne<Place extends NamedRepository>(knowing: readonly Place[], ref: string): Place | null {
  const [found, ...others] = knowing
  if (found !== undefined && others.length > 0) throw refuse('REPOSITORY_UNCLEAR', { ref, names: namesOf(knowing) })
  return found ?? null
}

export function namesOf(places: readonly NamedRepository[]): string {
  return places.map(({ repository }) => `'${repository}'`).join(', ')
}

/** The only repository that knows this build or idea; null: none of them does. */
export async function placeKnowing<Place extends CardPlace>(
  places: readonly Place[],
  ref: string,
): Promise<Place | null> {
  const known = await Promise.all(places.map(({ context }) => knowsWork(context, ref)))
  return onlyOne(
    places.filter((_, at) => known[at]),
    ref,
  )
}

/** Whether this repository has the build or idea. Shared stores all know an idea, but it belongs to one repository. */
export async function knowsWork(context: BuildContext, ref: string): Promise<boolean> {
  if ((await buildNamed(context, ref)) !== null) return true
  const { store, scope } = context
  const project = (await store.ideas.find(ref as IdeaId))?.project
  return project?.repository === scope.repo && project.base === scope.branch
}
