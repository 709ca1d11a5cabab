// Claim and done through our store, beside the same durable work on bare node:sqlite.
import type { Benchmark } from './benchmark.ts'
import { type Crew, startCrew } from './claim-crew.ts'
import type { Slice } from './claim-slices.ts'
import { type Goal, type Group, quantile, type Unit } from './figures.ts'
import { interleave } from './interleave.ts'
import { shown } from './table.ts'
import { plantPlan, TASKS } from './task-plan.ts'

const PROCESSES = 4
/** Short, so that the two lie close together: a disk's mood changes within a second. */
const SLICE_MS = 100
/** Long, because an unlucky process waits long, and the end of the slice cuts its wait off. */
const SLICE_TOGETHER_MS = 1_500
/** A long slice says as much as so many short ones. */
const ROUNDS_PER_LONG_SLICE = 8

/** The first is the floor. */
const CREWS = [
  { name: 'node:sqlite', worker: 'claim-worker-raw' },
  { name: 'our store', worker: 'claim-worker-store' },
]

export const taskClaims: Benchmark = {
  name: 'task/claims',
  rounds: 60,
  run: async (folder, rounds) => {
    const plan = plantPlan(folder)
    const crews: Crew[] = []
    try {
      for (const settings of CREWS) crews.push(await startCrew(folder, plan, { ...settings, size: PROCESSES }))
      const one = await slices(crews, 1, SLICE_MS, rounds)
      const many = await slices(crews, PROCESSES, SLICE_TOGETHER_MS, Math.ceil(rounds / ROUNDS_PER_LONG_SLICE))
      return {
        name: 'task/claims',
        about: [
          `Claim and done are a durable transaction each (WAL, synchronous=FULL); ${shown(TASKS)} tasks, dependencies three deep.`,
          'Where the disk is slow the rates come near each other, whatever is around the disk: the CPU time tells that part.',
        ],
        groups: [
          group('claim and done, 1 process', '/s', one, rate, { bound: 'at least', ratio: 0.8 }),
          group('CPU time of a claim and done, 1 process', 'ms', one, cpuTime),
          group(`claim and done, ${PROCESSES} processes`, '/s', many, rate),
          group(`latency of a claim, ${PROCESSES} processes, p50`, 'ms', many, latency(0.5)),
          group(`latency of a claim, ${PROCESSES} processes, p99`, 'ms', many, latency(0.99)),
        ],
      }
    } finally {
      await Promise.all(crews.map((crew) => crew.close()))
    }
  },
}

type Measured = Awaited<ReturnType<typeof slices>>

function slices(crews: readonly Crew[], processes: number, milliseconds: number, rounds: number) {
  return interleave<Slice[]>(
    crews.map(({ name, work }) => ({ name, measure: () => work(processes, milliseconds) })),
    rounds,
  )
}

/** The goal is for all but the floor. */
function group(
  title: string,
  unit: Unit,
  measured: Measured,
  read: (slices: readonly Slice[]) => number,
  goal?: Goal,
): Group {
  const [floor] = measured
  const figures = measured.map((one) => ({
    name: one.name,
    samples: one.samples.map(read),
    ...(one !== floor && goal !== undefined && { goal }),
  }))
  return { title, unit, figures }
}

function rate(all: readonly Slice[]): number {
  return all.reduce((sum, { claimMs, elapsedMs }) => sum + (claimMs.length / elapsedMs) * 1000, 0)
}

function cpuTime(all: readonly Slice[]): number {
  const tasks = all.reduce((sum, { claimMs }) => sum + claimMs.length, 0)
  return all.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / tasks
}

function latency(share: number): (all: readonly Slice[]) => number {
  return (all) =>
    quantile(
      all.flatMap(({ claimMs }) => claimMs),
      share,
    )
}
