// Looking into a tree, and a tree with some files replaced.
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { TreeId } from '../../core/id.ts'
import type { Ground } from './ground.ts'
import { writeObject } from './objects.ts'

/** Of files and folders alike. */
export async function missing({ git, paths }: Ground, tree: TreeId, wanted: readonly string[]): Promise<string[]> {
  if (wanted.length === 0) return []
  const asked = wanted.map((path) => `${tree}:${plain(path)}\0`)
  const { stdout } = await git.engine(['cat-file', '-z', '--batch-check=%(objecttype)'], {
    gitDir: paths.repo,
    input: asked.join(''),
  })
  const answers = stdout.toString('utf8').split('\n')
  return wanted.filter((_, at) => !/^(blob|tree|commit)$/.test(answers[at] ?? ''))
}

/** As git names it: `./src/` is `src`. What leads out of the tree is in none, nor is a name with a line break. */
function plain(path: string): string {
  const normal = posix.normalize(path).replace(/(?<=.)\/$/, '')
  if (/^(\/|\.\.(\/|$))|[\0\n]/.test(normal)) return '.git'
  return normal === '.' ? '' : normal
}

/** Of those of the files that the tree has. */
async function modesOf({ git, paths }: Ground, tree: TreeId, files: readonly string[]): Promise<Map<string, string>> {
  const { stdout } = await git.engine(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', tree, ...files], {
    gitDir: paths.repo,
  })
  const lines = stdout.toString('utf8').split('\0').filter(Boolean)
  return new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, 6)]))
}

export async function alter(ground: Ground, tree: TreeId, contents: ReadonlyMap<string, string>): Promise<TreeId> {
  if (contents.size === 0) return tree
  const { git, paths, objects } = ground
  const modes = await modesOf(ground, tree, [...contents.keys()])
  const lines = [...contents].map(async ([path, text]) => {
    const mode = modes.get(path) === '100755' ? '100755' : '100644'
    return `${mode} ${await writeObject(objects, 'blob', text)}\t${path}\0`
  })
  const indexFile = join(paths.state, `index.${randomBytes(6).toString('hex')}`)
  const call = { gitDir: paths.repo, indexFile }
  try {
    await git.engine(['read-tree', '--end-of-options', tree], call)
    await git.engine(['update-index', '-z', '--index-info'], { ...call, input: (await Promise.all(lines)).join('') })
    const { stdout } = await git.engine(['write-tree'], call)
    return stdout.toString().trim() as TreeId
  } finally {
    await rm(indexFile, { force: true })
  }
}
