// Changes a task's folder for an agent that does not do it itself: the edit is tried on a copy, what it really changed is
// judged, and only then the folder gets it. The diff that counts is the one that is harvested afterwards.
import type { TreeId } from '../core/id.ts'
import { lineEndProblem, patchProblems, patchRefusal } from '../core/patch-rules.ts'
import type { TreeChange, TreeEdit } from '../core/tree-edit.ts'
import type { AttemptMark, Workspace } from '../workspace/workspace.ts'
import type { Shop } from './shop.ts'

export type Patched =
  | { readonly ok: true; readonly tree: TreeId; readonly paths: readonly string[] }
  /** In words for who wrote the edit; nothing was changed. */
  | { readonly ok: false; readonly reason: string }

type Patching = Pick<Shop, 'workspaces' | 'config'>

export async function applyEdit(
  { workspaces, config }: Patching,
  workspace: Workspace,
  mark: AttemptMark,
  edit: TreeEdit,
): Promise<Patched> {
  const before = await workspaces.harvest(workspace, mark)
  if (!before.taken) return { ok: false, reason: before.reason }
  const edited = await workspaces.edited(before.tree, edit)
  if (!edited.ok) return { ok: false, reason: patchRefusal([edited.reason]) }
  const policy = { protectedPaths: config.protect.paths, filesMax: config.limits.filesPerPatch }
  const problems = patchProblems(edited.changes, policy)
  if (problems.length === 0) problems.push(...(await lineEndProblems(workspaces, before.tree, edited)))
  if (problems.length > 0) return { ok: false, reason: patchRefusal(problems) }
  // On the same base as before: only what is in the folder is new.
  if (edited.tree !== before.tree) await workspaces.rebase(workspace, workspace.base, edited.tree)
  return { ok: true, tree: edited.tree, paths: edited.changes.map(({ path }) => path) }
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
