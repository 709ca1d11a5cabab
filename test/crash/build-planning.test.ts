// A build that is killed while it is planned, at each boundary: it is planned once in the end, and built as if nothing was.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from './build-audit.ts'
import { endOf, KILLED, numbers, UNHARMED } from './build-kills.ts'
import { bundledBuild, openStage, type Stage } from './build-stage.ts'

let made: Awaited<ReturnType<typeof bundledBuild>>
beforeAll(async () => {
  made = await bundledBuild()
})
afterAll(() => made.remove())

const task = (id: string, depends_on: string[] = []) => ({
  id,
  title: `Task ${id}`,
  goal: `There is ${id}.`,
  acceptance: [`${id}.txt is good`],
  depends_on,
})
const good = (name: string) => [
  { write: { path: `${name}.txt`, content: 'good\n' } },
  { signal: { kind: 'TASK_COMPLETE' } },
]
const STORY = {
  goal: 'One, then two',
  tasks: [],
  parts: [
    { role: 'planner', steps: [{ answer: { tasks: [task('one'), task('two', ['one'])] } }] },
    { task: 'one', steps: good('one') },
    { task: 'two', steps: good('two') },
  ],
}

/** Begun, performed, recorded. */
const PLAN_BOUNDARIES = 3

async function staged<T>(run: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = await openStage(made.program, STORY)
  try {
    return await run(stage)
  } finally {
    stage.remove()
  }
}

const planFacts = async ({ context, build }: Stage) =>
  (await context.store.builds.facts(build.id, 0, 999))
    .map(({ fact }) => fact.type)
    .filter((type) => type.startsWith('plan') || type === 'buildStarted')

it('kill -9 at every boundary of the planning: planned once, and the same end', { timeout: 120_000 }, async () => {
  const wanted = await staged(async (stage) => {
    expect(endOf(await stage.run().life)).toEqual(UNHARMED)
    expect(await planFacts(stage)).toEqual(['planning', 'planned', 'buildStarted'])
    return audit(stage)
  })
  expect(wanted.tasks).toEqual(['one done null 0', 'two done null 0'])
  for (const failpoint of numbers(1, PLAN_BOUNDARIES)) {
    await staged(async (stage) => {
      expect(endOf(await stage.run({ RALPH_FAILPOINT: String(failpoint) }).life)).toEqual(KILLED)
      const life = await stage.run().life
      expect({ failpoint, ...endOf(life), ...(await audit(stage)) }).toEqual({ failpoint, ...UNHARMED, ...wanted })
      const again = ['planning', 'planningInterrupted', 'planning', 'planned', 'buildStarted']
      expect(await planFacts(stage)).toEqual(
        failpoint < PLAN_BOUNDARIES ? again : ['planning', 'planned', 'buildStarted'],
      )
    })
  }
})
