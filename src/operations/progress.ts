// A progress file becomes tasks of the store, by difference.
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { refuse } from '../core/error.ts'
import type { TaskId } from '../core/id.ts'
import type { PlanDiff } from '../core/plan.ts'
import { parseProgressFile } from '../core/progress-file.ts'
import { problemOf } from '../engine/progress.ts'
import { readWhole } from '../engine/progress/file-on-disk.ts'
import { planOfFile, syncPlan } from '../engine/progress/plan-items.ts'
import type { BuildDesk } from './builds.ts'

export interface ImportedFile {
  /** NAME of `# Progress: NAME` */
  readonly name: string
  /** What its tasks have as their spec: the path from the repository's root. */
  readonly spec: string
  readonly path: string
  readonly diff: PlanDiff
  /** Unchecked in the file, although done in the store: they are not done again, which a person should be told. */
  readonly doneBefore: readonly TaskId[]
}

/** One task that cannot be taken over refuses the whole file. `root` is the repository's folder. */
export async function importProgressFile(
  { store, scope }: Pick<BuildDesk, 'store' | 'scope'>,
  root: string,
  file: string,
): Promise<ImportedFile> {
  const path = resolve(root, file)
  const { text } = await readWhole(path)
  const spec = await specOf(root, path)
  const problem = problemOf(text, null, spec)
  if (problem !== null) throw refuse('PROGRESS_FILE_BAD', { problem })
  const plan = await planOfFile(store, scope, spec, text)
  if (plan.problems.length > 0) throw refuse('PROGRESS_FILE_BAD', { problem: plan.problems.join('; ') })
  const diff = await syncPlan(store, scope, spec, plan)
  return { name: parseProgressFile(text).name, spec, path, diff, doneBefore: plan.doneBefore }
}

/** The file's own name stays, also where it is a link; the folders on the way are taken as what they are. */
async function specOf(root: string, path: string): Promise<string> {
  const [from, folder] = [await realpath(root), await realpath(dirname(path))]
  return relative(from, join(folder, basename(path)))
    .split(sep)
    .join('/')
}
