// Installs agent CLIs from the registry, each in a pinned version, outside the checkout, and reuses them.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const call = promisify(execFile)

export interface Pinned {
  readonly spec: string
  readonly version: string
  /** The program in a folder where the package was installed. */
  readonly find: (modules: string) => Promise<string | null>
  /** The variable with its path for the tests; where it is set, nothing is installed. */
  readonly variable: string
  /** Agents that its tests need beside it. */
  readonly beside?: readonly string[]
}

const CLAUDE = '2.1.325'
const CODEX = '0.166.0'
const GEMINI = '0.61.0'
const OPENCODE = '1.18.18'
const CLAUDE_ACP = '0.49.0'

export const pinnedAgents: Readonly<Record<string, Pinned>> = {
  claude: {
    spec: `@anthropic-ai/claude-code@${CLAUDE}`,
    version: CLAUDE,
    find: nativeClaude,
    variable: 'RALPH_TEST_CLAUDE',
  },
  codex: {
    spec: `@openai/codex@${CODEX}`,
    version: CODEX,
    find: nativeCodex,
    variable: 'RALPH_TEST_CODEX',
  },
  gemini: {
    spec: `@google/gemini-cli@${GEMINI}`,
    version: GEMINI,
    find: linkedProgram('gemini'),
    variable: 'RALPH_TEST_GEMINI',
  },
  opencode: {
    spec: `opencode-ai@${OPENCODE}`,
    version: OPENCODE,
    find: nativeOpencode,
    variable: 'RALPH_TEST_OPENCODE',
  },
  // Claude Code behind the Agent Client Protocol; the other two speak it themselves.
  acp: {
    spec: `@agentclientprotocol/claude-agent-acp@${CLAUDE_ACP}`,
    version: CLAUDE_ACP,
    find: linkedProgram('claude-agent-acp'),
    variable: 'RALPH_TEST_ACP',
    beside: ['gemini', 'opencode'],
  },
}

/** A script that npm has linked. */
function linkedProgram(name: string): Pinned['find'] {
  return async (modules) => {
    const path = join(modules, '.bin', name)
    return existsSync(path) ? path : null
  }
}

/** The package's own program is a script that starts the one in the platform's package; the plain one needs AVX2. */
async function nativeOpencode(modules: string): Promise<string | null> {
  const names = await readdir(modules).catch(() => [])
  const programs = names
    .filter((name) => name.startsWith('opencode-') && name !== 'opencode-ai')
    .toSorted((one, other) => one.length - other.length)
    .map((name) => join(modules, name, 'bin', 'opencode'))
  return programs.find((path) => existsSync(path)) ?? null
}

/** The package's own program is a stand-in until its install script ran; the real one is in the platform's package. */
async function nativeClaude(modules: string): Promise<string | null> {
  const folder = join(modules, '@anthropic-ai')
  const names = await readdir(folder).catch(() => [])
  const programs = names
    .filter((name) => name.startsWith('claude-code-'))
    .map((name) => join(folder, name, 'claude'))
    .filter((path) => existsSync(path))
  return programs[0] ?? null
}

/** The package's own program is a script that starts the one in the platform's package. */
async function nativeCodex(modules: string): Promise<string | null> {
  const folder = join(modules, '@openai')
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => one.startsWith('codex-'))) {
    const vendor = join(folder, name, 'vendor')
    const triples = await readdir(vendor).catch(() => [])
    const found = triples.map((triple) => join(vendor, triple, 'bin', 'codex')).find((path) => existsSync(path))
    if (found !== undefined) return found
  }
  return null
}

export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  return join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'ralph-test-agents')
}

/** The program's path. Installed beside and renamed, so that what is in the cache is whole. */
export async function install(name: string, pinned: Pinned, cache: string): Promise<string> {
  const folder = join(cache, `${name}-${pinned.version}`)
  const program = join(folder, 'bin', name)
  if (existsSync(program)) return program
  const partial = `${folder}.${process.pid}`
  await mkdir(join(partial, 'bin'), { recursive: true })
  try {
    await npmInstall(partial, pinned.spec)
    const found = await pinned.find(join(partial, 'node_modules'))
    if (found === null) throw new Error(`${pinned.spec} has no program for ${process.platform} ${process.arch}`)
    await symlink(found.replace(partial, '..'), join(partial, 'bin', name))
    await rename(partial, folder).catch((error: unknown) => {
      // Another run was faster.
      if (!existsSync(program)) throw error
    })
    return program
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

const INSTALL_MS_MAX = 300_000

async function npmInstall(folder: string, spec: string): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--no-save', '--no-update-notifier', '--loglevel=error']
  const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000']
  const args = ['install', '--prefix', folder, '--ignore-scripts', ...patience, ...quiet, spec]
  await call('npm', args, { cwd: folder, timeout: INSTALL_MS_MAX }).catch((error: Error & { stderr?: string }) => {
    const why = /^npm error code (\S+)/m.exec(error.stderr ?? '')?.[1] ?? error.message.split('\n')[0]
    throw new Error(`npm could not install ${spec} (${why})`, { cause: error })
  })
}
