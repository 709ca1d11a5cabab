// The only file that opens rooms. Nearly every command needs the SQLite store; the other rooms are loaded on demand.
import { basename, join } from 'node:path'
import type { Readiness } from './agents/agent.ts'
import type { AgentName, Config } from './config/settings/config.ts'
import { findPlace, stateFolder, statesReached } from './config/paths/place.ts'
import { checkoutRoot, findRepository, worktreeOf } from './config/paths/repository.ts'
import { branchOf } from './core/builds/build.ts'
import { refuse } from './core/error/error.ts'
import type { SessionAnswers, SessionRequest } from './core/request/session-request.ts'
import type { EngineDeps, Watcher } from './engine/deps.ts'
import { insideOf } from './system/process-table/inside.ts'
import { openSqliteStore } from './store/sqlite/sqlite-store.ts'
import type { Scope, Store } from './store/store.ts'
import type { ServedRepository } from './operations/serve/served-repository.ts'
import type { CleanClone } from './operations/ship/clean-clone.ts'
import type { Workspaces } from './workspace/workspace.ts'
import type { Environment } from './core/values/environment.ts'

const PLATFORM = `${process.platform}-${process.arch} node ${process.version}`

export interface VerbContext {
  readonly store: Store
  readonly scope: Scope
}

/** The task store of the repository that contains `folder`. */
export async function openStoreContext(folder: string, env: Environment): Promise<VerbContext> {
  const { storePath, scope } = findPlace(folder, env)
  return { store: await openSqliteStore(storePath, Date.now), scope }
}

/** Asks the engine that started this session. Only sessions load the code for it. */
export async function askEngine<Request extends SessionRequest>(
  socket: string,
  request: Request,
): Promise<SessionAnswers[Request['do']]> {
  const { askSocket } = await import('./socket/ask.ts')
  return (await askSocket(socket, request)) as SessionAnswers[Request['do']]
}

/** The engine may take its time to record a refusal; the caller waits no longer than this. */
const TOLD_LIMIT_MS = 2_000

/** Refuses a session or a check of a build in the same store what only the operator may do, and records `command`. */
export async function requireOperator(
  folder: string,
  env: Environment,
  command: string,
  code: 'OPERATOR_ONLY' | 'NOT_FOR_SESSIONS' = 'OPERATOR_ONLY',
): Promise<void> {
  const inside = await insideOf(env, () => statesReached(folder, env).map((state) => `${state}/owners`))
  if (inside === null) return
  if (inside.socket !== null) {
    const { askSocket } = await import('./socket/ask.ts')
    // The refusal stands, whether or not the engine answers.
    await askSocket(inside.socket, { do: 'refused', command }, TOLD_LIMIT_MS).catch(() => {})
  }
  throw refuse(code, { command })
}

/** Whether a session or a check of a build in the same store is asking, also where it hides that. */
export async function isSession(folder: string, env: Environment): Promise<boolean> {
  return (await insideOf(env, () => statesReached(folder, env).map((state) => `${state}/owners`))) !== null
}

/** Where agents work and checks run, with the branch that only verified work enters. */
export async function openWorkspaces(
  folder: string,
  env: Environment,
  copy: readonly string[] = [],
  at: WorkedAt = ISOLATED,
): Promise<Workspaces> {
  const repository = findRepository(folder, env)
  const { openGitWorkspaces } = await import('./workspace/git/open.ts')
  const { workFolder } = await import('./config/paths/work-folder.ts')
  const user = { ...repository, worktree: worktreeOf(repository, env) }
  const folders = workFolder(repository, env)
  const options = { stateFolder: stateFolder(repository), folders, user, env, copy }
  if (at.where === 'isolated') return openGitWorkspaces(options)
  const { rememberStart } = await import('./config/paths/started-from.ts')
  const inPlace = await openGitWorkspaces({ ...options, inPlace: { ours: at.source === null ? [] : [at.source] } })
  return {
    ...inPlace,
    startBuild: (build) => {
      // Before the checkout is on the build branch: a command there means the tasks of the branch it started from.
      rememberStart(repository, branchOf(build), findPlace(folder, env).scope.branch)
      return inPlace.startBuild(build)
    },
  }
}

