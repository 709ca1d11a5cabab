// May this build ship: yes, or every reason against it, each with the command that clears it.
import type { Attestation } from '../evidence/attestation.ts'
import { branchOf, type BuildState } from './build.ts'
import { type Evidence, isGreen, testsRun } from '../evidence/evidence.ts'
import type { BranchRestored, StatusRejected } from '../fact/fact.ts'
import type { BuildId, TaskId, TreeId } from '../values/id.ts'
import { warningText } from '../attempt/landing.ts'
import type { RemovedTask } from './removed-tasks.ts'
import type { TaskStatus } from '../task/task.ts'

export interface ShipReason {
  readonly code: ShipReasonCode
  readonly what: string
  /** What clears it, mostly a command. */
  readonly clear: string
}

export type ShipReasonCode =
  | 'noBuild'
  | 'nothingToShip'
  | 'notReady'
  | 'waiting'
  | 'skipped'
  | 'unverified'
  | 'evidence'
  | 'landing'
  | 'checks'
  | 'validation'
  | 'deployUnknown'

export interface Candidate {
  readonly build: BuildId
  readonly state: BuildState
  readonly tasks: readonly { readonly id: TaskId; readonly status: TaskStatus; readonly question: string | null }[]
  /** Tasks that somebody removed from its plan. */
  readonly removed?: readonly RemovedTask[]
  /** The attestation of each commit of the build. */
  readonly commits: readonly { readonly commit: string; readonly said: Attestation }[]
  /** Those commits that the store has no landing for. */
  readonly unintended: readonly string[]
  /** Repairs that were just made: to the branch, or to tasks whose status somebody changed in the store. */
  readonly warnings: readonly (BranchRestored | StatusRejected)[]
  /** The tree to ship, and the evidence for exactly that tree. */
  readonly tree: TreeId
  readonly evidence: Evidence | null
  readonly requireTests: 'required' | 'not-required'
  /** Unknown: a deploy started, and its end was never recorded. */
  readonly deploy: 'known' | 'unknown'
}

export interface Allowed {
  readonly skipped: 'allowed' | 'refused'
  readonly unverified: 'allowed' | 'refused'
}

export function shipGate(candidate: Candidate | null, allowed: Allowed): ShipReason[] {
  if (candidate === null) return [{ code: 'noBuild', what: 'there is no build to ship', clear: 'ralph build' }]
  return [
    ...stateReasons(candidate),
    ...taskReasons(candidate, allowed),
    ...removedMeanwhile(candidate, allowed),
    ...attestationReasons(candidate, allowed),
    ...landingReasons(candidate),
    // A faulty or missing attestation of the head has its own reason already.
    ...(candidate.commits.at(-1)?.said.is === 'evidence' ? evidenceReasons(candidate) : []),
    ...(candidate.deploy === 'known'
      ? []
      : [
          {
            code: 'deployUnknown',
            what: 'a deploy was begun before, and how it ended is not known',
            clear: 'ralph ship --deploy again, or --deploy done where it did its work',
          } as const,
        ]),
  ]
}

/** Ralph's own repository has the notes as Ralph wrote them. */
const RESTORE_NOTES =
  'git fetch --force "$(git rev-parse --git-common-dir)/ralph/repo.git" refs/notes/ralph:refs/notes/ralph'

function stateReasons({ build, state, tasks, commits }: Candidate): ShipReason[] {
  const open = tasks.filter(({ status }) => status === 'open' || status === 'active').length
  const left = open === 0 ? '' : ` with ${open} of ${tasks.length} tasks open`
  if (state === 'aborted')
    return [
      {
        code: 'notReady',
        what: `build ${build} is not ready: it was aborted${left}; what it had merged can be merged by hand`,
        clear: `git merge ${branchOf(build)}`,
      },
    ]
  // `running` only says that the build is not over, not that a loop works on it.
  const how = state === 'running' ? 'unfinished' : state
  if (state !== 'complete')
    return [{ code: 'notReady', what: `build ${build} is not ready: it is ${how}${left}`, clear: 'ralph build' }]
  if (commits.length > 0) return []
  return [{ code: 'nothingToShip', what: `build ${build} has nothing that base does not have`, clear: 'ralph build' }]
}

