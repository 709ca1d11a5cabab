// Every place of the page has its own address.

export type Route =
  | { readonly at: 'home' }
  | { readonly at: 'ideas' }
  | { readonly at: 'idea'; readonly idea: string }
  | { readonly at: 'start' }
  /** The plan of an idea before its build. */
  | { readonly at: 'plan'; readonly idea: string }
  | { readonly at: 'build'; readonly build: string; readonly tab: BuildTab }
  | TaskRoute
  | { readonly at: 'nowhere'; readonly path: string }

/** Without a session: the task as a whole. */
export interface TaskRoute {
  readonly at: 'task'
  readonly build: string
  readonly task: string
  readonly session: { readonly name: string; readonly part: SessionPart } | null
}

export const SESSION_PARTS = ['transcript', 'diff', 'checks', 'review', 'scratchpad'] as const
export type SessionPart = (typeof SESSION_PARTS)[number]

export const BUILD_TABS = ['tasks', 'graph', 'timeline', 'log', 'planning', 'ship'] as const
export type BuildTab = (typeof BUILD_TABS)[number]

export function routeOf(path: string): Route {
  const [first, build, word, rest, ...more] = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
  if (first === undefined) return { at: 'home' }
  if (first === 'ideas' || first === 'start') {
    if (build === undefined) return { at: first }
    if (word === undefined) return { at: first === 'ideas' ? 'idea' : 'plan', idea: build }
  }
  if (first !== 'build' || build === undefined) return { at: 'nowhere', path }
  if (word === undefined) return { at: 'build', build, tab: 'tasks' }
  const tab = BUILD_TABS.find((name) => name === word)
  if (tab !== undefined && rest === undefined) return { at: 'build', build, tab }
  if (word === 'task' && rest !== undefined) {
    const [name, part = 'transcript', ...beyond] = more
    if (name === undefined) return { at: 'task', build, task: rest, session: null }
    const known = SESSION_PARTS.find((one) => one === part)
    if (known !== undefined && beyond.length === 0)
      return { at: 'task', build, task: rest, session: { name, part: known } }
  }
  return { at: 'nowhere', path }
}

export function pathOf(route: Route): string {
  const path = (...parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join('/')}`
  switch (route.at) {
    case 'home':
      return '/'
    case 'ideas':
    case 'start':
      return path(route.at)
    case 'idea':
      return path('ideas', route.idea)
    case 'plan':
      return path('start', route.idea)
    case 'build':
      return route.tab === 'tasks' ? path('build', route.build) : path('build', route.build, route.tab)
    case 'task':
      return path('build', route.build, 'task', route.task, ...sessionPath(route.session))
    case 'nowhere':
      return route.path
  }
}

function sessionPath(session: TaskRoute['session']): readonly string[] {
  if (session === null) return []
  return session.part === 'transcript' ? [session.name] : [session.name, session.part]
}

/** A part that cannot be decoded names nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
