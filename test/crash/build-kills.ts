// One build, killed at boundaries of its effects and started again.
import { expect } from 'vitest'
import { audit, type Audit } from './build-audit.ts'
import type { Story } from '../scenarios/workshop.ts'
import { type Life, openStage, type Stage } from './build-stage.ts'

const good = (name: string) => ({ write: { path: `${name}.txt`, content: 'good\n' } })
const bad = (name: string) => ({ write: { path: `${name}.txt`, content: 'bad\n' } })
const complete = { signal: { kind: 'TASK_COMPLETE' } }

/** One task passes at once, one needs two iterations, one claims to be done while it is red. */
export const STORY = {
  tasks: ['one', 'two', 'red'].map((id) => ({ id, title: `Task ${id}` })),
  parts: [
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

export async function staged<T>(program: string, work: (stage: Stage) => Promise<T>, story: Story = STORY): Promise<T> {
  const stage = await openStage(program, story)
  try {
    return await work(stage)
  } finally {
    stage.remove()
  }
}

export function undisturbed(program: string, story: Story = STORY): Promise<Audit> {
  const run = async (stage: Stage): Promise<Audit> => {
    expect(endOf(await stage.run().life)).toEqual(UNHARMED)
    return audit(stage)
  }
  return staged(program, run, story)
}

/** A build for each number from `first` to `last`, killed at that boundary; the numbers that it was really killed at. */
export async function killAtEach(
  program: string,
  first: number,
  last: number,
  story: Story = STORY,
): Promise<number[]> {
  const wanted = await undisturbed(program, story)
  const left = numbers(first, last)
  const killedAt: number[] = []
  const lane = async (): Promise<void> => {
    for (let at = left.shift(); at !== undefined; at = left.shift()) {
      const failpoint = at
      const run = async (stage: Stage): Promise<void> => {
        const killed = await stage.run({ RALPH_FAILPOINT: String(failpoint) }).life
        if (killed.signal !== null) killedAt.push(failpoint)
        const life = killed.signal === null ? killed : await stage.run().life
        const found = { failpoint, ...endOf(life), ...(await audit(stage)) }
        expect(found).toEqual({ failpoint, ...UNHARMED, ...wanted })
      }
      await staged(program, run, story)
    }
  }
  await Promise.all([lane(), lane()])
  return killedAt.toSorted((one, other) => one - other)
}

export function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
