// The short way into the user's repository for objects that this process has just written: link the few new objects
// there and move the refs. A fetch does the same with six processes and 60 ms, and handles every special case, so every
// special case goes to it.
import { copyFileSync, linkSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { CommitId } from '../../../core/values/id.ts'
import { errnoOf } from '../../../system/errno.ts'
import { draftPath, namesIn, readIfThere } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import { pathOf } from '../objects/objects.ts'
import { type RefMove, readRef, refMoves } from '../repository/refs.ts'

/** `mirrored`: where this process left the user's refs before. Null where a fetch has to do it. */
export async function mirrorDirectly(
  context: GitContext,
  names: readonly string[],
  mirrored: ReadonlyMap<string, CommitId>,
): Promise<readonly RefMove[] | null> {
  const { git, paths, user } = context
  const moves: RefMove[] = []
  for (const name of names) {
    const to = await readRef(paths.repo, name)
    const from = await readRef(user.commonDir, name)
    // Not ours: a person's commits, or an older state.
    if (to === null || from !== (mirrored.get(name) ?? null) || (await isCheckedOut(user.commonDir, name))) return null
    if (to !== from) moves.push({ name, to, from })
  }
  if (moves.length === 0) return moves
  if (!(await linkObjects(context, await newObjects(context, moves, [...mirrored.values()])))) return null
  const call = { gitDir: user.commonDir, input: refMoves(moves), answers: [1, 128] }
  return (await git.user(['update-ref', '-z', '--stdin'], call)).code === 0 ? moves : null
}

async function newObjects(
  { git, paths }: GitContext,
  moves: readonly RefMove[],
  mirrored: readonly CommitId[],
): Promise<string[]> {
  const lines = [...moves.map(({ to }) => to), ...mirrored.map((commit) => `^${commit}`)]
  const { stdout } = await git.engine(['rev-list', '--objects', '--no-object-names', '--stdin'], {
    gitDir: paths.repo,
    input: lines.map((line) => `${line}\n`).join(''),
  })
  return stdout.toString('latin1').split('\n').filter(Boolean)
}

/** A link takes a tenth of a call through Node's thread pool; but there may be many. */
const LINKS_PER_TURN = 64

/** False where an object is packed. */
async function linkObjects({ objects, user }: GitContext, ids: readonly string[]): Promise<boolean> {
  for (const [at, id] of ids.entries()) {
    if (at % LINKS_PER_TURN === LINKS_PER_TURN - 1) await setImmediate()
    if (!linkObject(pathOf(objects, id), join(user.commonDir, 'objects', id.slice(0, 2), id.slice(2)))) return false
  }
  return true
}

function linkObject(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return true
  }
  try {
    mkdirSync(dirname(to), { recursive: true })
    linkSync(from, to)
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') return errnoOf(error) === 'EEXIST'
    const beside = draftPath(to, 'tmp_obj_')
    copyFileSync(from, beside)
    renameSync(beside, to)
  }
  return true
}

/** In the main worktree or a linked one. */
async function isCheckedOut(commonDir: string, name: string): Promise<boolean> {
  if (!name.startsWith('refs/heads/')) return false
  const linked = await namesIn(join(commonDir, 'worktrees'))
  const heads = [join(commonDir, 'HEAD'), ...linked.map((one) => join(commonDir, 'worktrees', one, 'HEAD'))]
  const texts = await Promise.all(heads.map(readIfThere))
  return texts.some((text) => text?.trim() === `ref: ${name}`)
}
