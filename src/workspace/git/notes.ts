// Notes on commits, in the form of `git notes`: a tree whose files are named by the commit they speak of, its first two
// digits a folder. Written without git, since `git notes` neither compares and swaps nor moves the branch with it.
import type { CommitId, TreeId } from '../../core/id.ts'
import { writeCommit } from './commits.ts'
import type { Ground } from './ground.ts'
import { NOTES_REF } from './layout.ts'
import { startObject } from './objects.ts'
import { type TreeText, hasFolder, treeWith } from './tree-object.ts'

/** The trees of the notes commit that this process wrote last. */
export interface NotesMemory {
  commit: CommitId
  readonly root: TreeText
  readonly folders: Map<string, TreeText>
}

/** Null where there is none. */
export async function noteOn({ git, paths }: Ground, commit: CommitId): Promise<string | null> {
  const path = `${NOTES_REF}:${commit.slice(0, 2)}/${commit.slice(2)}`
  const { code, stdout } = await git.engine(['cat-file', 'blob', path], { gitDir: paths.repo, answers: [128] })
  return code === 0 ? stdout.toString('utf8').trimEnd() : null
}

/** The notes commit that follows `notes` and holds this text on the commit too. */
export async function notesWith(
  ground: Ground,
  notes: CommitId | null,
  commit: CommitId,
  text: string,
): Promise<CommitId> {
  const { objects, identity, now, memory } = ground
  const folder = commit.slice(0, 2)
  const known = await treesOf(ground, notes, folder)
  const blob = startObject(objects, 'blob', `${text.trimEnd()}\n`)
  const line = { mode: '100644', id: blob.id }
  const lines = treeWith(known.folders.get(folder) ?? '', objects.format, commit.slice(2), line)
  const inner = startObject(objects, 'tree', Buffer.from(lines, 'latin1'))
  const root = treeWith(known.root, objects.format, folder, { mode: '40000', id: inner.id })
  const outer = startObject(objects, 'tree', Buffer.from(root, 'latin1'))
  const { author, committer } = identity
  const parents = notes === null ? [] : [notes]
  const tree = outer.id as TreeId
  const [written] = await Promise.all([
    writeCommit(objects, { tree, parents, author, committer, at: now(), message: 'notes by Ralph' }),
    ...[blob, inner, outer].map((object) => object.written),
  ])
  memory.notes = { commit: written, root, folders: new Map(known.folders).set(folder, lines) }
  return written
}

async function treesOf(ground: Ground, notes: CommitId | null, folder: string): Promise<Omit<NotesMemory, 'commit'>> {
  if (notes === null) return { root: '', folders: new Map() }
  const { git, paths, memory, objects } = ground
  const remembered = memory.notes?.commit === notes ? memory.notes : null
  const isKnown = remembered?.folders.has(folder) === true
  if (remembered !== null && (isKnown || !hasFolder(remembered.root, objects.format, folder))) return remembered
  const { stdout } = await git.engine(['cat-file', '--batch'], {
    gitDir: paths.repo,
    input: `${notes}^{tree}\n${notes}:${folder}\n`,
  })
  const [root = '', lines] = readBatch(stdout)
  const folders = new Map(remembered?.folders)
  return { root, folders: lines === undefined ? folders : folders.set(folder, lines) }
}

/** `<id> tree <size>\n<bytes>\n`, or `<name> missing\n`, one after the other. */
function readBatch(output: Buffer): TreeText[] {
  const trees: TreeText[] = []
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0x0a, at)
    const size = / tree (\d+)$/.exec(output.subarray(at, end).toString('latin1'))?.[1]
    at = end + 1
    if (size === undefined) continue
    trees.push(output.toString('latin1', at, at + Number(size)))
    at += Number(size) + 1
  }
  return trees
}
