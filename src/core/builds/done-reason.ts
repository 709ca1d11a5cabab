// Why a loop ended: the closing sentence for people, and the exit code for scripts.

export const DONE_REASONS = {
  AllTasksComplete: { exit: 0, sentence: 'All tasks are complete.' },
  RalphDoneMarker: { exit: 0, sentence: 'The progress file says RALPH_DONE, and every task is verified.' },
  MaxIterationsReached: { exit: 0, sentence: 'The iteration limit is reached; run it again to go on.' },
  SingleIterationComplete: { exit: 0, sentence: 'One iteration is done, as asked with --once.' },
  Paused: { exit: 0, sentence: "The build is paused; 'ralph build' goes on." },
  Failed: { exit: 1, sentence: 'The build failed.' },
  Aborted: { exit: 1, sentence: 'The build was aborted.' },
  HumanNeeded: { exit: 3, sentence: 'A human is needed to go on.' },
  BudgetExhausted: { exit: 3, sentence: 'The budget is spent; raise it with --budget to go on.' },
  NoProgress: { exit: 3, sentence: 'Nothing was merged in this run.' },
  UnverifiedDone: { exit: 4, sentence: 'The progress file says RALPH_DONE, but not every task is verified.' },
  UserCancelled: { exit: 130, sentence: "Stopped; 'ralph build' goes on where it was." },
} as const

export type DoneReason = keyof typeof DONE_REASONS
