// The content of the user's checkout: read as a tree, and changed from one tree to another, file by file. Only files of
// the two trees are touched; ignored files and whatever git cannot take stay.
import { lstat, mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { refuse } from '../../../core/error/error.ts'
import type { CommitId, TreeId } from '../../../core/values/id.ts'
import { gather } from '../harvest/harvest.ts'
import { type InPlace, readingContext } from './in-place-slot.ts'
import { requireNewIntact } from '../tree/intact-trees.ts'
import { encodeId } from '../repository/layout.ts'
import { pin, pinnedBase } from '../repository/pins.ts'
import type { Holder, Slot } from '../agent-folder/folder-place.ts'
import { removeAll } from '../../../system/remove-all.ts'
import { ASIDE } from '../pool/rescue-unharvested.ts'
import { insideOf } from '../agent-folder/sync.ts'
import { bytesOf } from '../objects/tree-paths.ts'
import type { Place } from '../repository/fast-path.ts'

/** The tree of as much as git can take. */
export async function contentOf(at: InPlace, slot: Slot): Promise<TreeId> {
  const { tree, written } = await gather(await readingContext(at, slot), slot, 'rest')
  await written
  if (tree === null) throw refuse('CHECKOUT_MISSING')
  return tree
}

/** Sets the private index to this tree and keeps the times of unchanged files. */
export async function indexAs({ context }: InPlace, slot: Slot, tree: TreeId): Promise<void> {
  const { git, indexes } = context
  indexes.forget(slot)
  await removeAll(join(slot.gitDir, 'index.lock'))
  await git.engine(['read-tree', '-i', '-m', '--end-of-options', tree], insideOf(context, slot))
  await git.engine(['update-index', '-q', '--refresh'], { ...insideOf(context, slot), answers: [1] })
  indexes.set(slot, tree)
}

/** `from`: the present content of the checkout. If somebody edits a file meanwhile, git refuses and changes nothing. */
export async function change(at: InPlace, slot: Slot, from: TreeId, to: TreeId, whose: Whose): Promise<void> {
  if (from === to) return
  const { git, indexes } = at.context
  await requireNewIntact(at.context, from, to)
  await indexAs(at, slot, from)
  for (const path of await inTheWay(at, slot, from, to)) await setAside(at, slot, path, whose)
  await git.engine(['read-tree', '-m', '-u', '--end-of-options', from, to], insideOf(at.context, slot))
  indexes.set(slot, to)
}

export type Whose = Pick<Holder, 'build' | 'task'>

/** Ignored files at paths that the new tree has and the old one does not. */
async function inTheWay({ context }: InPlace, place: Place, from: TreeId, to: TreeId): Promise<string[]> {
  const added = [
    'diff-tree',
    '-r',
    '-z',
    '--name-only',
    '--no-renames',
    '--diff-filter=A',
    '--end-of-options',
    from,
    to,
  ]
  const { stdout } = await context.git.engine(added, { gitDir: context.paths.repo })
  const paths = stdout.toString('latin1').split('\0').filter(Boolean)
  const isThere = await Promise.all(
    paths.map((path) =>
      lstat(bytesOf(place.folder, path)).then(
        (stats) => !stats.isDirectory(),
        () => false,
      ),
    ),
  )
  return paths.filter((_, number) => isThere[number])
}

async function setAside({ context }: InPlace, place: Place, path: string, { build, task }: Whose): Promise<void> {
  const folder = join(context.paths.state, 'in-place', ASIDE, encodeId(build), `${encodeId(task)}.${context.now()}`)
  const aside = bytesOf(folder, path)
  await mkdir(dirname(aside.toString('latin1')), { recursive: true })
  await rename(bytesOf(place.folder, path), aside)
}

/** Pins work that was never harvested as attempt 0 of its task, before it goes. */
export async function keepSafe(
  { context }: InPlace,
  { build, task, base }: Holder,
  tree: TreeId,
  agentCommits: readonly CommitId[] = [],
): Promise<void> {
  const isKnown = agentCommits.length === 0 && (await pinnedBase(context, build, task, tree)) !== null
  if (!isKnown) await pin(context, { build, task, attempt: 0, iteration: context.now() }, { tree, base, agentCommits })
}
