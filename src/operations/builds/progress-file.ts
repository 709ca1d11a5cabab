// Imports a progress file into the store as a difference, and keeps it up to date with the build over its tasks.
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
  /** The path from the repository's root, which is the spec of its tasks. */
  readonly spec: string
}

export interface ImportedFile {
  /** NAME of `# Progress: NAME` */
  readonly name: string
  readonly diff: PlanDiff
  /** Unchecked in the file, but done in the store. They are not done again, and a person should know. */
  readonly doneBefore: readonly TaskId[]
  /** What was read differently from what its writer may think. */
  readonly notes: readonly string[]
}

/** One task that cannot be imported makes the whole file invalid. */
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

/** An engine whose loops read and write the file. `warn` gets each problem with it as one sentence. */
export function withProgressFile(
  engine: EngineDeps,
  build: BuildId,
  { path, spec }: ProgressSource,
  warn: (sentence: string) => void,
): EngineDeps {
  const { store, scope } = engine
  return { ...engine, progress: keepProgressFile({ store, scope, build, path, spec, warn }) }
}
