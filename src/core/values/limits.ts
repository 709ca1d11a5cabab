// Every bound of a build, with its unit and default. `ralph.toml` [limits] overrides them.

export interface Limits {
  /** Failed attempts before SIA is asked. */
  readonly attempts: number
  /** SIA interventions for a task and its parts before a human is asked. */
  readonly interventions: number
  /** Agent sessions per attempt. */
  readonly iterations: number
  /** Agent sessions per build. */
  readonly maxIterations: number
  readonly tasksPerPlan: number
  /** Files a patch may touch before that is a finding. */
  readonly filesPerPatch: number
  /** Tasks of a build at the same time. */
  readonly workers: number
  /** US dollars per build; 0 = no limit. */
  readonly budgetUsd: number
  /** Tokens per build, for agents that report no price; 0 = no limit. */
  readonly budgetTokens: number
}

/** Each worker is an agent of its own; hardly any machine runs more of them at once. */
export const WORKERS_MAX = 64

export const DEFAULT_LIMITS: Limits = {
  attempts: 3,
  interventions: 3,
  iterations: 10,
  maxIterations: 200,
  tasksPerPlan: 15,
  filesPerPatch: 5,
  workers: 1,
  budgetUsd: 0,
  budgetTokens: 0,
}
