// Reads files of a tree, and makes trees with some files replaced.
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { TreeId } from '../../../core/values/id.ts'
import { isNamedRightly, readBatch } from '../objects/batch.ts'
import { pathsOf } from '../repository/commit-trees.ts'
import type { GitContext } from '../repository/git-context.ts'
import { damagedError } from '../repository/intact.ts'
import { writeObject } from '../objects/objects.ts'
import type { TreeLine } from '../objects/tree-object.ts'
import { lineAt } from '../objects/tree-paths.ts'

/** For files and folders. */
export async function missing(
  { git, paths, trees }: GitContext,
  tree: TreeId,
  wanted: readonly string[],
): Promise<string[]> {
  const known = trees.paths(tree)
  if (known !== undefined)
    return wanted.filter((path) => normalPath(path) !== '' && lineAt(known, latin1(normalPath(path))) === null)
  if (wanted.length === 0) return []
  const asked = wanted.map((path) => `${tree}:${normalPath(path)}\0`)
  const { stdout } = await git.engine(['cat-file', '-z', '--batch-check=%(objecttype)'], {
    gitDir: paths.repo,
    input: asked.join(''),
  })
  const answers = stdout.toString('utf8').split('\n')
  return wanted.filter((_, at) => !/^(blob|tree|commit)$/.test(answers[at] ?? ''))
}

/** The path as git names it: `./src/` is `src`. A path out of the tree, or with a line break, is in no tree. */
function normalPath(path: string): string {
  const normal = posix.normalize(path).replace(/(?<=.)\/$/, '')
  if (/^(\/|\.\.(\/|$))|[\0\n]/.test(normal)) return '.git'
  return normal === '.' ? '' : normal
}

/** A manifest or a spec is far shorter; nobody reads a longer file. */
const READ_BYTES_MAX = 1024 * 1024

/** The texts of those files that the tree has and that are not too long. */
export async function read(context: GitContext, tree: TreeId, files: readonly string[]): Promise<Map<string, string>> {
  const entries = [...(await entriesOf(context, tree, files))].filter(([, { mode }]) => mode.startsWith('100'))
  const quick = readQuickly(context, entries)
  if (quick !== null) return quick
  const { stdout } = await context.git.engine(['cat-file', '--batch'], {
    gitDir: context.paths.repo,
    input: entries.map(([, { id }]) => `${id}\n`).join(''),
    outputBytes: READ_OUTPUT_BYTES_MAX,
  })
  const texts = new Map<string, string>()
  for (const [at, object] of readBatch(stdout).entries()) {
    const [path] = entries[at] ?? []
    if (path === undefined || object === null) break
    if (!isNamedRightly(context.objects.format, object)) throw await damagedError(context, object.id)
    if (object.content.length <= READ_BYTES_MAX) texts.set(path, object.content.toString('utf8'))
  }
  return texts
}

/** Null where one of them needs git. */
function readQuickly(
  { fast, objects }: GitContext,
  entries: readonly (readonly [path: string, TreeLine])[],
): Map<string, string> | null {
  const texts = new Map<string, string>()
  for (const [path, { id }] of entries) {
    const object = fast.readObject(objects, id)
    if (object?.kind !== 'blob') return null
    texts.set(path, object.content.toString('utf8'))
  }
  return texts
}

/** Of all files in one call. */
const READ_OUTPUT_BYTES_MAX = 64 * 1024 * 1024

/** The entries of those files that the tree has. */
async function entriesOf(context: GitContext, tree: TreeId, files: readonly string[]): Promise<Map<string, TreeLine>> {
  if (files.length === 0) return new Map()
  const paths = await pathsOf(context, tree)
  return new Map(
    files.flatMap((path) => {
      const line = lineAt(paths, latin1(path))
      return line === null || line.mode === '40000' ? [] : [[path, line]]
    }),
  )
}

function latin1(path: string): string {
  return Buffer.from(path, 'utf8').toString('latin1')
}

export async function alter(context: GitContext, tree: TreeId, contents: ReadonlyMap<string, string>): Promise<TreeId> {
  if (contents.size === 0) return tree
  const entries = await entriesOf(context, tree, [...contents.keys()])
  const lines = [...contents].map(async ([path, text]) => {
    const mode = entries.get(path)?.mode === '100755' ? '100755' : '100644'
    return `${mode} ${await writeObject(context.objects, 'blob', text)}\t${path}\0`
  })
  return rewriteTree(context, tree, await Promise.all(lines))
}

/** The tree with these files as another tree has them, and without those that the other does not have. */
export async function withFilesOf(
  context: GitContext,
  tree: TreeId,
  other: TreeId,
  files: readonly string[],
): Promise<TreeId> {
  if (files.length === 0) return tree
  const entries = await entriesOf(context, other, files)
  const lines = files.map((path) => {
    const entry = entries.get(path)
    return entry === undefined ? `0 ${'0'.repeat(tree.length)}\t${path}\0` : `${entry.mode} ${entry.id}\t${path}\0`
  })
  return rewriteTree(context, tree, lines)
}

async function rewriteTree({ git, paths }: GitContext, tree: TreeId, lines: readonly string[]): Promise<TreeId> {
  const indexFile = join(paths.state, `index.${randomBytes(6).toString('hex')}`)
  const call = { gitDir: paths.repo, indexFile }
  try {
    await git.engine(['read-tree', '--end-of-options', tree], call)
    await git.engine(['update-index', '-z', '--index-info'], { ...call, input: lines.join('') })
    const { stdout } = await git.engine(['write-tree'], call)
    return stdout.toString().trim() as TreeId
  } finally {
    await rm(indexFile, { force: true })
  }
}
