// What the probes of a claim saw, as the evidence keeps it. A probe examines whether the checks see this change at all;
// together the probes yield the strength of the evidence (strength.ts).
import type { Strength } from '../fact/strength.ts'
import type { SealedReport } from '../sealed/judge-examples.ts'
import type { TaskClaim } from '../task/claim.ts'

/** Each can be turned off by name in `[evidence]`. */
export const PROBES = ['names', 'untouched', 'stable', 'witness', 'sabotage', 'baseJudge', 'sealed', 'plain'] as const
export type ProbeName = (typeof PROBES)[number]

/**
 * Code: something that runs was changed. Data: settings, styles and the like. Inert: the same code after types, comments
 * and white space are taken away, and documents. Generated: files that the base calls generated.
 */
export type PatchKind = 'code' | 'data' | 'inert' | 'tests' | 'generated' | 'nothing'

export interface Witnesses {
  /** Tests that are green now and fail without this change, by name; the first ones. */
  readonly tests: readonly string[]
  /** How many there are. */
  readonly count: number
  /**
   * What they fail on. `base`: the base's code. `emptied`: this tree with the changed code emptied, where they could not
   * even be loaded with the base's code. `count`: the runner does not name its tests, and only their number is known.
   */
  readonly by: readonly ('base' | 'emptied' | 'count')[]
  /** Tests that fail without the change and notice no break of it: they see that a name is there, and no more. */
  readonly blind?: number
}

/** One way in which the engine broke the change, and whether any test noticed. */
export interface Break {
  readonly how: 'emptied' | 'mutant' | 'restored'
  readonly paths: readonly string[]
  /** In the file of the candidate; null: no single line. */
  readonly line: number | null
  /** `src/cart.js is emptied`, `src/cart.js:12: < became <=` */
  readonly what: string
  /** `unclear`: the broken tree could not be built or loaded, which says nothing about the tests. */
  readonly result: 'noticed' | 'survived' | 'unclear'
  /** The first tests that failed, or why it counts as noticed. */
  readonly by: readonly string[]
  readonly ms: number
}

/** How often the checks ran for a probe. */
export interface ProbeRuns {
  readonly probe: ProbeName
  /** `base`: with the tests of the patch, where it changes any. `broken`: the candidate, broken on purpose. */
  readonly on: 'base' | 'candidate' | 'broken'
  readonly times: number
}

export interface SkippedProbe {
  readonly probe: ProbeName
  readonly why: string
}

/** A test that is green and red on the same tree, with its counts. */
export interface FlakyTest {
  readonly check: string
  readonly name: string
  readonly failed: number
  readonly runs: number
  /** Where it was seen. */
  readonly on: 'base' | 'candidate'
}

export interface ProbeReport {
  readonly strength: Strength
  /** One sentence for people: `proved: 3 new tests fail without this change; 4 of 5 mutants noticed`. */
  readonly sentence: string
  readonly claim: TaskClaim['claim']
  readonly kind: PatchKind
  readonly witnesses: Witnesses
  /** The task makes files and no tests run yet: they are there, and that is what it claims. */
  readonly areFilesThere?: true
  /** How many tests the patch adds, by name. */
  readonly newTests: number
  readonly breaks: readonly Break[]
  readonly flaky: readonly FlakyTest[]
  /** The sealed examples, without their values; absent: the task has none, or they were not tried. */
  readonly sealed?: SealedReport
  /** Probes that were not made, and why. */
  readonly skipped: readonly SkippedProbe[]
  /** What the probes could not do for lack of time, and what else a reader should know. */
  readonly notes: readonly string[]
  /** Patterns of `[evidence] accept` that cover the whole change; empty: not needed or not covered. */
  readonly accepted: readonly string[]
  /** Absent: from a version that did not count them. */
  readonly runs?: readonly ProbeRuns[]
  /** What the probes might take, and what they took. */
  readonly budgetMs: number
  readonly spentMs: number
}
