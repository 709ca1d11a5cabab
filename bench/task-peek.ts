// `ralph task peek` as a whole process: what an agent pays each time it looks at the plan.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Benchmark } from './benchmark.ts'
import { interleave } from './interleave.ts'
import { output, RALPH, ralph } from './ralph.ts'
import { shown } from './table.ts'
import { plantPlan, TASKS, workOff } from './task-plan.ts'

const SHOWN = 10
const DONE = 2_000
const ACTIVE = 4

const PEEK = `ralph task peek -n ${SHOWN}`

export const taskPeek: Benchmark = {
  name: 'task/peek',
  rounds: 50,
  run: async (folder, rounds) => {
    const { storePath } = plantPlan(folder)
    await workOff(folder, { done: DONE, active: ACTIVE })
    requireAnswer(folder)
    const node = process.execPath
    const commands: readonly { name: string; argv: readonly [string, ...string[]] }[] = [
      { name: 'node -e 0', argv: [node, '-e', '0'] },
      { name: 'node empty.mjs', argv: [node, script(folder, 'empty.mjs', '')] },
      { name: 'node:sqlite, open and one query', argv: [node, script(folder, 'query.mjs', oneQuery(storePath))] },
      { name: PEEK, argv: [node, RALPH, 'task', 'peek', '-n', String(SHOWN)] },
    ]
    const measured = await interleave(
      commands.map(({ name, argv }) => ({ name, measure: async () => wallTime(folder, argv) })),
      rounds,
    )
    return {
      name: 'task/peek',
      about: [`${shown(TASKS)} tasks, of which ${shown(DONE)} done and ${ACTIVE} active, dependencies three deep.`],
      groups: [
        {
          title: 'a whole process, from its start to its exit',
          unit: 'ms',
          figures: measured.map(({ name, samples }) => ({
            name,
            samples,
            ...(name === PEEK && { goal: { bound: 'at most' as const, ratio: 1.35 } }),
          })),
        },
      ],
    }
  },
}

function wallTime(folder: string, argv: readonly [string, ...string[]]): number {
  const startedAt = performance.now()
  output(folder, argv)
  return performance.now() - startedAt
}

/** What is timed must be what is asked for. */
function requireAnswer(folder: string): void {
  const counts = ralph(folder, ['task', 'plan-status'])
  if (!counts.includes(` ${ACTIVE} active, ${DONE} done`)) throw new Error(`the plan is not as planted: ${counts}`)
  const sections = ralph(folder, ['task', 'peek', '-n', String(SHOWN)]).match(/^## Task /gm)?.length
  if (sections !== SHOWN + ACTIVE) throw new Error(`peek showed ${sections} tasks and not ${SHOWN + ACTIVE}`)
}

function script(folder: string, name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** The least that any program on node:sqlite does to show the next tasks. */
function oneQuery(storePath: string): string {
  return `import { DatabaseSync } from 'node:sqlite'
const database = new DatabaseSync(${JSON.stringify(storePath)})
const next = "SELECT id, title FROM tasks WHERE scope = 1 AND status = 'open' ORDER BY priority, position LIMIT ${SHOWN}"
console.log(JSON.stringify(database.prepare(next).all()))
`
}
