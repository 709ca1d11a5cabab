// Kills around decisions of other roles: SIA splits a task, the reviewer sends one back, a human is asked.
import { expect, it } from 'vitest'
import { audit, type Audit, brokenLaws } from './build-audit.ts'
import { bundledBuild, type Life, killableProject } from '../rig/build-process.ts'

const program = await bundledBuild()
let wanted: Promise<Ended> | null = null

const good = (name: string) => ({ write: { path: `${name}.txt`, content: 'good\n' } })
const complete = { signal: { kind: 'TASK_COMPLETE' } }
const approve = { answer: { decision: 'approve', reasons: [], required_fixes: [] } }
const reject = { answer: { decision: 'request_changes', reasons: ['no'], required_fixes: ['add more.txt'] } }
const split = {
  type: 'decomposed',
  technique: 'decomposition',
  subtasks: [{ title: 'The first part' }, { title: 'The second part' }],
}

const STORY = {
  tasks: [{ id: 'big', title: 'Task big' }],
  script: [
    { task: 'big', role: 'implementer', steps: [{ signal: { kind: 'TASK_STUCK', reason: 'too much' } }] },
    { task: 'big', role: 'sia', steps: [{ answer: split }] },
    { task: 'big.1', role: 'implementer', attempt: 1, steps: [good('one'), complete] },
    { task: 'big.1', role: 'implementer', attempt: 2, steps: [good('more'), complete] },
    { task: 'big.1', role: 'reviewer', attempt: 1, steps: [reject] },
    { role: 'reviewer', steps: [approve] },
    { task: 'big.2', role: 'implementer', steps: [{ signal: { kind: 'TASK_STUCK', reason: 'no idea' } }] },
    { task: 'big.2', role: 'sia', steps: [{ answer: { type: 'escalate', reason: 'no idea' } }] },
  ],
  toml: '[checks]\nunit = "sh check.sh"\n[review]\nwhen = "always"\n',
}

interface Ended {
  readonly killed: boolean
  readonly end: Life['end']
  readonly found: Audit
  readonly questions: readonly string[]
}

async function built(failpoint: number | null): Promise<Ended> {
  const stage = await killableProject(program, STORY)
  try {
    const first = await stage.run(failpoint === null ? {} : { RALPH_FAILPOINT: String(failpoint) }).life
    const { end } = first.signal === null ? first : await stage.run().life
    const facts = (await stage.context.store.builds.facts(stage.build.id, 0, 10_000)).map(({ fact }) => fact)
    const questions = facts.flatMap((fact) => (fact.type === 'humanNeeded' ? [`${fact.taskId}: ${fact.reason}`] : []))
    return { end, found: await audit(stage), questions, killed: first.signal !== null }
  } finally {
    stage.remove()
  }
}

/** Built once, by the first that asks. */
async function undisturbed(): Promise<Ended> {
  wanted ??= built(null)
  return wanted
}

it('undisturbed', async () => {
  const rest = await undisturbed()
  expect({
    killed: rest.killed,
    reason: rest.end?.reason,
    questions: rest.questions,
    brokenLaws: brokenLaws(rest.found),
    tasks: rest.found.tasks,
  }).toEqual({
    killed: false,
    reason: 'HumanNeeded',
    questions: ['big.2: no idea'],
    brokenLaws: [],
    tasks: ['big split null 0', 'big.1 done null 0', 'big.2 waiting null 0'],
  })
  expect(rest.found.landed.map(({ attempt }) => attempt)).toEqual(['big.1/2/1'])
})

// 3 × (iterate, intervene), 3 × (iterate, verify, review), 3 × (iterate, verify, review, merge), then `big.2`.
it.each([4, 5, 6, 13, 14, 15, 31, 32, 33, 34, 35, 36])('killed at boundary %i: the same end', async (failpoint) => {
  expect(await built(failpoint)).toEqual({ ...(await undisturbed()), killed: true })
})
