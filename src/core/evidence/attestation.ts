// The proof that a commit carries, read without trust: every byte must fit the commit and itself. The commit names the
// evidence by its digest, so neither can change without the other.
import type { CheckRun, Evidence, RecipeCheck } from './evidence.ts'
import { isGreen } from './evidence.ts'
import type { Proof } from '../fact/fact.ts'
import type { TreeId } from '../values/id.ts'
import { missedTests } from '../test-output/test-names.ts'

/** The note on a commit that Ralph made. */
export interface LandedNote {
  readonly task: string
  readonly tree: TreeId
  readonly proof: Proof
  readonly evidence: Evidence | null
  readonly resolution: { readonly by: string; readonly text: string } | null
}

export interface LandedCommit {
  readonly tree: TreeId
  readonly message: string
  /** Null: there is none. */
  readonly note: string | null
}

export type Attestation =
  /** The commit is not Ralph's. */
  | { readonly is: 'foreign' }
  | { readonly is: 'broken'; readonly task: string; readonly faults: readonly string[] }
  | { readonly is: 'accepted'; readonly task: string; readonly person: string }
  | { readonly is: 'evidence'; readonly task: string; readonly evidence: Evidence }

export function readAttestation(commit: LandedCommit, digest: (text: string) => string): Attestation {
  const task = trailer(commit.message, 'Task ID')
  const named = trailer(commit.message, 'Ralph-Evidence')
  if (task === null || named === null) return { is: 'foreign' }
  const broken = (...faults: readonly string[]): Attestation => ({ is: 'broken', task, faults })
  if (commit.note === null) return broken('its evidence is not there: fetch the notes with it (refs/notes/ralph)')
  const note = parseNote(commit.note)
  if (note === null) return broken('its evidence cannot be read: the note was changed or cut')
  const { proof, evidence, resolution } = note
  if (note.task !== task || note.tree !== commit.tree) return broken('its note speaks of another task or tree')
  if (proof.by === 'person')
    return named === 'none' ? { is: 'accepted', task, person: proof.person } : broken('its note has lost the evidence')
  if (evidence === null || `sha256:${digest(JSON.stringify(evidence))}` !== named || proof.evidence !== named)
    return broken('its evidence was changed: it is not what the commit names')
  const faults = [
    ...(evidence.tree === commit.tree ? [] : ['its evidence is of another tree']),
    ...(JSON.stringify(evidence.resolution) === JSON.stringify(resolution) ? [] : ['who resolved it was changed']),
    ...(evidence.verdict === 'green' ? [] : [`its evidence is ${evidence.verdict}`]),
    ...(evidence.findings.length === 0 || evidence.cleared !== null ? [] : ['nobody cleared its findings']),
    ...(evidence.probes?.strength === 'thin' && evidence.cleared === null
      ? ['nobody looked at it, although its evidence is thin']
      : []),
  ]
  return faults.length === 0 ? { is: 'evidence', task, evidence } : broken(...faults)
}

/** Evidence that lacks a check of the build does not prove its tree, whatever else it says. */
export function withChecks(said: Attestation, wanted: readonly RecipeCheck[]): Attestation {
  if (said.is !== 'evidence') return said
  const ran = new Set(said.evidence.recipe.checks.map(sameCheck))
  const left = wanted.filter((check) => !ran.has(sameCheck(check))).map(({ name }) => `'${name}'`)
  if (left.length === 0) return said
  return {
    is: 'broken',
    task: said.task,
    faults: [`its evidence leaves out ${left.join(', ')} of this build's checks`],
  }
}

function sameCheck({ name, kind, command, cwd }: RecipeCheck): string {
  return JSON.stringify([name, kind, command, cwd])
}

/** The same, where the note must be the one that was written when the commit landed; null: that note is unknown. */
export function withOwnNote(said: Attestation, written: string | null, found: string): Attestation {
  if (written === null || written === found || said.is === 'foreign' || said.is === 'broken') return said
  return { is: 'broken', task: said.task, faults: ['its note is not the one that Ralph wrote'] }
}

function trailer(message: string, name: string): string | null {
  const lines = message.split('\n').filter((line) => line.startsWith(`${name}: `))
  return lines.at(-1)?.slice(name.length + 2) ?? null
}

/** Requires the exact bytes: Ralph did not write other bytes with the same meaning. */
function parseNote(text: string): LandedNote | null {
  try {
    const note = JSON.parse(text) as Partial<LandedNote> | null
    if (typeof note !== 'object' || note === null || JSON.stringify(note) !== text) return null
    const isWhole = 'task' in note && 'tree' in note && 'proof' in note && 'evidence' in note && 'resolution' in note
    return isWhole ? (note as LandedNote) : null
  } catch {
    return null
  }
}

/**
 * The parts of the evidence that a new run contradicts. `again`: a second new run on the same tree. As many names may
 * differ from the evidence as differ between these two runs, since those change from run to run.
 */
export function contradictions(
  evidence: Evidence,
  runs: readonly CheckRun[],
  again: readonly CheckRun[] = [],
): string[] {
  return evidence.checks.flatMap((then) => {
    const now = runs.find(({ checkHash }) => checkHash === then.checkHash)
    if (now === undefined) return [`${then.name} could not be run${runs.map(lastWords).join('')}`]
    if (isGreen(then) && !isGreen(now)) return [`${then.name} was green and is red now${lastWords(now)}`]
    const ran = then.tests?.run ?? 0
    const runsNow = now.tests?.run ?? 0
    if (runsNow < ran) return [`${then.name} ran ${ran} tests and runs ${runsNow} now`]
    if (then.names === null || now.names === null) return []
    const missed = missedTests(then.names, now.names)
      .filter(({ was }) => was === 'passed')
      .map(({ name }) => name)
    const second = again.find(({ checkHash }) => checkHash === then.checkHash)?.names ?? null
    const unsteady = second === null ? 0 : missedTests(now.names, second).length
    return missed.length <= unsteady
      ? []
      : [`${then.name}: ${missed.slice(0, 5).join(', ')} passed then and did not pass now`]
  })
}

/** The last lines of a failed run. */
function lastWords({ outputTail }: CheckRun): string {
  const lines = outputTail.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? '' : `:\n${lines.slice(-8).join('\n')}`
}
