// Claim and done through our store, beside the same durable work on bare node:sqlite.
import type { Benchmark } from './benchmark.ts'
import { type Crew, startCrew } from './claim-crew.ts'
import type { Slice } from './claim-slices.ts'
import { type Goal, type Group, quantile, type Unit } from './figures.ts'
import { interleaved } from './interleaved.ts'
import { plantPlan, TASKS } from './task-plan.ts'

const PROCESSES = 4
/** Long enough for some hundred tasks on an ordinary disk. */
const SLICE_MS = 300

export const taskClaims: Benchmark = {
  name: 'task/claims',
  rounds: 20,
  run: async (folder, rounds) => {
    const plan = plantPlan(folder)
    const crews = [
      { name: 'node:sqlite', crew: await startCrew(folder, 'claim-worker-raw', plan, PROCESSES) },
      { name: 'our store', crew: await startCrew(folder, 'claim-worker-store', plan, PROCESSES) },
    ]
    try {
      const one = await slices(crews, 1, rounds)
      const many = await slices(crews, PROCESSES, rounds)
      return {
        name: 'task/claims',
        about: [
          `Claim and done are a durable transaction each (WAL, synchronous=FULL); ${TASKS} tasks, dependencies three deep.`,
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
      for (const { crew } of crews) crew.close()
    }
  },
}

type Measured = Awaited<ReturnType<typeof slices>>

function slices(crews: readonly { name: string; crew: Crew }[], processes: number, rounds: number) {
  return interleaved<Slice[]>(
    crews.map(({ name, crew }) => ({ name, measure: () => crew.work(processes, SLICE_MS) })),
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
