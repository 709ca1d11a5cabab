// What the command line of a check tells about its test runners before it runs.
import { CHANNEL_RUNNERS } from '../channel/channel-reading.ts'
import { type CommandSteps, runnerOf, type Step } from './command-steps.ts'

/** Variables by which the reporters get into the runners. */
const CARRIERS: readonly string[] = ['NODE_OPTIONS', 'PYTEST_ADDOPTS', 'PYTHONPATH', 'PATH']
const PRINTING: readonly string[] = ['go test', 'cargo test', 'unittest']

export interface RunnerUse {
  readonly runner: string
  readonly step: Step
}

export function runnerUses({ steps }: CommandSteps): RunnerUse[] {
  return steps.flatMap((step) => {
    const runner = runnerOf(step)
    return runner === null ? [] : [{ runner, step }]
  })
}

/** A runner that certainly starts where the command ends well, and that would report to the channel; null: none. */
export function expectedRunner(command: CommandSteps): string | null {
  if (!command.isStraight || command.variables.some((name) => CARRIERS.includes(name))) return null
  return runnerUses(command).find(({ runner }) => CHANNEL_RUNNERS.includes(runner))?.runner ?? null
}

/** Runners without a channel whose output counts beside the channel: those that the command may start. */
export function printingRunners(command: CommandSteps): readonly string[] {
  if (command.isOpaque) return PRINTING
  const named = new Set(runnerUses(command).map(({ runner }) => runner))
  return PRINTING.filter((runner) => named.has(runner))
}
