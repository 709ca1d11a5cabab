// A model that builds the numbers two, three and four: plans them, writes each with its test, leaves scratchpads through
// our MCP tools, is stuck on one until SIA rewrites it, and reviews them all.
import type { Ask } from './ask.ts'
import { inOrder, type Scenario, told } from './scenario.ts'
import { byTask, type Team } from './team.ts'
import { call, type Reply, say, type Turn } from './turn.ts'

export const GOAL = 'Add the numbers two, three and four.'
export const NUMBERS = ['two', 'three', 'four'] as const
export type Number = (typeof NUMBERS)[number]

/** What SIA puts into the task, and what its implementer was waiting for. */
const HINT = 'Count from one.'
/** The task that needs it. */
const HARD = 'three'

const values: Readonly<Record<Number, number>> = { two: 2, three: 3, four: 4 }

export const idOf = (number: Number): string => `add-${number}`

export function bash(command: string): Reply {
  return call('Bash', { command, description: 'A step of the scenario' })
}

function testOf(number: Number): string {
  return [
    "import { test } from 'node:test'",
    "import assert from 'node:assert/strict'",
    `import { ${number} } from './${number}.js'`,
    `test('${number}', () => assert.equal(${number}(), ${values[number]}))`,
    '',
  ].join('\n')
}

/** In a shell, so that it works in whatever folder the agent is. */
function writing(path: string, content: string): Reply {
  return bash(`cat > ${path} <<'END'\n${content}END`)
}

export function writesTest(number: Number): Turn {
  const { says } = writing(`${number}.test.js`, testOf(number))
  return { says: [{ thinking: 'A failing test first.' }, { text: `I begin with the test of ${number}.` }, ...says] }
}

export function writesNumber(number: Number): Turn {
  const module = `export const ${number} = () => ${values[number]}\n`
  return bash(`cat > ${number}.js <<'END'\n${module}END\nnode --test`)
}

function leavesScratchpad(number: Number): Turn {
  return call('mcp__ralph__write_scratchpad', {
    done: `${number}() and its test`,
    testStatus: 'all passed',
    nextStep: 'none',
    blockers: 'none',
  })
}

const reports = call('mcp__ralph__report_iteration', { signal: 'TASK_COMPLETE' })

/** One after the other, so that each stands on the one before. */
function plans(): Turn {
  const tasks = NUMBERS.map((number, at) => ({
    id: idOf(number),
    title: `Add ${number}()`,
    goal: `The function ${number}() gives ${values[number]}.`,
    acceptance: [`${number}() is ${values[number]}`],
    depends_on: NUMBERS.slice(Math.max(0, at - 1), at).map(idOf),
    files_expected: [`${number}.js`, `${number}.test.js`],
    status: 'todo',
    type: 'api',
  }))
  return say(JSON.stringify({ tasks, notes: 'one after the other' }))
}

export function implementing(number: Number): Scenario {
  const work = inOrder(
    writesTest(number),
    writesNumber(number),
    leavesScratchpad(number),
    reports,
    say(`${number}() is there, and its test is green.\n\nTASK_COMPLETE`),
  )
  if (number !== HARD) return work
  const isHelped = told(HINT)
  const stuck = say('I cannot tell what comes after two.\n\nTASK_STUCK: what comes after two?')
  return (ask: Ask) => (isHelped(ask) ? work(ask) : stuck)
}

const approves = say(
  JSON.stringify({ decision: 'approve', reasons: ['it does what the task asks'], required_fixes: [] }),
)
const helps = say(
  JSON.stringify({
    type: 'fixed',
    technique: 'prompt_restructure',
    modified_task: { goal: `three() gives 3. ${HINT}` },
  }),
)

export const numbersTeam: Required<Team> = {
  planner: () => plans(),
  implementer: byTask(Object.fromEntries(NUMBERS.map((number) => [idOf(number), implementing(number)]))),
  reviewer: () => approves,
  sia: () => helps,
}
