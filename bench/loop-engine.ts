// Our loop, in a process of its own.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { bundleProgram } from './bundle-program.ts'
import type { LoopSlice } from './loop-slice.ts'
import type { BenchRepo } from './loop-repo.ts'

export interface Engine {
  readonly run: (tasks: number) => Promise<LoopSlice>
  readonly close: () => Promise<void>
}

export async function startEngine(root: string, benchRepo: BenchRepo): Promise<Engine> {
  // Looked for beside the program.
  symlinkSync(join(import.meta.dirname, '..', 'plugin'), join(root, 'plugin'))
  const child = fork(await bundleProgram(root, 'loop-worker'), [benchRepo.folder], { env: benchRepo.env })
  const gone = once(child, 'exit').then(([code]) => code as number | null)
  const answer = async (): Promise<unknown> => {
    const failed = gone.then((code) => {
      throw new Error(`the loop ended with ${code} in the middle of its work`)
    })
    const [message] = (await Promise.race([once(child, 'message'), failed])) as unknown[]
    return message
  }
  await answer()
  return {
    run: async (tasks) => {
      child.send(tasks)
      return checked((await answer()) as LoopSlice, benchRepo, tasks)
    },
    close: async () => {
      child.kill()
      await gone
    },
  }
}

/** Every task is a commit on the branch of the build, in the user's own repository. */
function checked(slice: LoopSlice, { git }: BenchRepo, tasks: number): LoopSlice {
  const commits = git('rev-list', '--count', '--grep=^Ralph-Attempt: ', `ralph/${slice.build}`)
  const lines = git('show', `ralph/${slice.build}:log.txt`).split('\n').length
  const before = git('show', `ralph/${slice.build}~${tasks}:log.txt`).split('\n').length
  if (commits !== String(tasks) || lines !== before + tasks)
    throw new Error(`${tasks} tasks made ${commits} commits and ${lines - before} lines`)
  return slice
}
