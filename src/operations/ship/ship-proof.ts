// Shipping proves what it ships: like `ralph verify`, it runs every check again in a clean clone, on exactly the tree
// that the base branch is about to get. The notes alone are not enough.
//
//   base unchanged      the head of the build branch, against its own evidence
//   base has moved      the merge of both; the result is the evidence of that tree
//   accepted by person  the head that a person accepted unverified: nothing to compare with, red is red
import { branchOf } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import { type CheckRun, type Evidence, isGreen } from '../../core/evidence/evidence.ts'
import type { CommitId, TreeId } from '../../core/values/id.ts'
import type { ShipReason } from '../../core/builds/ship-gate.ts'
import { prove, tryChecks } from '../../engine/verify/proof.ts'
import type { EngineDeps } from '../../engine/deps.ts'
import { newEngineMemory } from '../../engine/memory.ts'
import { type GateReport, pseudoTask, type Shipping } from './ship.ts'
import { commitAt } from './ship-git.ts'
import type { CleanClone } from './clean-clone.ts'
import { runsText, verifyCommit } from './verify.ts'

export interface ShipProof {
  /** Where the checks contradict the evidence; empty: it may be shipped. */
  readonly reasons: readonly ShipReason[]
  readonly runs: readonly CheckRun[]
  /** Names of checks that are red on a tree that a person accepted unverified, and that was allowed. */
  readonly red: readonly string[]
  /** What is shipped if base has moved; null: the head of the build branch. */
  readonly merged: MergedTree | null
}

/** The merge of the build and its base. Only git objects were written for it. */
export interface MergedTree {
  readonly tree: TreeId
  readonly head: CommitId
  readonly base: CommitId
  /** Null: it is not green, and a person vouches for it. */
  readonly evidence: Evidence | null
}

/** Changes nothing. Rejects with the signal's reason if that is aborted. */
export async function proveShip(shipping: Shipping, gate: GateReport): Promise<ShipProof> {
  const { engine, build, base, signal, openCleanClone, note = () => {} } = shipping
  const what = gate.hasBaseMoved ? `${branchOf(build)} merged with ${base}` : branchOf(build)
  note(`Running the checks on a clean clone of ${what} …`)
  const cleanClone = await openCleanClone(engine.config.workspace.copy)
  try {
    const proof = await proofOf(shipping, gate, cleanClone)
    signal.throwIfAborted()
    note(proof.runs.length === 0 ? 'No check was run.' : `On the clean clone: ${runsText(proof.runs)}.`)
    return proof
  } finally {
    await cleanClone.close()
  }
}

async function proofOf(shipping: Shipping, gate: GateReport, cleanClone: CleanClone): Promise<ShipProof> {
  if (gate.hasBaseMoved) return proveMerged(shipping, gate, cleanClone)
  if (gate.acceptedBy !== null) return tryAccepted(shipping, gate, cleanClone)
  const { is, reasons, runs } = await verifyCommit(cleanClone, gate.head, {
    signal: shipping.signal,
    probes: 'left',
  })
  const shipReasons = reasons.map((what): ShipReason => ({ code: 'checks', what, clear: clearing(gate) }))
  return { reasons: is === 'proved' ? [] : shipReasons, runs, red: [], merged: null }
}

function clearing({ head }: GateReport): string {
  return `'ralph verify ${head.slice(0, 10)}' shows it again; mend it and ship again, or take the work back with 'ralph revert'`
}

function engineIn(cleanClone: CleanClone, engine: EngineDeps): EngineDeps {
  return { ...engine, workspaces: cleanClone.workspaces, checks: cleanClone.checks, memory: newEngineMemory() }
}

async function tryAccepted(shipping: Shipping, gate: GateReport, cleanClone: CleanClone): Promise<ShipProof> {
  const { engine, build, signal, user } = shipping
  const from = await commitAt(user, `${gate.commits[0]}^`)
  await cleanClone.bring([gate.head])
  const tree = await cleanClone.workspaces.treeOf(gate.head)
  const job = {
    engine: engineIn(cleanClone, engine),
    build,
    task: pseudoTask(build),
    signal,
    earlierResults: 'unused',
  } as const
  const runs = await tryChecks(job, tree, from ?? gate.head)
  const red = runs.filter((run) => !isGreen(run))
  if (shipping.allowed.unverified === 'allowed') return { reasons: [], runs, red: red.map(nameOf), merged: null }
  const clear = "'ralph ship --allow-unverified', or take the work back with 'ralph revert'"
  const reasons = red.map((run): ShipReason => {
    const code = run.kind === 'validator' ? 'validation' : 'checks'
    return { code, what: `${run.name} is red on the tree to be shipped`, clear }
  })
  return { reasons, runs, red: [], merged: null }
}

function nameOf({ name }: CheckRun): string {
  return name
}

async function proveMerged(shipping: Shipping, gate: GateReport, cleanClone: CleanClone): Promise<ShipProof> {
  const { engine, build, base, signal, user, allowed } = shipping
  const commit = await commitAt(user, `refs/heads/${base}`)
  if (commit === null) throw refuse('BASE_UNKNOWN', { base })
  const combined = await engine.workspaces.mergeWith(build, commit)
  if (combined.is === 'conflict') throw refuse('SHIP_CONFLICT', { base, paths: combined.paths.join(', '), build })
  const { head, tree } = combined
  await cleanClone.bring([head, commit])
  const made = await cleanClone.merge(head, commit)
  if (made !== tree) throw refuse('INTERNAL', { reason: `${base} and build ${build} do not merge the same way twice` })
  const job = {
    engine: engineIn(cleanClone, engine),
    build,
    task: pseudoTask(build),
    signal,
    earlierResults: 'unused',
  } as const
  const { evidence, judgement } = await prove(job, tree, commit, 'none')
  const { verdict } = judgement
  const { checks: runs } = evidence
  if (verdict.is === 'green') return { reasons: [], runs, red: [], merged: { tree, head, base: commit, evidence } }
  if (gate.acceptedBy === null || allowed.unverified === 'refused')
    throw refuse('SHIP_RED', { base, error: verdict.error })
  const red = runs.filter((run) => !isGreen(run)).map(nameOf)
  return { reasons: [], runs, red, merged: { tree, head, base: commit, evidence: null } }
}
