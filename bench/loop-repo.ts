// What both loops of loop/… work with: a repository, an agent that does next to nothing, a check that can fail.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainEnvironment } from './ralph.ts'
import { spawnSync } from 'node:child_process'

export interface BenchRepo {
  /** The user's checkout. */
  readonly folder: string
  readonly agent: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly git: (...args: string[]) => string
}

/** No two lines are alike: a tree that was seen before has its objects and its green check already. */
const AGENT = `echo "one more line, by $$" >> log.txt
echo TASK_COMPLETE
`

export const CHECK = 'test -s log.txt'

/** Of a folder; a real project of 50,000 files has some hundreds of folders. */
const FILES_PER_FOLDER = 100

/** A repository of so many files, checked out, in a folder of its own below `root`. */
export function makeBenchRepo(root: string, files: number): BenchRepo {
  const folder = join(root, 'project')
  const agent = join(root, 'agent.sh')
  const env = { ...plainEnvironment, HOME: join(root, 'home'), GIT_CONFIG_NOSYSTEM: '1' }
  for (const path of [folder, env.HOME]) mkdirSync(path, { recursive: true })
  writeFileSync(agent, AGENT)
  const git = (...args: string[]): string => run(folder, env, args)
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  run(folder, env, ['fast-import', '--quiet'], firstCommit(files, settings(agent)))
  git('reset', '--quiet', '--hard')
  return { folder, agent, env, git }
}

function run(folder: string, env: BenchRepo['env'], args: readonly string[], input = ''): string {
  const maxBuffer = 64 * 1024 * 1024
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: folder,
    env,
    input,
    encoding: 'utf8',
    maxBuffer,
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`git ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout.trim()
}

/** No tests are asked for: that the log is there is the whole check. */
function settings(agent: string): string {
  return `[agents]
default = "command"
[agent.command]
command = ["sh", ${JSON.stringify(agent)}]
[checks]
log = ${JSON.stringify(CHECK)}
[verify]
require_tests = false
`
}

/** In the form of `git fast-import`, which writes 50,000 files as one pack in a second or two. */
function firstCommit(files: number, toml: string): string {
  const filling = Array.from({ length: files - 2 }, (_, number) =>
    fileLine(
      `src/part-${Math.floor(number / FILES_PER_FOLDER)}/value-${number}.js`,
      `export const value = ${number}\n`,
    ),
  )
  return [
    'commit refs/heads/main',
    'committer Ada <ada@example.com> 1700000000 +0000',
    'data 5',
    'start',
    fileLine('log.txt', 'the first line\n'),
    fileLine('ralph.toml', toml),
    ...filling,
    '',
  ].join('\n')
}

function fileLine(path: string, text: string): string {
  return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}`
}
