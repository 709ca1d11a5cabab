import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Audit, audit, brokenLaws } from './build-audit.ts'
import { bundledBuild, type Life, openStage, type Stage } from './build-stage.ts'

let made: Awaited<ReturnType<typeof bundledBuild>>

beforeAll(async () => {
  made = await bundledBuild()
})
afterAll(() => made.remove())

const good = (name: string) => ({ write: { path: `${name}.txt`, content: 'good\n' } })
const bad = (name: string) => ({ write: { path: `${name}.txt`, content: 'bad\n' } })
const complete = { signal: { kind: 'TASK_COMPLETE' } }

/** One task passes at once, one needs two iterations, one claims to be done while it is red. */
const STORY = {
  tasks: ['one', 'two', 'red'].map((id) => ({ id, title: `Task ${id}` })),
  parts: [
    { task: 'one', steps: [good('one'), complete] },
    { task: 'two', iteration: 1, steps: [bad('two'), { signal: { kind: 'ITERATION_DONE' } }] },
    { task: 'two', iteration: 2, steps: [good('two'), complete] },
    { task: 'red', attempt: 1, steps: [bad('red'), complete] },
    { task: 'red', attempt: 2, steps: [good('red'), complete] },
  ],
}

/** Iterate, verify, review and merge of `one`; one more iteration for `two`; one more iteration and verification for `red`. */
const EFFECTS = 4 + 5 + 6
const BOUNDARIES = 3 * EFFECTS

const UNHARMED = { end: { reason: 'AllTasksComplete', detail: null }, signal: null, stderr: '' }
const KILLED = { end: null, signal: 'SIGKILL', stderr: '' }

const endOf = ({ end, signal, stderr }: Life) => ({ end, signal, stderr })

async function staged<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = await openStage(made.program, STORY)
  try {
    return await work(stage)
  } finally {
    stage.remove()
  }
}

function undisturbed(): Promise<Audit> {
  return staged(async (stage) => {
    expect(endOf(await stage.run().life)).toEqual(UNHARMED)
    return audit(stage)
  })
}

it('kill -9 at every boundary of every effect: the same end', { timeout: 300_000 }, async () => {
  const wanted = await undisturbed()
  expect([brokenLaws(wanted), wanted.landed.map(({ attempt }) => attempt), wanted.tasks, wanted.state]).toEqual([
    [],
    ['one/1/1', 'two/1/2', 'red/2/1'],
    ['one done null 0', 'red done null 0', 'two done null 0'],
    'complete',
  ])
  const numbers = Array.from({ length: BOUNDARIES + 1 }, (_, index) => index + 1)
  const killedAt: number[] = []
  const lane = async (): Promise<void> => {
    for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
      const at = number
      await staged(async (stage) => {
        const first = await stage.run({ RALPH_FAILPOINT: String(at) }).life
        if (first.signal !== null) killedAt.push(at)
        const last = first.signal === null ? first : await stage.run().life
        expect({ at, ...endOf(last), ...(await audit(stage)) }).toEqual({ at, ...UNHARMED, ...wanted })
      })
    }
  }
  await Promise.all([lane(), lane()])
  expect(killedAt.sort((one, other) => one - other)).toEqual(Array.from({ length: BOUNDARIES }, (_, at) => at + 1))
})

it('a build whose every process is killed after one effect', { timeout: 120_000 }, () =>
  staged(async (stage) => {
    const wanted = await undisturbed()
    for (let effect = 1; effect <= EFFECTS; effect += 1)
      expect({ effect, ...endOf(await stage.run({ RALPH_FAILPOINT: '3' }).life) }).toEqual({ effect, ...KILLED })
    expect({ ...endOf(await stage.run().life), ...(await audit(stage)) }).toEqual({ ...UNHARMED, ...wanted })
  }),
)
