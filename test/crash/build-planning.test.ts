// A build that is killed while it is planned, at each boundary: it is planned once in the end, and built as if nothing was.
import { describe, expect, it } from 'vitest'
import { audit, type Audit } from './build-audit.ts'
import { endOf, KILLED, numbers, UNHARMED } from './build-kills.ts'
import { bundledBuild, killableProject, type KillableProject } from '../rig/build-process.ts'

const program = await bundledBuild()
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
  script: [
    { role: 'planner', steps: [{ answer: { tasks: [task('one'), task('two', ['one'])] } }] },
    { task: 'one', steps: good('one') },
    { task: 'two', steps: good('two') },
  ],
}

/** Begun, performed, recorded. */
const PLAN_BOUNDARIES = 3

async function withProject<T>(run: (stage: KillableProject) => Promise<T>): Promise<T> {
  const stage = await killableProject(program, STORY)
  try {
    return await run(stage)
  } finally {
    stage.remove()
  }
}

const planFacts = async ({ context, build }: KillableProject) =>
  (await context.store.builds.facts(build.id, 0, 999))
    .map(({ fact }) => fact.type)
    .filter((type) => type.startsWith('plan') || type === 'buildStarted')

const PLANNED_ONCE = ['planning', 'planned', 'buildStarted']
const PLANNED_AGAIN = ['planning', 'planningInterrupted', ...PLANNED_ONCE]

let left: Promise<Audit> | null = null

/** Built by the first that asks. */
function leftUndisturbed(): Promise<Audit> {
  left ??= withProject(async (stage) => {
    expect(endOf(await stage.run().life)).toEqual(UNHARMED)
    expect(await planFacts(stage)).toEqual(PLANNED_ONCE)
    return audit(stage)
  })
  return left
}

describe('kill -9 at a boundary of the planning', () => {
  it.for(numbers(1, PLAN_BOUNDARIES))('boundary %i: planned once, and the same end', (failpoint) =>
    withProject(async (stage) => {
      const wanted = await leftUndisturbed()
      expect(wanted.tasks).toEqual(['one done null 0', 'two done null 0'])
      expect(endOf(await stage.run({ RALPH_FAILPOINT: String(failpoint) }).life)).toEqual(KILLED)
      expect({ ...endOf(await stage.run().life), ...(await audit(stage)) }).toEqual({ ...UNHARMED, ...wanted })
      expect(await planFacts(stage)).toEqual(failpoint < PLAN_BOUNDARIES ? PLANNED_AGAIN : PLANNED_ONCE)
    }),
  )
})
