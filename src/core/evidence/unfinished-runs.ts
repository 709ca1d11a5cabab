// The texts about runs that the machine cut short: once, and then again, here and on the base.
import type { CheckRun } from './evidence.ts'
import type { Verdict } from '../fact/fact.ts'

export const NEW_SETTINGS = "; a build keeps its settings, so 'ralph abort' and then 'ralph build' takes the new ones"

/** Neither on this tree nor on its base: the work is not at fault, and more work would not help. */
export function unfinishedEverywhere(runs: readonly CheckRun[]): Verdict {
  const said = runs.map((run) => {
    const { what, remedy } = whyUnfinished(run)
    return `${run.name} ${what}, and without this change as well: ${remedy}\n${run.outputTail}`.trimEnd()
  })
  return { is: 'unverified', error: `nothing was verified, since ${said.join('\n\n')}`, mendedBy: 'operator' }
}

interface Unfinished {
  readonly what: string
  readonly remedy: string
}

function whyUnfinished(run: CheckRun): Unfinished {
  if (run.step === 'setup')
    return {
      what: run.how === 'exited' ? `failed (exit ${run.exit ?? 'unknown'})` : endText(run),
      remedy: `see what it needs and retry the task, or change setup under [workspace] in ralph.toml${NEW_SETTINGS}`,
    }
  if (run.noSpace === true) return { what: 'found no space left on the disk', remedy: 'free some, then retry the task' }
  switch (run.how) {
    case 'timedOut':
      return {
        what: endText(run),
        remedy: `see what it waits for and retry the task, or raise timeout under [check.${run.name}] in ralph.toml${NEW_SETTINGS}`,
      }
    case 'flooded':
      return { what: endText(run), remedy: 'make it print less, then retry the task' }
    case 'notStarted':
      return { what: endText(run), remedy: 'see what the machine is short of, then retry the task' }
    default:
      return { what: endText(run), remedy: 'see whether the machine has enough memory, then retry the task' }
  }
}

function endText({ how, durationMs }: CheckRun): string {
  if (how === 'timedOut') return `ran into its time limit after ${Math.round(durationMs / 1000)} s`
  if (how === 'flooded') return 'printed too much and was stopped'
  return how === 'notStarted' ? 'could not be started' : 'was killed by a signal'
}

export function rerunNotes(runs: readonly CheckRun[]): string[] {
  return runs.flatMap(({ name, unfinished = 0 }) => {
    const before = unfinished === 1 ? 'once' : `${unfinished} times`
    return unfinished === 0 ? [] : [`${name} did not come to its own end ${before} before, and was run again`]
  })
}
