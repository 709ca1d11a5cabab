// Our loop beside the bare one, in turns, and what one iteration of each costs.
import type { Goal, Group } from './figures.ts'
import { interleave } from './interleave.ts'
import { runBare } from './loop-bare.ts'
import type { Engine } from './loop-engine.ts'
import type { LoopSlice } from './loop-slice.ts'
import type { BenchRepo } from './loop-repo.ts'

export interface Contest {
  /** Where the bare loop commits. */
  readonly bare: BenchRepo
  readonly engine: Engine
  readonly tasks: number
  readonly rounds: number
}

export interface Measured {
  readonly groups: readonly Group[]
  /** All of ours, with the one that warmed up. */
  readonly slices: readonly LoopSlice[]
}

export async function contest({ bare, engine, tasks, rounds }: Contest, goal?: Goal): Promise<Measured> {
  const slices: LoopSlice[] = []
  const measured = await interleave(
    [
      { name: 'bash: agent, check, git add, git commit', measure: async () => runBare(bare, tasks) },
      {
        name: 'our loop',
        measure: async () => {
          const slice = await engine.run(tasks)
          slices.push(slice)
          return slice
        },
      },
    ],
    rounds,
  )
  const group = (title: string, read: (slice: { wallMs: number; cpuMs: number | null }) => number | null): Group[] => {
    const figures = measured.map(({ name, samples }, at) => ({
      name,
      samples: samples.flatMap((sample) => read(sample) ?? []).map((ms) => ms / tasks),
      ...(at > 0 && goal !== undefined && { goal }),
    }))
    return figures.some(({ samples }) => samples.length === 0) ? [] : [{ title, unit: 'ms', figures }]
  }
  return {
    groups: [
      ...group('an iteration, wall time', ({ wallMs }) => wallMs),
      ...group('an iteration, CPU time with all children', ({ cpuMs }) => cpuMs),
    ],
    slices,
  }
}
