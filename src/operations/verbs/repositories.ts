// Several repositories behind one door: each request goes to the one that it is about.
import { refuse } from '../../core/error/error.ts'
import { taskId } from '../../core/values/id.ts'
import { subjectOfSession } from '../../core/session/session-name.ts'
import type { BuildContext } from '../builds/builds.ts'
import { type Asked, type RouteName, routes } from '../contract/contract.ts'
import type { CardPlace } from '../ideas/idea-cards.ts'
import type { ServedRepository } from '../serve/served-repository.ts'
import { knowsWork, namesOf, onlyOne, placeKnowing, repositoriesMeant } from '../feed/which-repository.ts'
import { placeOf } from './ideas.ts'
import { type VerbContext, type Verbs, verbsOf } from './verbs.ts'

type Handle = (asked: Asked<RouteName>) => Promise<unknown>
type Fields = Readonly<Record<string, unknown>>

interface Place extends CardPlace {
  readonly verbs: Readonly<Record<RouteName, Handle>>
}

export type VerbContexts = readonly [VerbContext, ...VerbContext[]]

export function verbsOfAll(contexts: VerbContexts): Verbs {
  const places = contexts.map((context): Place => {
    return { ...placeOf(context.servedRepo), verbs: verbsOf(context) as unknown as Place['verbs'] }
  })
  const names = Object.keys(routes) as RouteName[]
  const handles = names.map((name): [RouteName, Handle] => [name, (asked) => answered(places, name, asked)])
  return Object.fromEntries(handles) as unknown as Verbs
}

async function answered(places: readonly Place[], name: RouteName, asked: Asked<RouteName>): Promise<unknown> {
  const said = { ...(asked.body as Fields | undefined), ...(asked.query as Fields) }['repository']
  const [only, ...others] = repositoriesMeant(places, typeof said === 'string' ? said : undefined)
  if (only !== undefined && others.length === 0) return only.verbs[name](asked)
  if (name === 'repositories') return repositoriesOf(places, asked)
  const list = lists[name]
  if (list !== undefined) return listed(places, name, list, asked)
  return (await placeAbout(places, name, asked)).verbs[name](asked)
}

/** Verbs that name nothing that is known already. */
const making: readonly RouteName[] = ['start', 'create', 'addIdea', 'makePlan', 'addTask', 'claimTask', 'claimable']

async function placeAbout(places: readonly Place[], name: RouteName, asked: Asked<RouteName>): Promise<Place> {
  const { ref, is } = subjectOf(name, asked)
  const known = await Promise.all(places.map(({ context }) => knows[is](context, ref)))
  const found = onlyOne(
    places.filter((_, at) => known[at]),
    ref,
  )
  if (found !== null) return found
  // Whoever does not know it says so in the right words.
  const [first] = places
  if (first === undefined || making.includes(name)) throw refuse('REPOSITORY_UNSAID', { names: namesOf(places) })
  return first
}

/** The one that has this build or idea; where none has, the first, which says so in the right words. */
export async function siteKnowing(
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
function subjectOf(name: RouteName, { params, body }: Asked<RouteName>): Subject {
  const { path } = routes[name]
  const [named] = Object.values(params as Fields)
  const { build_id: build, project_id: project, idea_id: idea } = (body ?? {}) as Fields
  const ref = String(named ?? build ?? project ?? idea ?? '')
  if (path.startsWith('/api/tasks/')) return { ref, is: 'task' }
  return { ref: path.startsWith('/api/iterations/') ? subjectOfSession(ref) : ref, is: 'work' }
}

const knows = {
  task: async ({ store, scope }: BuildContext, ref: string) => (await store.tasks.find(scope, taskId(ref))) !== null,
  work: knowsWork,
} as const

interface List {
  /** The field of the query that says where to go on. */
  readonly cursor: string
  /** The field of the answer that has the entries. */
  readonly entries: string
}

const lists: Readonly<Partial<Record<RouteName, List>>> = {
  builds: { cursor: 'before', entries: 'builds' },
  tasks: { cursor: 'after', entries: 'tasks' },
  ideas: { cursor: 'after', entries: 'ideas' },
}

/** Repository after repository; where to go on is said with the number of the repository, as `1.b_2`. */
async function listed(
  places: readonly Place[],
  name: RouteName,
  { cursor, entries }: List,
  asked: Asked<RouteName>,
): Promise<Fields> {
  const query = asked.query as Fields & { readonly limit: number }
  const from = /^(\d{1,3})\.(.*)$/s.exec(String(query[cursor] ?? '0.'))
  if (from === null || places[Number(from[1])] === undefined)
    throw refuse('INPUT_BAD', { problem: `${cursor}: must be what 'next' of the page before was` })
  const found: unknown[] = []
  let [at, inner] = [Number(from[1]), from[2] ?? '']
  for (let place = places[at]; place !== undefined; place = places[(at += 1)]) {
    const limit = query.limit - found.length
    if (limit === 0) return { [entries]: found, next: `${at}.` }
    const own = { ...query, limit, [cursor]: inner === '' ? undefined : inner }
    const page = (await place.verbs[name]({ ...asked, query: own } as Asked<RouteName>)) as Fields
    found.push(...(page[entries] as unknown[]))
    if (page['next'] !== null) return { [entries]: found, next: `${at}.${String(page['next'])}` }
    inner = ''
  }
  return { [entries]: found, next: null }
}

async function repositoriesOf(places: readonly Place[], asked: Asked<RouteName>): Promise<Fields> {
  const answers = await Promise.all(places.map(({ verbs }) => verbs.repositories(asked)))
  return { repositories: answers.flatMap((one) => (one as { repositories: unknown[] }).repositories) }
}
