// A patch that touches what judges it is judged a second time as the base would judge it: with the base's own tests,
// runner settings and scripts, and the new code. The evidence holds both results, and the reviewer sees them.
import type { Finding } from '../../core/fact/finding.ts'
import { touchesWhatJudges } from '../../core/fact/finding.ts'
import { asJudgedOnBase, isManifest } from '../../core/findings/manifest-findings.ts'
import { type Change, mustBeRead, type Suspect } from '../../core/findings/patch-findings.ts'
import type { TreeId } from '../../core/values/id.ts'
import type { Patch, Workspaces } from '../../workspace/workspace.ts'
import { kindOf } from '../../core/findings/file-kind.ts'
import { isOfTests } from '../../core/probes/changed-file.ts'
import { judgeFiles, type JudgeRole } from '../../core/probes/judge-files.ts'
import { judgeScripts } from './judge-scripts.ts'
import type { EngineDeps, TaskRun } from '../deps.ts'

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

/** The changed files that judge, with what they are: the base has them, so the patch may have bent them. */
export async function changedJudges(
  engine: Pick<EngineDeps, 'config' | 'workspaces'>,
  base: TreeId,
  files: readonly Change[],
): Promise<ReadonlyMap<string, JudgeRole>> {
  const changed = files.filter(({ change }) => change !== 'added').map(({ path, from }) => from ?? path)
  if (changed.length === 0) return new Map()
  const users = new Map<string, readonly string[]>()
  for (const path of changed.filter((one) => !isOfTests(one)).slice(0, LOOKED_FOR_MAX)) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const stem = kindOf(path) === 'code' ? name.replace(/\.\w+$/, '') : name
    users.set(path, [...(await engine.workspaces.filesWith(base, [stem])).keys()])
  }
  const scripts = await judgeScripts(engine, base)
  return judgeFiles({ changed, scripts, mentions: (path) => users.get(path) ?? [] })
}

/** Looking for the users of a file reads the whole tree. */
const LOOKED_FOR_MAX = 20

export interface BaseJudged {
  readonly tree: TreeId
  readonly restored: readonly string[]
}

/** The new code with the base's own tests, data, scripts and settings; null where the patch does not touch those. */
export async function asBaseJudges(
  workspaces: Workspaces,
  trees: { readonly base: TreeId; readonly tree: TreeId },
  suspect: Suspect,
  found: readonly Finding[],
  judges: ReadonlyMap<string, JudgeRole>,
): Promise<BaseJudged | null> {
  const touched = new Set(found.filter(touchesWhatJudges).map(({ path }) => path))
  const isJudge = ({ path, from }: Change): boolean =>
    touched.has(path) || judges.has(path) || (from !== undefined && judges.has(from))
  const files = suspect.files.filter(isJudge)
  if (files.length === 0) return null
  // New files among the tests could change what the old ones do.
  const beside = suspect.files.filter(({ path, change }) => change === 'added' && isOfTests(path))
  const whole = [...files, ...beside].filter(({ path }) => !isManifest(path))
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
