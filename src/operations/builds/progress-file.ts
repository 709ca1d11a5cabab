// A progress file becomes tasks of the store, by difference, and goes along with the build over them.
import { refuse } from '../../core/error/error.ts'
import type { BuildId, TaskId } from '../../core/values/id.ts'
import type { PlanDiff } from '../../core/plan/plan.ts'
import { parseProgressFile } from '../../core/progress/progress-file.ts'
import { readWhole } from '../../engine/progress/file-on-disk.ts'
import { planOfFile, syncPlan } from '../../engine/progress/plan-items.ts'
import { keepProgressFile, problemOf } from '../../engine/progress.ts'
import type { EngineDeps } from '../../engine/deps.ts'
import type { BuildContext } from './builds.ts'

export interface ProgressSource {
  readonly path: string
  /** What its tasks have as their spec: the path from the repository's root. */
  readonly spec: string
}

export interface ImportedFile {
  /** NAME of `# Progress: NAME` */
  readonly name: string
  readonly diff: PlanDiff
  /** Unchecked in the file, although done in the store: they are not done again, which a person should be told. */
  readonly doneBefore: readonly TaskId[]
  /** What was not taken as its writer may think. */
  readonly notes: readonly string[]
}

/** One task that cannot be taken over refuses the whole file. */
export async function importProgressFile(
  { store, scope }: Pick<BuildContext, 'store' | 'scope'>,
  { path, spec }: ProgressSource,
): Promise<ImportedFile> {
  const { text, changedAt } = await readWhole(path)
  const problem = problemOf(text, null, spec)
  if (problem !== null) throw refuse('PROGRESS_FILE_BAD', { problem })
  const plan = await planOfFile(store, scope, spec, text)
  if (plan.problems.length > 0) throw refuse('PROGRESS_FILE_BAD', { problem: plan.problems.join('; ') })
  const diff = await syncPlan(store, scope, spec, plan, changedAt)
  return { name: parseProgressFile(text).name, diff, doneBefore: plan.doneBefore, notes: plan.notes }
}

/** The loops of this shop read and write the file; `warn` is told of trouble with it, one sentence each. */
export function withProgressFile(
  engine: EngineDeps,
  build: BuildId,
  { path, spec }: ProgressSource,
  warn: (sentence: string) => void,
): EngineDeps {
  const { store, scope } = engine
  return { ...engine, progress: keepProgressFile({ store, scope, build, path, spec, warn }) }
}