function taskReasons({ tasks }: Candidate, { skipped }: Allowed): ShipReason[] {
  return tasks.flatMap(({ id, status, question }): ShipReason[] => {
    if (status === 'waiting')
      return [
        {
          code: 'waiting',
          what: `task '${id}' waits for a human${question === null ? '' : `: ${question.split('\n', 1)[0]}`}`,
          clear: `ralph answer ${id} -m TEXT, or resolve, retry or skip it`,
        },
      ]
    if (status === 'skipped' && skipped === 'refused')
      return [{ code: 'skipped', what: `task '${id}' was skipped`, clear: 'ralph ship --allow-skipped' }]
    return []
  })
}

/** Counts as skipped, unless a person confirms that a person removed it. */
function removedMeanwhile({ removed = [] }: Candidate, { skipped }: Allowed): ShipReason[] {
  if (skipped === 'allowed') return []
  return removed
    .filter(({ during }) => during === 'session')
    .map(({ id, title }) => ({
      code: 'skipped',
      what: `task '${id}' (${title}) was removed from the plan while an agent of the build worked`,
      clear: 'ralph ship --allow-skipped',
    }))
}

function attestationReasons({ commits }: Candidate, { unverified }: Allowed): ShipReason[] {
  return commits.flatMap(({ commit, said }): ShipReason[] => {
    const short = commit.slice(0, 10)
    switch (said.is) {
      case 'evidence':
        return []
      case 'accepted':
        if (unverified === 'allowed') return []
        return [
          {
            code: 'unverified',
            what: `task '${said.task}' (${short}) was accepted unverified by ${said.person}`,
            clear: 'ralph ship --allow-unverified',
          },
        ]
      case 'broken':
        return [{ code: 'evidence', what: `${short}: ${said.faults.join('; ')}`, clear: RESTORE_NOTES }]
      case 'foreign':
        return [{ code: 'evidence', what: `${short} was not made by Ralph`, clear: `take it off the build's branch` }]
    }
  })
}

/** Tasks, landings and commits must agree. No option lets this pass. */
function landingReasons({ commits, unintended, warnings }: Candidate): ShipReason[] {
  const clear = (warning: Candidate['warnings'][number]): string =>
    warning.type === 'branchRestored' ? 'ralph ship, which ships the build as Ralph merged it' : 'ralph build'
  return [
    ...warnings.map((warning) => ({ code: 'landing', what: warningText(warning), clear: clear(warning) }) as const),
    ...commits.flatMap(({ commit, said }): ShipReason[] => {
      if (!unintended.includes(commit) || said.is === 'foreign') return []
      const what = `${commit.slice(0, 10)} says that Ralph made it, and Ralph knows of no such landing`
      return [{ code: 'landing', what, clear: `take it off the build's branch` }]
    }),
  ]
}

/** Exactly the tree to ship needs at least one check that ran tests, and everything green. */
function evidenceReasons({ tree, evidence, requireTests }: Candidate): ShipReason[] {
  if (evidence === null || evidence.tree !== tree)
    return [{ code: 'checks', what: 'the tree to be shipped was never verified', clear: 'ralph build' }]
  const red = evidence.checks.filter((run) => !isGreen(run))
  const validators = red.filter(({ kind }) => kind === 'validator')
  const checks = red.filter(({ kind }) => kind === 'check')
  const hasTests = requireTests === 'not-required' || testsRun(evidence.checks) > 0
  return [
    ...(checks.length === 0 ? [] : [redReason('checks', checks)]),
    ...(validators.length === 0 ? [] : [redReason('validation', validators)]),
    ...(hasTests
      ? []
      : [
          {
            code: 'checks',
            what: 'not a single test ran on the tree to be shipped',
            clear: 'name a check that runs tests in [checks] of ralph.toml',
          } as const,
        ]),
  ]
}

function redReason(code: 'checks' | 'validation', runs: Evidence['checks']): ShipReason {
  const names = runs.map(({ name }) => name).join(', ')
  // Only a tree that a person accepted can be red here. The build is over, so the task must be reverted.
  return { code, what: `${names}: red on the tree to be shipped`, clear: 'ralph revert' }
}
