// Whether the process of the loop grows with what it has done.
import { join } from 'node:path'
import type { Benchmark } from './benchmark.ts'
import { startEngine } from './loop-engine.ts'
import { makeBenchRepo } from './loop-repo.ts'
import { shown } from './table.ts'

const FILES = 10
const BEFORE = 100
const AFTER = { short: 200, long: 1_000 }
/** Looked at around each of the two moments: memory goes up and down with the collection of garbage. */
const LOOKS = 20

export const loopMemory: Benchmark = {
  name: 'loop/memory',
  rounds: 1,
  run: async (folder, _, length) => {
    const after = AFTER[length]
    const engine = await startEngine(folder, makeBenchRepo(join(folder, 'ours'), FILES))
    try {
      // One build: what a build keeps of its tasks grows too.
      const { rssBytes, wallMs } = await engine.run(after)
      const around = (count: number): number[] => rssBytes.slice(count - LOOKS, count).map((bytes) => bytes / 2 ** 20)
      return {
        name: 'loop/memory',
        about: [
          `One build of ${shown(after)} tasks in one process, in ${Math.round(wallMs / 1000)} s; --long makes it ${shown(AFTER.long)}.`,
        ],
        groups: [
          {
            title: 'resident memory of the loop',
            unit: 'MB',
            figures: [
              { name: `after ${BEFORE} iterations`, samples: around(BEFORE) },
              {
                name: `after ${shown(after)} iterations`,
                samples: around(after),
                goal: { bound: 'at most', ratio: 1.1 },
              },
            ],
          },
        ],
      }
    } finally {
      await engine.close()
    }
  },
}
