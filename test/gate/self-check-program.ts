// `node test/gate/self-check-program.ts [--only NAME]`: whether the corpus is what it says. Ralph is not started.
import { parseArgs } from 'node:util'
import { eachOf } from './commands.ts'
import { loadCorpus, type Runner } from './corpus.ts'
import { lacking } from './runners.ts'
import {
  type Problems,
  problemsOfCase,
  problemsOfSealed,
  problemsOfTask,
  problemsOfTaskExamples,
} from './self-check.ts'

interface Check {
  readonly name: string
  readonly runner: Runner
  readonly look: () => Promise<Problems>
}

const { values } = parseArgs({ options: { only: { type: 'string' }, workers: { type: 'string', default: '2' } } })
const corpus = loadCorpus()
const tasks = [...new Set(corpus.cases.map(({ task }) => task))]

const checks: readonly Check[] = [
  ...corpus.cases.map((one) => ({ name: one.id, runner: one.project.runner, look: () => problemsOfCase(one) })),
  ...tasks.flatMap((task) => {
    const project = corpus.cases.find((one) => one.task === task)?.project
    if (project === undefined) return []
    const { runner } = project
    return [
      { name: `${project.name}: task ${task.name}`, runner, look: () => problemsOfTask(task, corpus) },
      { name: `${project.name}: examples of ${task.name}`, runner, look: () => problemsOfTaskExamples(task, corpus) },
    ]
  }),
  ...corpus.sealed.map((one) => ({ name: one.id, runner: one.of.project.runner, look: () => problemsOfSealed(one) })),
].filter(({ name }) => values.only === undefined || name.includes(values.only))

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
const notRun = new Map<string, number>()
let wrong = 0
await eachOf(checks, Number(values.workers), async ({ name, runner, look }) => {
  const why = lacking(runner)
  if (why !== null) {
    notRun.set(why, (notRun.get(why) ?? 0) + 1)
    return
  }
  const problems = await look()
  if (problems.length > 0) wrong += 1
  for (const problem of problems) print(`${name}: ${problem}`)
})
for (const [why, count] of notRun) print(`not run: ${count} (${why})`)
print(`${checks.length} parts of the corpus looked at, ${wrong} are not as they say`)
process.exitCode = wrong === 0 ? 0 : 1
