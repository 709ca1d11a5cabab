// A user's repository in a new folder, with real git; the end of the test removes it.
import { chmod, lstat, mkdir, mkdtemp, readFile, readdir, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import type { BuildId, TaskId } from '../../src/core/values/id.ts'
import { outputText } from '../../src/system/process/head-tail-buffer.ts'
import { run } from '../../src/system/process/spawn.ts'
import type { AttemptMark, Workspaces } from '../../src/workspace/workspace.ts'
import { type GitWorkspaceOptions, openGitWorkspaces } from '../../src/workspace/git/open.ts'
import { removeAll } from '../../src/system/remove-all.ts'
import { type Files, fillFolder } from './folder.ts'

export interface MadeRepository {
  readonly folder: string
  readonly state: string
  readonly env: Readonly<Record<string, string>>
  /** In the user's checkout. */
  git(...args: readonly string[]): Promise<string>
  /** In the engine's repository. */
  engine(...args: readonly string[]): Promise<string>
  commit(files: Files, message?: string): Promise<string>
  open(options?: Partial<GitWorkspaceOptions>): Promise<Workspaces>
}

export async function madeRepository(
  files: Files | null = FILES,
  init: readonly string[] = [],
): Promise<MadeRepository> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'ralph-workspace-')))
  onTestFinished(() => removeAll(root))
  const folder = join(root, 'project')
  const state = join(folder, '.git', 'ralph')
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home') }
  await fillFolder(env.HOME, { '.gitconfig': '[user]\n\tname = Ada L\n\temail = ada@example.com\n' })
  await mkdir(folder)
  const git = (...args: readonly string[]) => gitIn(folder, env, args)
  await git('init', '--quiet', '--initial-branch=main', ...init)
  const commit = async (more: Files, message = 'change') => {
    await fillFolder(folder, more)
    await git('add', '--all')
    await git('commit', '--quiet', '--allow-empty', '--message', message)
    return git('rev-parse', 'HEAD')
  }
  if (files !== null) await commit(files, 'first')
  const gitDir = join(folder, '.git')
  return {
    folder,
    state,
    env,
    git,
    commit,
    engine: (...args) => gitIn(join(state, 'repo.git'), env, args),
    open: (options = {}) =>
      openGitWorkspaces({
        stateFolder: state,
        user: { commonDir: gitDir, gitDir, worktree: folder },
        env,
        isFast: IS_FAST,
        ...options,
      }),
  }
}

/** The project `plain-git` of the tests runs the same suites without the fast path. */
const IS_FAST = process.env['RALPH_TEST_FAST_PATH'] !== 'off'

const FILES: Files = { 'a.txt': 'one\n', 'src/b.txt': 'two\n', '.gitignore': 'node_modules/\n*.log\n.env\n' }

/** Every file and link with its bytes, and every folder; all but the git dir at the top. */
export async function contentOf(folder: string, prefix = ''): Promise<Record<string, string>> {
  const content: Record<string, string> = {}
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
    const path = prefix + entry.name
    if (path === '.git') continue
    if (entry.isDirectory()) Object.assign(content, { [`${path}/`]: '' }, await contentOf(folder, `${path}/`))
    else if (entry.isFile()) content[path] = await readFile(join(folder, path), 'latin1')
    else content[path] = `special ${(await lstat(join(folder, path))).mode}`
  }
  return content
}

export async function gitIn(
  folder: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const ended = await run({
    argv: ['git', ...args],
    cwd: folder,
    env,
    trust: 'tool',
    ...(input === undefined ? {} : { input }),
  })
  if (ended.code !== 0) throw new Error(`git ${args.join(' ')}: ${outputText(ended.stderr)}`)
  return outputText(ended.stdout).trimEnd()
}

export const BUILD = 'b_1' as BuildId
export const TASK = 't-1' as TaskId

export function markOf(iteration = 1, task: TaskId = TASK, attempt = 1, build: BuildId = BUILD): AttemptMark {
  return { build, task, attempt, iteration }
}

/** As the engine writes it. */
export function messageFor({ build, task, attempt, iteration }: AttemptMark): string {
  return `feat: something\n\nTask ID: ${task}\nRalph-Build: ${build}\nRalph-Attempt: ${task}/${attempt}/${iteration}\nRalph-Evidence: sha256:00\n`
}

/** Gives the file of an object another content under the same name, as an agent could. */
export async function overwriteObject(objects: string, id: string, kind: string, content: Uint8Array): Promise<void> {
  const path = join(objects, id.slice(0, 2), id.slice(2))
  await chmod(path, 0o644)
  await writeFile(path, deflateSync(Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content])))
}
