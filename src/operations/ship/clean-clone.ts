// A clean clone: proves again what a commit says of itself, with nothing from earlier runs.
import type { Checks } from '../../checks/check.ts'
import type { CheckRun, Evidence } from '../../core/evidence/evidence.ts'
import type { CommitId, TreeId } from '../../core/values/id.ts'
import type { Syntax } from '../../syntax/syntax.ts'
import type { Workspaces } from '../../workspace/workspace.ts'
import type { RepositoryPlace } from '../builds/plain-git.ts'

/** A clean clone, and what is needed to run checks in it. */
export interface CleanClone {
  readonly clone: RepositoryPlace
  /** A clone lacks commits that no ref leads to; this fetches them. */
  readonly bring: (commits: readonly string[]) => Promise<void>
  /** The cloned checkout, where names such as HEAD have their meaning. */
  readonly origin: RepositoryPlace
  readonly workspaces: Workspaces
  /** The merge of two commits of the clone; refuses a conflict. */
  readonly merge: (ours: CommitId, theirs: CommitId) => Promise<TreeId>
  readonly checks: Checks
  /** Reads source code with real grammars. */
  readonly syntax: Syntax
  readonly digest: (text: string) => string
  readonly platform: string
  readonly close: () => Promise<void>
}

/** Setup and checks of the evidence on a tree. */
export async function runRecipe(
  cleanClone: CleanClone,
  { recipe, tree, changed }: Pick<Evidence, 'recipe' | 'tree' | 'changed'>,
  signal?: AbortSignal,
): Promise<CheckRun[]> {
  const checkout = await cleanClone.workspaces.checkout(tree)
  try {
    const { setup: command, installScripts } = recipe
    const setup = command === null ? null : { command, installScripts }
    const prepared = await cleanClone.checks.prepare(checkout, setup, signal)
    if (!prepared.ok) return [prepared.run]
    const runs: CheckRun[] = []
    for (const check of recipe.checks) runs.push(await cleanClone.checks.run(checkout, check, changed, signal))
    return runs
  } finally {
    await cleanClone.checks.release(checkout)
    checkout.free()
  }
}
