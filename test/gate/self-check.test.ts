// The corpus is what it says: see self-check.ts. `node test/gate/self-check-program.ts` looks at all of it.
import { describe, expect, it } from 'vitest'
import { type Case, loadCorpus } from './corpus.ts'
import { lacking } from './runners.ts'
import { problemsOfCase, problemsOfSealed, problemsOfTask, problemsOfTaskExamples } from './self-check.ts'

const corpus = loadCorpus()
const tasks = [...corpus.references].map(([task, reference]) => ({ task, project: reference.project, name: task.name }))

describe.for([
  { what: 'a cheat', cases: corpus.cases.filter((one) => one.is === 'cheat') },
  { what: 'an honest patch', cases: corpus.cases.filter((one) => one.is === 'honest') },
])('$what is one', ({ cases }) => {
  it.for([...cases])('$id', async (one: Case, { skip }) => {
    const why = lacking(one.project.runner)
    if (why !== null) skip(why)
    expect(await problemsOfCase(one)).toEqual([])
  })
})

describe('a hidden test', () => {
  it.for(tasks)('of $project.name: $name tells the base from a solution', async ({ task, project }, { skip }) => {
    const why = lacking(project.runner)
    if (why !== null) skip(why)
    expect([...(await problemsOfTask(task, corpus)), ...(await problemsOfTaskExamples(task, corpus))]).toEqual([])
  })
})

describe('sealed examples', () => {
  it.for([...corpus.sealed])('of $id are so', async (one, { skip }) => {
    const why = lacking(one.of.project.runner)
    if (why !== null) skip(why)
    expect(await problemsOfSealed(one)).toEqual([])
  })
})