/** The file of a session's transcript, whether or not it exists. */
export async function transcriptFile(folder: string, env: Environment, name: string): Promise<string> {
  const { transcriptPath } = await import('./agents/transcript-path.ts')
  return transcriptPath(join(stateFolder(findRepository(folder, env)), 'transcripts'), name)
}

/** Where the agents of a build work, and the file in the checkout that its plan came from. */
export interface WorkedAt {
  readonly where: 'isolated' | 'in-place'
  readonly source: string | null
}

const ISOLATED: WorkedAt = { where: 'isolated', source: null }

/** Opens everything that a build needs, with the config it was frozen with. */
export async function openEngine(
  folder: string,
  env: Environment,
  config: Config,
  watcher: Watcher,
  at: WorkedAt = ISOLATED,
): Promise<EngineDeps> {
  const [
    { openCrew },
    { openTranscripts },
    { openPrompts },
    { openChecks },
    { openSockets },
    { openSyntax },
    { ownCommand },
    { workFolder },
    { pluginFolder },
    { prepareForLongWork },
    { newEngineMemory },
    { isKnownGone },
    { failpointOf },
    { createHash },
  ] = await Promise.all([
    import('./agents/registry.ts'),
    import('./agents/transcripts.ts'),
    import('./prompts/prompts.ts'),
    import('./checks/checks.ts'),
    import('./socket/unix-sockets.ts'),
    import('./syntax/open-syntax.ts'),
    import('./system/own-program.ts'),
    import('./config/paths/work-folder.ts'),
    import('./config/claude/plugin-folder.ts'),
    import('./system/long-work.ts'),
    import('./engine/memory.ts'),
    import('./system/known-gone.ts'),
    import('./system/failpoint.ts'),
    import('node:crypto'),
  ])
  prepareForLongWork()
  const repository = findRepository(folder, env)
  const state = stateFolder(repository)
  const root = worktreeOf(repository, env) ?? folder
  const { store, scope } = await openStoreContext(folder, env)
  return {
    store,
    scope,
    workspaces: await openWorkspaces(folder, env, config.workspace.copy, at),
    checks: openChecks({ cacheFolder: join(workFolder(repository, env), 'cache'), env }),
    sockets: openSockets(ownCommand()),
    syntax: openSyntax(),
    ...openCrew(config, { root, env }),
    prompts: await openPrompts({ overrideFolder: join(root, '.ralph', 'prompts') }),
    plugin: pluginFolder(),
    transcripts: openTranscripts(join(state, 'transcripts'), Date.now),
    config,
    now: Date.now,
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    platform: PLATFORM,
    watcher,
    isKnownGone,
    failpoint: failpointOf(env),
    memory: newEngineMemory(),
  }
}

/** A repository for a process that lives longer than one build; each piece of work opens what it needs. */
export function openServedRepository(
  at: Pick<ServedRepository, 'context' | 'root' | 'env' | 'name' | 'note'>,
): ServedRepository {
  const { context, root } = at
  // Builds stay with the branch that is checked out now.
  const env = { ...at.env, RALPH_SCOPE_BRANCH: context.scope.branch, RALPH_SCOPE_REPO: context.scope.repo }
  const watcher = { fact: () => {}, agent: () => {} }
  let isolated: Promise<Workspaces> | null = null
  // Does not keep a failure: the next call may succeed.
  const ownFolders = (): Promise<Workspaces> =>
    (isolated ??= openWorkspaces(root, env).catch((error: unknown) => {
      isolated = null
      throw error
    }))
  return {
    ...at,
    env,
    openEngine: (config, where) => openEngine(root, env, config, watcher, where),
    openNotifying: (config) => openNotifying(root, env, config),
    openWorkspaces: (where) => (where.where === 'isolated' ? ownFolders() : openWorkspaces(root, env, [], where)),
    openCleanClone: (copy) => openCleanClone(root, env, copy),
    transcriptFile: (name) => transcriptFile(root, env, name),
  }
}

