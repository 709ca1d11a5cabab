// Verified work of an earlier build that is missing in HEAD: a new build starts from HEAD, so without it.
import { type Build, branchOf, isOver } from '../../core/builds/build.ts'
import { factsOf } from '../builds/build-facts.ts'
import type { BuildContext } from '../builds/builds.ts'
import { askGit, type RepositoryPlace } from '../builds/plain-git.ts'

/** The user has ignored older ones often enough. */
const BUILDS_MAX = 20

/**
 * The newest build whose branch was not merged, as a sentence with the command that merges it; null where there is
 * none.
 */
export async function unshippedWork(context: BuildContext, user: RepositoryPlace): Promise<string | null> {
  const branches = await unmergedBranches(user)
  if (branches.size === 0) return null
  const builds = await context.store.builds.list(context.scope, { limit: BUILDS_MAX })
  for (const build of builds) {
    if (isOver(build.state) && branches.has(branchOf(build.id)) && (await isMissed(context, build)))
      return sentenceOf(build)
  }
  return null
}

/** Build branches that are not merged into HEAD; none where nothing is committed yet. */
async function unmergedBranches(user: RepositoryPlace): Promise<ReadonlySet<string>> {
  const { code, stdout } = await askGit(user, [
    'for-each-ref',
    '--no-merged=HEAD',
    '--format=%(refname:lstrip=2)',
    'refs/heads/ralph/',
  ])
  return new Set(code === 0 ? stdout.split('\n').filter(Boolean) : [])
}

/** Something was merged and is still there. A pull request may be merged in any form, which no branch shows. */
async function isMissed(context: BuildContext, { id }: Build): Promise<boolean> {
  let merged = 0
  for await (const facts of factsOf(context, id, 0)) {
    for (const { fact } of facts) {
      if (fact.type === 'shipped' && fact.how === 'pullRequest') return false
      if (fact.type === 'taskComplete') merged += 1
      if (fact.type === 'taskReverted' || (fact.type === 'statusRejected' && fact.lost !== undefined)) merged -= 1
    }
  }
  return merged > 0
}

function sentenceOf({ id, state }: Build): string {
  const branch = branchOf(id)
  return state === 'complete'
    ? `build ${id} is complete but not shipped, and a new build starts from HEAD, without its work; 'ralph ship ${id}' takes it over`
    : `what the aborted build ${id} had merged is on ${branch} and not in HEAD, so a new build starts without it; 'git merge ${branch}' takes it over`
}
