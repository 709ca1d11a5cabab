// What the loop itself costs: workspace, harvest, evidence, merge and durable facts, around an agent that does nothing.
import { join } from 'node:path'
import type { Benchmark } from './benchmark.ts'
import { contest } from './loop-contest.ts'
import { startEngine } from './loop-engine.ts'
import { makeBenchRepo } from './loop-repo.ts'

const TASKS = 50
const FILES = 10

export const loopIteration: Benchmark = {
  name: 'loop/iteration',
  rounds: 3,
  run: async (folder, rounds) => {
    const engine = await startEngine(folder, makeBenchRepo(join(folder, 'ours'), FILES))
    try {
      const bare = makeBenchRepo(join(folder, 'bare'), FILES)
      const { groups } = await contest({ bare, engine, tasks: TASKS, rounds }, { bound: 'at most', ratio: 3 })
      return {
        name: 'loop/iteration',
        about: [
          `${TASKS} tasks in a repository of ${FILES} files, an iteration each; the agent appends a line, the check looks whether the file is there.`,
          'Ours does each in a workspace of its own, harvests, verifies in a second one, reviews, merges and records it durably.',
        ],
        groups,
      }
    } finally {
      await engine.close()
    }
  },
}
