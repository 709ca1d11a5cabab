// What a benchmark says: figures in groups, each beside the floor of its group, and whether the goal is met.

/** `ms`, `MB`, `runs`: less is better; `/s`, `MB/s`: more is better. */
export type Unit = 'ms' | 'MB' | 'runs' | '/s' | 'MB/s'

export interface Report {
  readonly name: string
  /** What was measured, in sentences. */
  readonly about: readonly string[]
  readonly groups: readonly Group[]
}

/** Contenders that were measured side by side. The first is the floor: what no program on this ground can do without. */
export interface Group {
  readonly title: string
  readonly unit: Unit
  readonly figures: readonly Figure[]
}

export interface Figure {
  readonly name: string
  /** One per round. */
  readonly samples: readonly number[]
  readonly goal?: Goal
}

/** A bound for the ratio to the floor. */
export interface Goal {
  readonly bound: 'at most' | 'at least'
  readonly ratio: number
}

export interface Summary {
  readonly name: string
  readonly samples: number
  readonly median: number
  /** The shortest time or the highest rate: what the machine can do while nothing disturbs it. */
  readonly best: number
  /** Of each sample to the floor's sample of the same round, the median; null for the floor itself. */
  readonly ratio: number | null
  readonly ratioOfBests: number | null
  readonly goal: (Goal & { readonly met: boolean }) | null
}

export function summarize({ unit, figures }: Group): Summary[] {
  const [floor] = figures
  return figures.map((figure) => {
    const { name, samples, goal } = figure
    const ratio = floor === undefined || figure === floor ? null : quantile(ratios(samples, floor.samples), 0.5)
    return {
      name,
      samples: samples.length,
      median: quantile(samples, 0.5),
      best: best(samples, unit),
      ratio,
      ratioOfBests: floor === undefined || figure === floor ? null : best(samples, unit) / best(floor.samples, unit),
      goal: goal === undefined ? null : { ...goal, met: ratio !== null && meets(goal, ratio) },
    }
  })
}

function ratios(samples: readonly number[], floor: readonly number[]): number[] {
  return samples.map((sample, round) => sample / (floor[round] ?? Number.NaN))
}

function meets({ bound, ratio }: Goal, measured: number): boolean {
  return bound === 'at most' ? measured <= ratio : measured >= ratio
}

function best(samples: readonly number[], unit: Unit): number {
  return quantile(samples, unit.endsWith('/s') ? 1 : 0)
}

/** What `share` of the samples do not exceed; between two samples, the point between them. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((one, other) => one - other)
  const at = share * (sorted.length - 1)
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}