/** The agents and prompts of a build without making or touching anything, for a dry run. */
export async function openDryRunDeps(
  folder: string,
  env: Environment,
  config: Config,
): Promise<Pick<EngineDeps, 'agents' | 'fallbacks' | 'prompts' | 'config'>> {
  const [{ openCrew }, { openPrompts }] = await Promise.all([
    import('./agents/registry.ts'),
    import('./prompts/prompts.ts'),
  ])
  const root = checkoutRoot(folder, env)
  const overrideFolder = join(root, '.ralph', 'prompts')
  // Opened when a template is filled, so that a bad template is one finding among others.
  const fill: EngineDeps['prompts']['fill'] = async (name, values) =>
    (await openPrompts({ overrideFolder })).fill(name, values)
  const { agents, fallbacks } = openCrew(config, { root, env })
  return { agents, fallbacks, prompts: { fill }, config }
}

/** A clean clone in its own folder, with nothing from earlier runs but the ignored files named by `copy`. */
export async function openCleanClone(
  folder: string,
  env: Environment,
  copy: readonly string[] = [],
): Promise<CleanClone> {
  const [
    { openGitWorkspaces },
    { cloneWhole },
    { registerProcess },
    { openChecks },
    { openSyntax },
    { placeAt },
    { createHash },
    { existsSync },
    { mkdtemp, rm },
    { tmpdir },
  ] = await Promise.all([
    import('./workspace/git/open.ts'),
    import('./workspace/git/repository/clone-whole.ts'),
    import('./workspace/git/repository/process-registry.ts'),
    import('./checks/checks.ts'),
    import('./syntax/open-syntax.ts'),
    import('./operations/builds/plain-git.ts'),
    import('node:crypto'),
    import('node:fs'),
    import('node:fs/promises'),
    import('node:os'),
  ])
  const repository = findRepository(folder, env)
  const origin = placeAt(folder, env)
  // Its checks are not the operator either, like those of a build.
  const state = stateFolder(repository)
  if (existsSync(state)) await registerProcess(join(state, 'owners'))
  const place = await mkdtemp(join(tmpdir(), 'ralph-verify-'))
  const close = (): Promise<void> => rm(place, { recursive: true, force: true, maxRetries: 3 })
  try {
    const repo = join(place, 'clone.git')
    const gitEnv = { PATH: env['PATH'] ?? '', HOME: place, GIT_CONFIG_NOSYSTEM: '1' }
    const ownState = join(place, 'state')
    const { bring, merge } = await cloneWhole(env, origin.commonDir, repo, ownState)
    const worktree = copy.length === 0 ? null : worktreeOf(repository, env)
    const user = { commonDir: repo, gitDir: repo, worktree }
    return {
      bring,
      merge,
      clone: { folder: repo, gitDir: repo, commonDir: repo, env: gitEnv },
      origin: { ...origin, folder, env: gitEnv },
      workspaces: await openGitWorkspaces({ stateFolder: ownState, user, env, copy }),
      checks: openChecks({ cacheFolder: join(place, 'cache'), env }),
      syntax: openSyntax(),
      digest: (text) => createHash('sha256').update(text).digest('hex'),
      platform: PLATFORM,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The ways to notify people, from the build's frozen config, and the repository's name. */
export async function openNotifying(folder: string, env: Environment, { notify }: Config) {
  const { openWays } = await import('./notify/ways.ts')
  const root = checkoutRoot(folder, env)
  return { ways: openWays(notify, { folder: root, env }), repository: basename(root) }
}

/** Whether an agent could work with these settings: installed, the right version, logged in. */
export async function agentReadiness(
  folder: string,
  env: Environment,
  config: Config,
  name: AgentName,
): Promise<Readiness> {
  const { openAgents } = await import('./agents/registry.ts')
  const agents = { ...config.agents, planner: name, implementer: name, reviewer: name, sia: name }
  return openAgents({ ...config, agents }, { root: checkoutRoot(folder, env), env }).implementer.ready()
}

/** For the second Ctrl+C: ends every process that was started, at once. */
export async function killEverything(): Promise<void> {
  ;(await import('./system/process/engine-end.ts')).killAll()
}
