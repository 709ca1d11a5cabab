// The one list of verbs with their HTTP methods and paths. It has no imports, so a page that calls them does not load
// the input validation.
export const calls = {
  status: 'GET /api/build/:ideaId/status',
  start: 'POST /api/build/:ideaId/start',
  pause: 'POST /api/build/:sessionId/pause',
  resume: 'POST /api/build/:sessionId/resume',
  skip: 'POST /api/build/:sessionId/skip',
  retry: 'POST /api/build/:sessionId/retry',
  answer: 'POST /api/build/:sessionId/answer',
  resolve: 'POST /api/build/:sessionId/resolve',
  revert: 'POST /api/build/:sessionId/revert',
  create: 'POST /api/build/start',
  step: 'POST /api/build/step',
  state: 'GET /api/build/:build_id',
  abort: 'POST /api/build/:build_id/abort',
  publish: 'POST /api/projects/:project_id/publish',
  makePlan: 'POST /api/plans',
  plan: 'GET /api/plans/:id',
  savePlan: 'POST /api/plans/:id',
  startPlan: 'POST /api/plans/:id/start',
  verify: 'POST /api/builds/:id/verify',
  gate: 'GET /api/projects/:project_id/gate',
  ideas: 'GET /api/ideas',
  addIdea: 'POST /api/ideas',
  idea: 'GET /api/ideas/:id',
  transition: 'POST /api/ideas/:id/transition',
  builds: 'GET /api/builds',
  facts: 'GET /api/builds/:id/facts',
  view: 'GET /api/builds/:id/view',
  evidence: 'GET /api/builds/:id/evidence',
  taskDetail: 'GET /api/builds/:id/tasks/:task',
  taskPatch: 'GET /api/builds/:id/tasks/:task/diff',
  iterations: 'GET /api/builds/:id/iterations',
  sessions: 'GET /api/builds/:id/sessions',
  transcript: 'GET /api/iterations/:id/transcript',
  outline: 'GET /api/iterations/:id/outline',
  rows: 'GET /api/iterations/:id/rows',
  search: 'GET /api/iterations/:id/search',
  tasks: 'GET /api/tasks',
  task: 'GET /api/tasks/:id',
  sealed: 'GET /api/tasks/:id/sealed',
  addTask: 'POST /api/tasks',
  updateTask: 'POST /api/tasks/:id',
  blockTask: 'POST /api/tasks/:id/block',
  unblockTask: 'POST /api/tasks/:id/unblock',
  claimable: 'GET /api/claims',
  claimTask: 'POST /api/claims',
  renewTask: 'POST /api/tasks/:id/renew',
  doneTask: 'POST /api/tasks/:id/done',
  failTask: 'POST /api/tasks/:id/fail',
  repositories: 'GET /api/repositories',
} as const

export type Verb = keyof typeof calls

/** The live feeds: as a WebSocket at `stream`, as server-sent events at `events`. */
export const feeds = {
  build: '/api/build/:ideaId/stream',
  ideas: '/api/ideas/stream',
  transcript: '/api/iterations/:id/stream',
} as const

/** The path of the same feed as server-sent events. */
export function eventsOf(stream: string): string {
  return stream.replace(/stream$/, 'events')
}

/** Replaces the `:names` in the path; returns the other values. */
export function filledPath(
  path: string,
  input: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...input }
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    delete rest[name]
    return encodeURIComponent(String(input[name]))
  })
  return { path: filled, rest }
}
