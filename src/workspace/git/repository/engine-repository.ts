// The engine's own bare repository, made once from hard links to the user's objects. That is instant, takes no disk
// space, and keeps objects that `git gc` in the user's repository removes later.
import { constants } from 'node:fs'
import { appendFile, copyFile, link, mkdir, rename, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { isAbsolute, join, resolve } from 'node:path'
import { errnoOf } from '../../../system/errno.ts'
import { isFolder, namesIn, readIfThere, writeWhole } from '../../../system/files.ts'
import type { Git } from '../command/git.ts'
import type { Layout } from './layout.ts'
import { SCRATCHPADS } from './excluded-paths.ts'
import type { ObjectFormat } from '../objects/objects.ts'
import { removeAll } from '../../../system/remove-all.ts'

export const HALF_MADE = 'repo.git.new-'

export async function ensureRepository(
  git: Git,
  { state, repo }: Layout,
  userCommonDir: string,
  format: ObjectFormat,
): Promise<void> {
  if (await isFolder(repo)) return
  await mkdir(state, { recursive: true })
  const made = join(state, HALF_MADE + randomBytes(6).toString('hex'))
  await git.engine(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--initial-branch=none'], {
    gitDir: made,
    cwd: state,
  })
  await appendFile(join(made, 'config'), SETTINGS)
  await mkdir(join(made, 'info'), { recursive: true })
  await writeFile(join(made, 'info', 'attributes'), ATTRIBUTES)
  await linkObjects(join(userCommonDir, 'objects'), join(made, 'objects'))
  const shallow = await readIfThere(join(userCommonDir, 'shallow'))
  if (shallow !== null) await writeFile(join(made, 'shallow'), shallow)
  try {
    await rename(made, repo)
  } catch (error) {
    await removeAll(made)
    // Another process was first; its repository is as good.
    if (!(await isFolder(repo))) throw error
  }
}

// Merged work survives a power cut: objects and refs are flushed before anything names them, many objects with one
// flush. Only `ralph clean` packs and prunes.
const SETTINGS = `[core]
	hooksPath = /dev/null
	fsmonitor = false
	fsync = loose-object,pack,pack-metadata,reference
	fsyncMethod = batch
	filesRefLockTimeout = 1000
	packedRefsTimeout = 1000
	logAllRefUpdates = false
	untrackedCache = true
[gc]
	auto = 0
[maintenance]
	auto = false
[status]
	showUntrackedFiles = all
`

// Overrides every .gitattributes, so the bytes in a tree and in a folder are the same: no filter, no line-end
// conversion, no encoding. A checkout by difference could not tell which files a changed rule affects.
const ATTRIBUTES = '* -text -ident !eol !filter !working-tree-encoding !diff !merge\n'

/** As git detected it when it made the repository. */
export async function isPlainDisk({ repo }: Layout): Promise<boolean> {
  const config = (await readIfThere(join(repo, 'config'))) ?? ''
  return (
    /^\s*filemode = true$/m.test(config) && !/^\s*(ignorecase|precomposeunicode) = true$|symlinks = false/m.test(config)
  )
}

/** `excludes`: the user's ignore rules on this machine. */
export async function writeExcludes({ repo }: Layout, excludes: string): Promise<void> {
  const path = join(repo, 'info', 'exclude')
  const text = [excludes.trimEnd(), ...SCRATCHPADS.map((name) => `/${name}`), ''].join('\n')
  if ((await readIfThere(path)) !== text) await writeWhole(path, text)
}

/** Objects that `git gc` moves meanwhile have another name in the next round. */
const ROUNDS_MAX = 5

async function linkObjects(from: string, to: string): Promise<void> {
  await linkAlternates(from, to)
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    let moved = false
    for (const folder of (await namesIn(from)).filter((name) => /^([0-9a-f]{2}|pack)$/.test(name))) {
      await mkdir(join(to, folder), { recursive: true })
      for (const name of (await namesIn(join(from, folder))).filter(isObjectFile))
        moved = !(await linkFile(join(from, folder, name), join(to, folder, name))) || moved
    }
    if (!moved) return
  }
}

function isObjectFile(name: string): boolean {
  return /^([0-9a-f]+|pack-[0-9a-f]+\.(pack|idx|rev))$/.test(name)
}

/** False where it is no longer there. */
async function linkFile(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === 'ENOENT') return false
    // Another disk, or one without hard links.
    if (errno !== 'EEXIST') await copyFile(from, to, constants.COPYFILE_FICLONE)
  }
  return true
}

/** The user's repository may borrow objects from others. */
async function linkAlternates(from: string, to: string): Promise<void> {
  const text = await readIfThere(join(from, 'info', 'alternates'))
  if (text === null) return
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const paths = lines.map((line) => (isAbsolute(line) ? line : resolve(from, line)))
  await mkdir(join(to, 'info'), { recursive: true })
  await writeFile(join(to, 'info', 'alternates'), `${paths.join('\n')}\n`)
}
