// Changes a task's folder for an agent that cannot do it itself. It tries the edit on a copy and judges the real
// changes before the folder gets them. Only the diff that is harvested afterwards counts.
import type { TreeId } from '../../core/values/id.ts'
import { isLockStale } from '../../core/findings/implied-setup.ts'
import { lineEndProblem, patchProblems, patchRefusal } from '../../core/findings/patch-rules.ts'
import type { TreeChange, TreeEdit } from '../../core/patch/tree-edit.ts'
import type { AttemptMark, Workspace } from '../../workspace/workspace.ts'
import type { EngineDeps } from '../deps.ts'

export type PatchResult =
  | { readonly ok: true; readonly tree: TreeId; readonly paths: readonly string[] }
  /** Written for the author of the edit; nothing was changed. */
  | { readonly ok: false; readonly reason: string }

type Patching = Pick<EngineDeps, 'workspaces' | 'config' | 'checks'>

export async function applyEdit(
  engine: Patching,
  workspace: Workspace,
  mark: AttemptMark,
  edit: TreeEdit,
  signal?: AbortSignal,
): Promise<PatchResult> {
  const { workspaces, config } = engine
  const before = await workspaces.harvest(workspace, mark)
  if (!before.taken) return { ok: false, reason: before.reason }
  const edited = await workspaces.edited(before.tree, edit)
  if (!edited.ok) return { ok: false, reason: patchRefusal([edited.reason]) }
  const policy = { protectedPaths: config.protect.paths, filesMax: config.limits.filesPerPatch }
  const problems = patchProblems(edited.changes, policy)
  if (problems.length === 0) problems.push(...(await lineEndProblems(workspaces, before.tree, edited)))
  if (problems.length > 0) return { ok: false, reason: patchRefusal(problems) }
  const paths = edited.changes.map(({ path }) => path)
  const locked = await withLockfile(engine, edited.tree, paths, signal)
  if (!locked.ok) return { ok: false, reason: patchRefusal([locked.reason]) }
  // The base stays the same; only the content of the folder is new.
  if (locked.tree !== before.tree) await workspaces.rebase(workspace, workspace.base, locked.tree)
  return locked
}

const [MANIFEST, LOCKFILE] = ['package.json', 'package-lock.json'] as const

/**
 * An agent without tools that changes package.json cannot run npm, and `npm ci` refuses a lockfile that does not match.
 */
async function withLockfile(
  { workspaces, checks }: Patching,
  tree: TreeId,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<PatchResult> {
  const asItIs = { ok: true, tree, paths } as const
  if (!paths.includes(MANIFEST) || paths.includes(LOCKFILE)) return asItIs
  const texts = await workspaces.read(tree, [MANIFEST, LOCKFILE])
  const [manifest, lockfile] = [texts.get(MANIFEST), texts.get(LOCKFILE)]
  const isThere = lockfile !== undefined || (await workspaces.missing(tree, [LOCKFILE])).length === 0
  // A lockfile that is too long to read counts as stale.
  if (manifest === undefined || !isThere || (lockfile !== undefined && !isLockStale(manifest, lockfile))) return asItIs
  const checkout = await workspaces.checkout(tree)
  try {
    const locked = await checks.relock(checkout, signal)
    if (!locked.ok)
      return { ok: false, reason: `${LOCKFILE} cannot be brought up to date with ${MANIFEST}: ${locked.reason}` }
    const whole = await workspaces.alter(tree, new Map([[locked.file, locked.text]]))
    return { ok: true, tree: whole, paths: [...paths, locked.file] }
  } finally {
    checkout.free()
  }
}

async function lineEndProblems(
  workspaces: Patching['workspaces'],
  before: TreeId,
  { tree, changes }: { readonly tree: TreeId; readonly changes: readonly TreeChange[] },
): Promise<string[]> {
  const paths = changes.filter(({ change }) => change === 'modified').map(({ path }) => path)
  if (paths.length === 0) return []
  const [old, now] = await Promise.all([workspaces.read(before, paths), workspaces.read(tree, paths)])
  return paths.flatMap((path) => lineEndProblem(path, old.get(path) ?? '', now.get(path) ?? '') ?? [])
}
