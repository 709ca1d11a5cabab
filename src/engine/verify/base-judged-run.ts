// A patch that touches what judges it is judged a second time as the base would judge it: with the base's own tests,
// runner settings and scripts, and the new code. The evidence holds both results, and the reviewer sees them.
import type { Finding } from '../../core/fact/finding.ts'
import { touchesWhatJudges } from '../../core/fact/finding.ts'
import { asJudgedOnBase, isManifest } from '../../core/findings/manifest-findings.ts'
import { mustBeRead, type Suspect } from '../../core/findings/patch-findings.ts'
import type { TreeId } from '../../core/values/id.ts'
import type { Patch, Workspaces } from '../../workspace/workspace.ts'
import type { TaskRun } from '../deps.ts'

/** Everything that the guard examines. */
export async function suspectOf(
  { engine, task }: Pick<TaskRun, 'engine' | 'task'>,
  base: TreeId,
  tree: TreeId,
  patch: Patch,
): Promise<Suspect> {
  const paths = patch.files.filter(mustBeRead).map(({ path }) => path)
  const before = await engine.workspaces.read(base, paths)
  const now = await engine.workspaces.read(tree, paths)
  const contents = paths.map((path) => [path, { base: before.get(path) ?? null, now: now.get(path) ?? null }] as const)
  return { ...patch, contents: new Map(contents), specs: task.spec === null ? [] : [task.spec], task }
}

export interface BaseJudged {
  readonly tree: TreeId
  readonly restored: readonly string[]
}

/** The new code with the base's own tests and settings; null where the patch does not touch those. */
export async function asBaseJudges(
  workspaces: Workspaces,
  trees: { readonly base: TreeId; readonly tree: TreeId },
  suspect: Suspect,
  found: readonly Finding[],
): Promise<BaseJudged | null> {
  const touched = new Set(found.filter(touchesWhatJudges).map(({ path }) => path))
  const files = suspect.files.filter(({ path }) => touched.has(path))
  if (files.length === 0) return null
  const whole = files.filter(({ path }) => !isManifest(path))
  const restored = whole.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]))
  const tree = await workspaces.withFilesOf(trees.tree, trees.base, restored)
  const manifests = [...suspect.contents].flatMap(([path, versions]) => {
    const text = touched.has(path) ? asJudgedOnBase(path, versions) : null
    return text === null ? [] : [[path, text] as const]
  })
  const judged = await workspaces.alter(tree, new Map(manifests))
  if (judged === trees.tree) return null
  return { tree: judged, restored: [...restored, ...manifests.map(([path]) => path)] }
}
