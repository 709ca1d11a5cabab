// Notes on commits, in the format of `git notes`: a tree whose files are named by their commits, with the first two
// digits as a folder. Written without `git notes`, which cannot compare and swap, nor move the branch in the same
// transaction.
import { BoundedMap } from '../../../core/values/bounded-map.ts'
import type { CommitId, TreeId } from '../../../core/values/id.ts'
import { writeCommit } from './commits.ts'
import { isNamedRightly, readBatch } from '../objects/batch.ts'
import type { GitContext } from './git-context.ts'
import { damagedError } from './intact.ts'
import { NOTES_REF } from './layout.ts'
import { startObject } from '../objects/objects.ts'
import { type TreeText, hasFolder, treeWith } from '../objects/tree-object.ts'

/** The trees of the notes commit that this process wrote last. */
export type KnownNotes = BoundedMap<CommitId, NotesTrees>

interface NotesTrees {
  readonly root: TreeText
  readonly folders: ReadonlyMap<string, TreeText>
}

export function newKnownNotes(): KnownNotes {
  return new BoundedMap(1)
}

/** Null where there is none. */
export async function noteOn(context: GitContext, commit: CommitId): Promise<string | null> {
  const [note] = await readNotes(context, [`${NOTES_REF}:${commit.slice(0, 2)}/${commit.slice(2)}`])
  return note?.toString('utf8').trimEnd() ?? null
}

/** The notes commit after `notes`, with this text on the commit. */
export async function notesWith(
  context: GitContext,
  notes: CommitId | null,
  commit: CommitId,
  text: string,
): Promise<CommitId> {
  const { objects, identity, now } = context
  const folder = commit.slice(0, 2)
  const known = await treesOf(context, notes, folder)
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
  context.notes.set(written, { root, folders: new Map(known.folders).set(folder, lines) })
  return written
}

async function treesOf(context: GitContext, notes: CommitId | null, folder: string): Promise<NotesTrees> {
  if (notes === null) return { root: '', folders: new Map() }
  const known = context.notes.get(notes)
  const isKnown = known?.folders.has(folder) === true
  if (known !== undefined && (isKnown || !hasFolder(known.root, context.objects.format, folder))) return known
  const [root, lines] = await readNotes(context, [`${notes}^{tree}`, `${notes}:${folder}`])
  const folders = new Map(known?.folders)
  const text = lines?.toString('latin1')
  return { root: root?.toString('latin1') ?? '', folders: text === undefined ? folders : folders.set(folder, text) }
}

/** Contents of blobs and trees; null where there is none. */
async function readNotes(context: GitContext, names: readonly string[]): Promise<(Buffer | null)[]> {
  const { stdout } = await context.git.engine(['cat-file', '--batch'], {
    gitDir: context.paths.repo,
    input: names.map((name) => `${name}\n`).join(''),
  })
  const objects = readBatch(stdout)
  for (const object of objects)
    if (object !== null && !isNamedRightly(context.objects.format, object)) throw await damagedError(context, object.id)
  return objects.map((object) => object?.content ?? null)
}
