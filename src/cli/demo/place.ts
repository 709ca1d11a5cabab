// Where the demo takes place: a temporary folder with a repository, a home of its own, and the Node that runs Ralph.
import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, sep } from 'node:path'
import { taskId } from '../../core/values/id.ts'
import type { BuildContext } from '../../operations/builds/builds.ts'
import { plainGit } from '../../operations/builds/plain-git.ts'
import { createTask } from '../../operations/tasks/tasks.ts'
import { plan } from './plan.ts'
import { projectFiles } from './project.ts'
import { scenario } from './script.ts'

export interface Place {
  /** The repository. */
  readonly folder: string
  readonly git: (...args: readonly string[]) => Promise<string>
  readonly env: Readonly<Record<string, string>>
  /** The folder of the Node that the checks ran on; null where a shell finds the same one. */
  readonly programs: string | null
  /** The first commit of the build. */
  readonly start: string
}

export async function makePlace(searchPath: string): Promise<Place> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'ralph-demo-')))
  const [folder, home, programs] = [join(root, 'corner-shop'), join(root, 'home'), join(root, 'bin')]
  for (const made of [folder, home, programs]) await mkdir(made)
  // Checks find programs by PATH, without the folders in node_modules, where this Node may be.
  await symlink(process.execPath, join(programs, 'node'))
  const env = { PATH: `${programs}${delimiter}${searchPath}`, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  const repository = { folder, env, gitDir: join(folder, '.git'), commonDir: join(folder, '.git'), workTree: folder }
  const git: Place['git'] = (...args) => plainGit(repository, ...args)

  await writeFile(join(root, 'scenario.json'), `${JSON.stringify(scenario, null, 2)}\n`)
  for (const [path, text] of Object.entries(projectFiles)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await git('init', '--quiet', '--initial-branch=main')
  await git('config', 'user.name', 'Demo')
  await git('config', 'user.email', 'demo@example.com')
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'A corner shop with two products')
  const isFound = (await nodeOn(searchPath)) === (await realpath(process.execPath))
  return { folder, git, env, programs: isFound ? null : programs, start: await git('rev-parse', 'HEAD') }
}

/** The real path of the Node that checks find; null: there is none. */
async function nodeOn(searchPath: string): Promise<string | null> {
  const folders = searchPath.split(delimiter).filter((folder) => !folder.split(sep).includes('node_modules'))
  for (const folder of folders) {
    const found = await realpath(join(folder, 'node')).catch(() => null)
    if (found !== null) return found
  }
  return null
}

export async function enterPlan(context: BuildContext): Promise<void> {
  for (const { id, deps, text } of plan) await createTask(context, taskId(id), text, deps.map(taskId))
}
