// Several repositories behind one server: each request goes to the repository that it is about.
import { refuse } from '../../core/error/error.ts'
import { taskId } from '../../core/values/id.ts'
import { subjectOfSession } from '../../core/session/session-name.ts'
import type { BuildContext } from '../builds/builds.ts'
import { type Asked, type RouteName, routes } from '../contract/contract.ts'
import type { CardPlace } from '../read/idea-cards.ts'
import type { ServedRepository } from '../serve/served-repository.ts'
import { knowsWork, namesOf, onlyOne, placeKnowing, repositoriesMeant } from '../feed/which-repository.ts'
import { placeOf } from './ideas.ts'
import { type VerbContext, type VerbOf, type Verbs, verbsBy, verbsOf } from './verbs.ts'

type Fields = Readonly<Record<string, unknown>>

interface Place extends CardPlace {
  readonly verbs: Verbs
}

export type VerbContexts = readonly [VerbContext, ...VerbContext[]]

export function verbsOfAll(contexts: VerbContexts): Verbs {
  const places = contexts.map((context): Place => ({ ...placeOf(context.servedRepo), verbs: verbsOf(context) }))
  return { ...verbsBy((name) => forward(places, name)), ...listsOfAll(places) }
}

function forward<Name extends RouteName>(places: readonly Place[], name: Name): VerbOf<Name> {
  return async (asked) => (onlyMeant(places, asked) ?? (await placeAbout(places, name, asked))).verbs[name](asked)
}

/** The repository that the request names, or the only one there is; null: there are several. */
function onlyMeant(places: readonly Place[], { body, query }: AnyAsked): Place | null {
  const named = { ...fieldsOf(body), ...fieldsOf(query) }['repository']
  const [only, ...others] = repositoriesMeant(places, typeof named === 'string' ? named : undefined)
  return only !== undefined && others.length === 0 ? only : null
}

type AnyAsked = Readonly<Record<keyof Asked<RouteName>, unknown>>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

/** These verbs name nothing that a repository could know already. */
const making: readonly RouteName[] = ['start', 'create', 'addIdea', 'makePlan', 'addTask', 'claimTask', 'claimable']

async function placeAbout(places: readonly Place[], name: RouteName, asked: AnyAsked): Promise<Place> {
  const { ref, is } = subjectOf(name, asked)
  const known = await Promise.all(places.map(({ context }) => knows[is](context, ref)))
  const found = onlyOne(
    places.filter((_, at) => known[at]),
    ref,
  )
  if (found !== null) return found
  // A repository that does not know the subject refuses it in the right words.
  const [first] = places
  if (first === undefined || making.includes(name)) throw refuse('REPOSITORY_UNSAID', { names: namesOf(places) })
  return first
}

/** The repository that has this build or idea; where none has it, the first, which refuses it in the right words. */
export async function repositoryKnowing(
  servedRepos: readonly [ServedRepository, ...ServedRepository[]],
  ref: string,
  named?: string,
): Promise<ServedRepository> {
  const places = servedRepos.map((servedRepo) => ({ ...placeOf(servedRepo), servedRepo }))
  const meant = repositoriesMeant(places, named)
  const found = (await placeKnowing(meant, ref)) ?? meant[0]
  return found?.servedRepo ?? servedRepos[0]
}

interface Subject {
  readonly ref: string
  readonly is: keyof typeof knows
}

/** A session is named after its build or idea; most routes name a build or an idea first. */
function subjectOf(name: RouteName, { params, body }: AnyAsked): Subject {
  const { path } = routes[name]
  const [named] = Object.values(fieldsOf(params))
  const { build_id: build, project_id: project, idea_id: idea } = fieldsOf(body)
  const ref = String(named ?? build ?? project ?? idea ?? '')
  if (path.startsWith('/api/tasks/')) return { ref, is: 'task' }
  return { ref: path.startsWith('/api/iterations/') ? subjectOfSession(ref) : ref, is: 'work' }
}

const knows = {
  task: async ({ store, scope }: BuildContext, ref: string) => (await store.tasks.find(scope, taskId(ref))) !== null,
  work: knowsWork,
} as const

/** Verbs that answer for all repositories together, unless the request names one. */
function listsOfAll(places: readonly Place[]) {
  return {
    repositories: async (asked) => {
      const answers = await Promise.all(places.map(({ verbs }) => verbs.repositories(asked)))
      return { repositories: answers.flatMap(({ repositories }) => repositories) }
    },
    builds: async (asked) => {
      const only = onlyMeant(places, asked)
      if (only !== null) return only.verbs.builds(asked)
      const { before, limit } = asked.query
      const { entries: builds, next } = await listAll(
        places,
        { name: 'before', value: before },
        limit,
        async (at, own) => {
          const query = { ...asked.query, before: own.cursor, limit: own.limit }
          const page = await at.verbs.builds({ ...asked, query })
          return { entries: page.builds, next: page.next }
        },
      )
      return { builds, next }
    },
    tasks: async (asked) => {
      const only = onlyMeant(places, asked)
      if (only !== null) return only.verbs.tasks(asked)
      const { after, limit } = asked.query
      const { entries: tasks, next } = await listAll(
        places,
        { name: 'after', value: after },
        limit,
        async (at, own) => {
          const query = { ...asked.query, after: own.cursor, limit: own.limit }
          const page = await at.verbs.tasks({ ...asked, query })
          return { entries: page.tasks, next: page.next }
        },
      )
      return { tasks, next }
    },
    ideas: async (asked) => {
      const only = onlyMeant(places, asked)
      if (only !== null) return only.verbs.ideas(asked)
      const { after, limit } = asked.query
      const { entries: ideas, next } = await listAll(
        places,
        { name: 'after', value: after },
        limit,
        async (at, own) => {
          const query = { ...asked.query, after: own.cursor, limit: own.limit }
          const page = await at.verbs.ideas({ ...asked, query })
          return { entries: page.ideas, next: page.next }
        },
      )
      return { ideas, next }
    },
  } satisfies Partial<Verbs>
}

interface Page<Entry> {
  readonly entries: Entry[]
  readonly next: string | null
}

/** Repository after repository. The cursor begins with the number of the repository, as `1.b_2`. */
async function listAll<Entry>(
  places: readonly Place[],
  cursor: { readonly name: string; readonly value: string | undefined },
  limit: number,
  pageOf: (place: Place, own: { readonly cursor: string | undefined; readonly limit: number }) => Promise<Page<Entry>>,
): Promise<Page<Entry>> {
  const from = /^(\d{1,3})\.(.*)$/s.exec(cursor.value ?? '0.')
  if (from === null || places[Number(from[1])] === undefined)
    throw refuse('INPUT_BAD', { problem: `${cursor.name}: must be what 'next' of the page before was` })
  const entries: Entry[] = []
  let [at, inner] = [Number(from[1]), from[2] ?? '']
  for (let place = places[at]; place !== undefined; place = places[(at += 1)]) {
    const left = limit - entries.length
    if (left === 0) return { entries, next: `${at}.` }
    const page = await pageOf(place, { cursor: inner === '' ? undefined : inner, limit: left })
    entries.push(...page.entries)
    if (page.next !== null) return { entries, next: `${at}.${page.next}` }
    inner = ''
  }
  return { entries, next: null }
}
