// Verifies again what commits say about themselves: it reads the evidence from the repository alone and runs everything
// that it names again, on a clean clone.
import { type Attestation, contradictions, readAttestation } from '../../core/evidence/attestation.ts'
import { refuse } from '../../core/error/error.ts'
import { type CheckRun, type Evidence, isGreen, withListedNames } from '../../core/evidence/evidence.ts'
import type { BuildId, CommitId } from '../../core/values/id.ts'
import { plainGit } from '../builds/plain-git.ts'
import type { ProbeReport } from '../../core/evidence/probe-report.ts'
import { type CleanClone, runRecipe } from './clean-clone.ts'
import { type Reproof, reprove } from './reprove.ts'
import { readLanded } from './ship-git.ts'

export interface CommitProof {
  readonly commit: CommitId
  readonly subject: string
  /** Null: Ralph did not make the commit. */
  readonly task: string | null
  readonly is: 'proved' | 'disproved' | 'accepted' | 'foreign'
  /** Why it is not proved. */
  readonly reasons: readonly string[]
  readonly runs: readonly CheckRun[]
  /** What the probes see now; null: they were not made again. */
  readonly probes: ProbeReport | null
  /** What else a reader should know: what could not be repeated, and why probes were not made. */
  readonly notes: readonly string[]
  /** What the commit carries and was proved again; null: nothing of the kind. */
  readonly evidence: Evidence | null
}

export interface VerifyOptions {
  readonly signal?: AbortSignal | undefined
  /** `left`: the checks alone, which is quicker. */
  readonly probes: 'again' | 'left'
  /** Gets the progress, one sentence at a time. */
  readonly note?: (sentence: string) => void
}

/** Whether there is at least one commit, and all are proved. */
export function areProved(proofs: readonly CommitProof[]): boolean {
  return proofs.length > 0 && proofs.every(({ is }) => is === 'proved')
}

/** Its commits, oldest first. */
export async function verifyBuild(
  openClone: () => Promise<CleanClone>,
  build: BuildId,
  options: VerifyOptions,
): Promise<CommitProof[]> {
  const cleanClone = await openClone()
  try {
    const proofs: CommitProof[] = []
    for (const commit of await commitsToVerify(cleanClone, build))
      proofs.push(await verifyCommit(cleanClone, commit, options))
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
  options: VerifyOptions,
): Promise<CommitProof> {
  await cleanClone.bring([commit])
  const landed = await readLanded(cleanClone.clone, commit)
  const about = { commit, subject: landed.message.split('\n', 1)[0] ?? '' }
  const attestation = readAttestation(landed, cleanClone.digest)
  return { ...about, ...(await verifyAttestation(cleanClone, attestation, options)) }
}

type Verified = Omit<CommitProof, 'commit' | 'subject'>

const NOTHING = { runs: [], probes: null, notes: [], evidence: null } as const

function verifyAttestation(
  cleanClone: CleanClone,
  attestation: Attestation,
  options: VerifyOptions,
): Promise<Verified> {
  const ended = (task: string | null, is: CommitProof['is'], reasons: readonly string[]): Promise<Verified> =>
    Promise.resolve({ ...NOTHING, task, is, reasons })
  switch (attestation.is) {
    case 'foreign':
      return ended(null, 'foreign', ['Ralph did not make it, so it has no evidence'])
    case 'broken':
      return ended(attestation.task, 'disproved', attestation.faults)
    case 'accepted':
      return ended(attestation.task, 'accepted', [`accepted unverified by ${attestation.person}`])
    case 'evidence':
      return verifyEvidence(cleanClone, attestation.task, attestation.evidence, options)
  }
}

async function verifyEvidence(
  cleanClone: CleanClone,
  task: string,
  evidence: Evidence,
  options: VerifyOptions,
): Promise<Verified> {
  const { signal, note = () => {} } = options
  if (options.probes === 'again' && evidence.probes !== undefined && evidence.probes.breaks.length > 0)
    note(`Running the checks of '${task}' …`)
  const fresh = await runRecipe(cleanClone, evidence, signal)
  const runs = fresh.map((run) => withKnownFlaky(evidence, run))
  const listed = runs.map((run) => withListedNames(run, cleanClone.digest))
  const faults = await faultsOf(cleanClone, evidence, listed, signal)
  const again = faults.length > 0 ? null : await probesAgain(cleanClone, evidence, runs, options)
  const wrong = [...faults, ...(again?.comparison.differences ?? [])]
  const reasons = wrong.length === 0 ? wrong : [...elsewhere(evidence, cleanClone.platform, listed), ...wrong]
  const notes =
    evidence.probes === undefined && options.probes === 'again' ? [BEFORE_PROBES] : (again?.comparison.notes ?? [])
  const is = reasons.length === 0 ? 'proved' : 'disproved'
  return { task, is, reasons, runs: listed, probes: again?.probes ?? null, notes, evidence }
}

const BEFORE_PROBES = 'it has no probes to prove again: it was made before probes, or nothing new was claimed'

function probesAgain(
  cleanClone: CleanClone,
  evidence: Evidence,
  runs: readonly CheckRun[],
  { probes: wanted, signal = new AbortController().signal, note = () => {} }: VerifyOptions,
): Promise<Reproof | null> {
  const { probes } = evidence
  if (wanted === 'left' || probes === undefined) return Promise.resolve(null)
  return reprove(cleanClone, { ...evidence, probes }, runs, { signal, note })
}

/** A test that is known to fail now and then may do so again. */
function withKnownFlaky({ checks }: Evidence, run: CheckRun): CheckRun {
  const flaky = checks.find(({ checkHash }) => checkHash === run.checkHash)?.flaky
  return flaky === undefined || isGreen(run) ? run : { ...run, flaky }
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
  const again = await runRecipe(cleanClone, evidence, signal)
  return contradictions(
    evidence,
    runs,
    again.map((run) => withListedNames(run, cleanClone.digest)),
  )
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
