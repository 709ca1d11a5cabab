// How a run of a check ended, and so who caused it. Luck is no evidence: a check that ended by itself and was red does
// not run again on the same tree. A fault of the machine says nothing about the tree, so such a run is repeated.
//
//   the outcome                                              ending          run again    remembered
//   exit 0, nothing failed                                   passed          -            while the process lives
//   a non-zero exit, a failed test, a report with errors     failed          never        for good
//   command not found; not started by its own settings;
//   it rewrote what judges it; a setup that changed the tree
//   or found nothing to set up                               void            never        never
//   a time-out                                               infrastructure  once more    never
//   a signal, also as the shell reports it; too much output;
//   could not be started; no space left; a setup that failed infrastructure  twice more   never
import { type CheckRun, isGreen } from './evidence.ts'
import { hadNothingToRun } from './nothing-to-run.ts'

export type RunEnding = 'passed' | 'failed' | 'void' | 'infrastructure'

/** The exit codes of a shell that found no program of that name, or one that it may not run. */
const NO_SUCH_COMMAND: readonly number[] = [126, 127]

export function endingOf(run: CheckRun): RunEnding {
  if (isGreen(run)) return 'passed'
  if ((run.rewrote ?? []).length > 0) return 'void'
  switch (run.how) {
    case 'timedOut':
    case 'signalled':
    case 'flooded':
      return 'infrastructure'
    case 'notStarted':
      // Without a command line it was not even tried: its settings or its folder are wrong.
      return run.argv.length === 0 ? 'void' : 'infrastructure'
    case 'notNeeded':
      return 'void'
    case 'exited':
      return endingOfExit(run)
  }
}

function endingOfExit(run: CheckRun): RunEnding {
  const { exit, tests, noSpace, step, report } = run
  if (step === 'setup') return report !== null || hadNothingToRun(run) ? 'void' : 'infrastructure'
  if (noSpace === true) return 'infrastructure'
  if (isKilledBelowShell(run)) return 'infrastructure'
  return exit !== null && NO_SUCH_COMMAND.includes(exit) && tests === null ? 'void' : 'failed'
}

/**
 * A shell reports a killed program as 128 plus the number of the signal, of which there are 31. Where tests failed, the
 * check did judge, whatever the exit code looks like.
 */
export function isKilledBelowShell({ how, exit, tests }: CheckRun): boolean {
  return how === 'exited' && exit !== null && exit > 128 && exit <= 128 + 31 && (tests?.failed ?? 0) === 0
}

/** How long to wait before each repeated run: a machine that was short of memory or space may have some then. */
export const RERUN_PAUSES_MS: readonly number[] = [1_000, 5_000]
const RERUNS_AFTER_TIME_OUT = 1

/**
 * How many more times these runs of one tree may be repeated in total. Never where one was red by itself: then the tree
 * is red.
 */
export function rerunsFor(runs: readonly CheckRun[]): number {
  const failing = runs.filter((run) => !isGreen(run))
  if (failing.length === 0 || failing.some((run) => endingOf(run) !== 'infrastructure')) return 0
  return failing.some(({ how }) => how === 'timedOut') ? RERUNS_AFTER_TIME_OUT : RERUN_PAUSES_MS.length
}

/**
 * Who is at fault that a run never ended: the tree, where the same check ended on the base; else the machine or the
 * settings, and only an operator can help.
 */
export function faultOf(run: CheckRun, baseline: readonly CheckRun[] | null): 'tree' | 'machine' {
  if (endingOf(run) !== 'infrastructure' || baseline === null) return 'tree'
  // Where the setup fails on the base, no check ended there.
  const before = baseline.find(({ checkHash, step }) => checkHash === run.checkHash || step === 'setup')
  return before !== undefined && endingOf(before) === 'infrastructure' ? 'machine' : 'tree'
}
