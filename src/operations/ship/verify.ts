// Verifies again what commits say about themselves: it reads the evidence from the repository alone and runs everything
// that it names again, on a clean clone.
import { type Attestation, contradictions, readAttestation } from '../../core/evidence/attestation.ts'
import type { Checks } from '../../checks/check.ts'
import { refuse } from '../../core/error/error.ts'
import { type CheckRun, type Evidence, isGreen, withListedNames } from '../../core/evidence/evidence.ts'
import type { BuildId, CommitId, TreeId } from '../../core/values/id.ts'
import type { Workspaces } from '../../workspace/workspace.ts'
import { plainGit, type RepositoryPlace } from '../builds/plain-git.ts'
import { readLanded } from './ship-git.ts'

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
  readonly digest: (text: string) => string
  readonly platform: string
  readonly close: () => Promise<void>
}

export interface CommitProof {
  readonly commit: CommitId
  readonly subject: string
  /** Null: Ralph did not make the commit. */
  readonly task: string | null
  readonly is: 'proved' | 'disproved' | 'accepted' | 'foreign'
  /** Why it is not proved. */
  readonly reasons: readonly string[]
  readonly runs: readonly CheckRun[]
}

/** Whether there is at least one commit, and all are proved. */
export function areProved(proofs: readonly CommitProof[]): boolean {
  return proofs.length > 0 && proofs.every(({ is }) => is === 'proved')
}

/** Its commits, oldest first. */
export async function verifyBuild(
  openClone: () => Promise<CleanClone>,
  build: BuildId,
  signal: AbortSignal,
): Promise<CommitProof[]> {
  const cleanClone = await openClone()
  try {
    const proofs: CommitProof[] = []
    for (const commit of await commitsToVerify(cleanClone, build))
      proofs.push(await verifyCommit(cleanClone, commit, signal))
    return proofs
  } finally {
    await cleanClone.close()
  }
}

/** A build's commits, oldest first; a range; or one commit. */
export async function commitsToVerify(cleanClone: CleanClone, target: string): Promise<CommitId[]> {
  const named = (...args: readonly string[]): Promise<string> =>
    plainGit(cleanClone.origin, 'rev-parse', '--verify', '--quiet', ...args)
  const branch = await named(`refs/heads/ralph/${target}`).catch(() => null)
  const revisions = branch ?? (await plainGit(cleanClone.origin, 'rev-parse', '--revs-only', target).catch(() => ''))
  if (revisions === '') throw refuse('COMMIT_UNKNOWN', { name: target })
  await cleanClone.bring(revisions.split('\n').map((revision) => revision.replace(/^\^/, '')))
  const wanted = branch === null ? [] : ['--grep', `^Ralph-Build: ${target}$`]
  const limit = branch === null && !target.includes('..') ? ['--max-count=1'] : []
  const found = await plainGit(
    cleanClone.clone,
    ...['rev-list', '--first-parent', '--reverse', ...limit, ...wanted, ...revisions.split('\n'), '--'],
  )
  return found.split('\n').filter(Boolean) as CommitId[]
}

export async function verifyCommit(
  cleanClone: CleanClone,
  commit: CommitId,
  signal?: AbortSignal,
): Promise<CommitProof> {
  await cleanClone.bring([commit])
  const landed = await readLanded(cleanClone.clone, commit)
  const about = { commit, subject: landed.message.split('\n', 1)[0] ?? '' }
  const attestation = readAttestation(landed, cleanClone.digest)
  return { ...about, ...(await verifyAttestation(cleanClone, attestation, signal)) }
}

async function verifyAttestation(
  cleanClone: CleanClone,
  attestation: Attestation,
  signal?: AbortSignal,
): Promise<Omit<CommitProof, 'commit' | 'subject'>> {
  switch (attestation.is) {
    case 'foreign':
      return { task: null, is: 'foreign', reasons: ['Ralph did not make it, so it has no evidence'], runs: [] }
    case 'broken':
      return { task: attestation.task, is: 'disproved', reasons: attestation.faults, runs: [] }
    case 'accepted':
      return {
        task: attestation.task,
        is: 'accepted',
        reasons: [`accepted unverified by ${attestation.person}`],
        runs: [],
      }
    case 'evidence': {
      const runs = await runRecipe(cleanClone, attestation.evidence, signal)
      const faults = await faultsOf(cleanClone, attestation.evidence, runs, signal)
      const reasons =
        faults.length === 0 ? faults : [...elsewhere(attestation.evidence, cleanClone.platform, runs), ...faults]
      return { task: attestation.task, is: reasons.length === 0 ? 'proved' : 'disproved', reasons, runs }
    }
  }
}

/** An interrupted run may not report its versions; that alone does not mean another platform. */
function elsewhere({ platform, checks }: Evidence, own: string, runs: readonly CheckRun[]): string[] {
  const [there, here] = [placeOf(platform, checks), placeOf(own, runs)]
  return there === here || here === platform ? [] : [`it was proved on ${there}, and this is ${here}`]
}

/** `linux x64 with vitest 5.1.0, node v24.1.0` */
function placeOf(platform: string, runs: readonly CheckRun[]): string {
  const versions = [...new Set(runs.flatMap((run) => run.versions ?? []))]
  return versions.length === 0 ? platform : `${platform} with ${versions.join(', ')}`
}

/** If everything is green but differs, it runs again, to find names that differ between any two runs. */
async function faultsOf(
  cleanClone: CleanClone,
  evidence: Evidence,
  runs: readonly CheckRun[],
  signal?: AbortSignal,
): Promise<string[]> {
  const faults = contradictions(evidence, runs)
  if (faults.length === 0 || !runs.every(isGreen)) return faults
  return contradictions(evidence, runs, await runRecipe(cleanClone, evidence, signal))
}

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
    for (const check of recipe.checks) {
      const run = await cleanClone.checks.run(checkout, check, changed, signal)
      runs.push(withListedNames(run, cleanClone.digest))
    }
    return runs
  } finally {
    await cleanClone.checks.release(checkout)
    checkout.free()
  }
}

/** `lint green, unit green (12 tests)` */
export function runsText(runs: readonly CheckRun[]): string {
  return runs
    .map((run) => {
      const tests = run.tests === null ? '' : ` (${run.tests.run} ${run.tests.run === 1 ? 'test' : 'tests'})`
      return `${run.name} ${isGreen(run) ? 'green' : 'red'}${tests}`
    })
    .join(', ')
}
