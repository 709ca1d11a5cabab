// Copies commits that an agent made in its throw-away git dir, so the pin of its work can hold them. It reads bytes
// only: each object is named by the hash of its real content, and git never opens that dir.
import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { CommitId } from '../../../core/values/id.ts'
import { agentCommitIds } from './agent-refs.ts'
import { isFolder } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import { type ObjectKind, exists, pathOf, writeObject } from '../objects/objects.ts'

/** Packs are rare there, because its gc is off; they are read into memory. */
const PACK_BYTES_MAX = 64 * 1024 * 1024
const inflated = promisify(inflate)

/** The complete commits that no other of them contains; the engine has them when this returns. */
export async function takeAgentCommits(context: GitContext, folder: string, base: CommitId): Promise<CommitId[]> {
  const ids = (await agentCommitIds(context.objects, folder)).filter((id) => id !== base) as CommitId[]
  const state = ids.join(' ')
  if (ids.length === 0 || context.harvests.of(folder).agentCommits === state) return []
  await takeObjects(context, join(folder, '.git', 'objects'))
  const commits = await wholeCommits(context, ids, base)
  const tips = commits.length > 1 ? await independent(context, commits) : commits
  context.harvests.record(folder, { agentCommits: state })
  return tips
}

async function takeObjects(context: GitContext, folder: string): Promise<void> {
  let left = context.limits.totalBytes
  for (const part of await foldersIn(folder)) {
    for (const name of await plainFilesIn(join(folder, part))) {
      if (left <= 0) return
      if (part === 'pack' && name.endsWith('.pack')) left -= await takePack(context, join(folder, part, name))
      else if (/^[0-9a-f]{2}$/.test(part)) left -= await takeLoose(context, join(folder, part, name), part + name)
    }
  }
}

async function takeLoose(context: GitContext, path: string, id: string): Promise<number> {
  if (await exists(pathOf(context.objects, id))) return 0
  const bytes = await plainBytes(path, context.limits.fileBytes)
  if (bytes === null) return 0
  const whole = await inflated(bytes, { maxOutputLength: context.limits.fileBytes + 64 }).catch(() => null)
  if (whole === null) return bytes.length
  const end = whole.indexOf(0)
  const kind = /^(blob|tree|commit|tag) \d+$/.exec(whole.subarray(0, end).toString('latin1'))?.[1]
  if (kind !== undefined) await writeObject(context.objects, kind as ObjectKind, whole.subarray(end + 1))
  return whole.length
}

/** Git computes the ids of a pack's objects from their content. */
async function takePack({ git, paths }: GitContext, path: string): Promise<number> {
  const input = await plainBytes(path, PACK_BYTES_MAX)
  if (input === null) return 0
  await git.engine(['index-pack', '--stdin', '--fix-thin'], { gitDir: paths.repo, input, answers: [1, 128] })
  return input.length
}

async function wholeCommits({ git, paths }: GitContext, ids: readonly CommitId[], base: CommitId): Promise<CommitId[]> {
  const { stdout } = await git.engine(['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    gitDir: paths.repo,
    input: ids.map((id) => `${id}\n`).join(''),
  })
  const commits = ids.filter((id) => stdout.includes(`${id} commit\n`))
  const isWhole = async (some: readonly CommitId[]): Promise<boolean> => {
    const { code } = await git.engine(['rev-list', '--objects', '--quiet', '--stdin'], {
      gitDir: paths.repo,
      input: [...some, `^${base}`].map((line) => `${line}\n`).join(''),
      answers: [1, 128],
    })
    return code === 0
  }
  if (commits.length === 0 || (await isWhole(commits))) return commits
  const whole: CommitId[] = []
  for (const commit of commits) if (await isWhole([commit])) whole.push(commit)
  return whole
}

async function independent({ git, paths }: GitContext, commits: readonly CommitId[]): Promise<CommitId[]> {
  const { stdout } = await git.engine(['merge-base', '--independent', ...commits], { gitDir: paths.repo })
  return stdout.toString().split('\n').filter(Boolean) as CommitId[]
}

async function foldersIn(folder: string): Promise<string[]> {
  if (!(await isFolder(folder))) return []
  return (await readdir(folder, { withFileTypes: true })).filter((one) => one.isDirectory()).map(({ name }) => name)
}

async function plainFilesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { withFileTypes: true })).filter((one) => one.isFile()).map(({ name }) => name)
}

async function plainBytes(path: string, limit: number): Promise<Buffer | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
  if (file === null) return null
  try {
    const stats = await file.stat()
    return stats.isFile() && stats.size <= limit ? await file.readFile() : null
  } finally {
    await file.close()
  }
}
