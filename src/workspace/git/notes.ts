// Notes on commits, in the form of `git notes`: a tree whose files are named by the commit they speak of, its first two
// digits a folder. Written without git, since `git notes` neither compares and swaps nor moves the branch with it.
import type { CommitId, TreeId } from '../../core/id.ts'
import { writeCommit } from './commits.ts'
import type { Ground } from './ground.ts'
import { NOTES_REF } from './layout.ts'
import { type Objects, startObject } from './objects.ts'
import { type TreeLine, readTreeLines, startTree } from './tree-object.ts'

type Tree = Map<string, TreeLine>

/** The trees of the notes commit that this process wrote last. */
export interface NotesMemory {
  commit: CommitId
  readonly root: Tree
  readonly folders: Map<string, Tree>
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
  const lines: Tree = new Map(known.folders.get(folder))
  const root: Tree = new Map(known.root)
  const blob = startObject(objects, 'blob', `${text.trimEnd()}\n`)
  lines.set(commit.slice(2), { mode: '100644', id: blob.id })
  const inner = startTree(objects, lines)
  root.set(folder, { mode: '40000', id: inner.id })
  const outer = startTree(objects, root)
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
  if (notes === null) return { root: new Map(), folders: new Map() }
  const { git, paths, memory } = ground
  const remembered = memory.notes?.commit === notes ? memory.notes : null
  if (remembered !== null && (remembered.folders.has(folder) || !remembered.root.has(folder))) return remembered
  const { stdout } = await git.engine(['cat-file', '--batch'], {
    gitDir: paths.repo,
    input: `${notes}^{tree}\n${notes}:${folder}\n`,
  })
  const [root = new Map(), lines] = readBatch(stdout, ground.objects)
  const folders = new Map(remembered?.folders)
  return { root, folders: lines === undefined ? folders : folders.set(folder, lines) }
}

/** `<id> tree <size>\n<bytes>\n`, or `<name> missing\n`, one after the other. */
function readBatch(output: Buffer, { format }: Objects): Tree[] {
  const trees: Tree[] = []
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0x0a, at)
    const size = / tree (\d+)$/.exec(output.subarray(at, end).toString('latin1'))?.[1]
    at = end + 1
    if (size === undefined) continue
    trees.push(readTreeLines(output.subarray(at, at + Number(size)), format))
    at += Number(size) + 1
  }
  return trees
}
