// What one engine remembers while it is open. Each engine has its own memory, so that several engines in one process stay
// independent of each other. The store holds everything that must survive the process.
import type { Agent } from '../agents/agent.ts'
import { BoundedMap } from '../core/values/bounded-map.ts'
import type { CheckRun } from '../core/evidence/evidence.ts'
import type { FlakyTest, ProbeReport } from '../core/evidence/probe-report.ts'
import type { ExampleResult } from '../core/sealed/example-result.ts'
import type { BuildId, TreeId } from '../core/values/id.ts'
import type { MirrorPause } from './debounced-mirror.ts'
import type { KnownOutage } from './session/limited-agents.ts'
import { type Mutex, newMutex } from './mutex.ts'
import type { SoundBranch } from './verify/landing.ts'

export interface EngineMemory {
  /** Numbers of the folders that sessions without a task use now. */
  readonly unclaimedWorkspaces: Set<number>
  /** The last outage of each agent, also one that is over. */
  readonly outages: WeakMap<Agent, KnownOutage>
  /** Builds whose stored outages were read. */
  readonly outagesRead: Set<BuildId>
  /** Builds whose branch was mirrored a moment ago. */
  readonly mirrorPauses: Map<BuildId, MirrorPause>
  readonly checkResults: CheckResults
  /** Tests that fail on the base now and then, by check and name. */
  readonly flakyTests: BoundedMap<string, FlakyTest>
  /** What the probes saw, by trees, task and claim. */
  readonly probeReports: BoundedMap<string, ProbeReport>
  /** What came out of sealed examples, by tree and examples: once for each time they were tried. */
  readonly exampleResults: BoundedMap<string, readonly (readonly ExampleResult[])[]>
  /** The setup command that a tree implies; null: none. A tree never changes, so neither does this. */
  readonly impliedSetups: Map<TreeId, string | null>
  /** The last state of each build branch that proved sound, which saves reading all landings again. */
  readonly soundBranches: Map<BuildId, SoundBranch>
  /** Lets one loop at a time verify reported tasks. */
  readonly reports: Mutex
}

/**
 * The engine does not write green results to a file, since an agent could forge them there. Red results are in the store for
 * good: forging those helps nobody.
 */
export interface CheckResults {
  /** Green runs, by everything that the result depends on. */
  readonly green: BoundedMap<string, CheckRun>
  /** All runs on a tree that work started from, red or green. */
  readonly bases: BoundedMap<TreeId, readonly CheckRun[]>
}

/** Enough for a few checks on the trees of all loops. */
const RESULTS_MAX = 64

const FLAKY_MAX = 1_000

export function newEngineMemory(): EngineMemory {
  return {
    unclaimedWorkspaces: new Set(),
    outages: new WeakMap(),
    outagesRead: new Set(),
    mirrorPauses: new Map(),
    checkResults: { green: new BoundedMap(RESULTS_MAX), bases: new BoundedMap(RESULTS_MAX) },
    flakyTests: new BoundedMap(FLAKY_MAX),
    probeReports: new BoundedMap(RESULTS_MAX),
    exampleResults: new BoundedMap(RESULTS_MAX),
    impliedSetups: new Map(),
    soundBranches: new Map(),
    reports: newMutex(),
  }
}
