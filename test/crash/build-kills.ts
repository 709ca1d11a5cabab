// One build, killed at boundaries of its effects and started again.
import { expect } from 'vitest'
import { audit, type Audit } from './build-audit.ts'
import type { EngineProjectOptions } from '../rig/engine-project.ts'
import { type Life, killableProject, type KillableProject } from '../rig/build-process.ts'

const good = (name: string) => ({ write: { path: `${name}.txt`, content: 'good\n' } })
const bad = (name: string) => ({ write: { path: `${name}.txt`, content: 'bad\n' } })
const complete = { signal: { kind: 'TASK_COMPLETE' } }

/** One task passes at once, one needs two iterations, one claims to be done while it is red. */
export const STORY = {
  tasks: ['one', 'two', 'red'].map((id) => ({ id, title: `Task ${id}` })),
  script: [
    { task: 'one', steps: [good('one'), complete] },
    { task: 'two', iteration: 1, steps: [bad('two'), { signal: { kind: 'ITERATION_DONE' } }] },
    { task: 'two', iteration: 2, steps: [good('two'), complete] },
    { task: 'red', attempt: 1, steps: [bad('red'), complete] },
    { task: 'red', attempt: 2, steps: [good('red'), complete] },
  ],
}

/** Iterate, verify, review, merge; `two` iterates once more, `red` iterates and is verified once more. */
export const EFFECTS = 4 + 5 + 6
/** Around each: begun, performed, recorded. */
export const BOUNDARIES = 3 * EFFECTS

export const UNHARMED = { end: { reason: 'AllTasksComplete', detail: null }, signal: null, stderr: '' }
export const KILLED = { end: null, signal: 'SIGKILL', stderr: '' }

export const endOf = ({ end, signal, stderr }: Life) => ({ end, signal, stderr })

export async function withProject<T>(
  program: string,
  work: (stage: KillableProject) => Promise<T>,
  story: EngineProjectOptions = STORY,
): Promise<T> {
  const stage = await killableProject(program, story)
  try {
    return await work(stage)
  } finally {
    stage.remove()
  }
}

function undisturbed(program: string, story: EngineProjectOptions = STORY): Promise<Audit> {
  const run = async (stage: KillableProject): Promise<Audit> => {
    expect(endOf(await stage.run().life)).toEqual(UNHARMED)
    return audit(stage)
  }
  return withProject(program, run, story)
}

const wanted = new Map<EngineProjectOptions, Promise<Audit>>()

/** The result of an undisturbed build of this story; the first call runs it. */
export function leftUndisturbed(program: string, story: EngineProjectOptions = STORY): Promise<Audit> {
  const left = wanted.get(story) ?? undisturbed(program, story)
  wanted.set(story, left)
  return left
}

/** The result of a build that was killed at this boundary and started again, and the expected result. */
export function killedAt(program: string, failpoint: number, story: EngineProjectOptions = STORY) {
  const run = async (stage: KillableProject) => {
    expect(endOf(await stage.run({ RALPH_FAILPOINT: String(failpoint) }).life)).toEqual(KILLED)
    const left = { ...endOf(await stage.run().life), ...(await audit(stage)) }
    return { left, wanted: { ...UNHARMED, ...(await leftUndisturbed(program, story)) } }
  }
  return withProject(program, run, story)
}

export function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
