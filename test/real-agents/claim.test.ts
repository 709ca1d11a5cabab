// `ralph build --claim agent` with a real `claude`: the plugin's skill chooses, claims, finishes and reports tasks.
import { describe, expect, it } from 'vitest'
import { type Ask, toldTo, turnsSoFar } from '../model-server/ask.ts'
import { atFirst, byContent, inOrder, type Scenario, told } from '../model-server/scenario.ts'
import { team } from '../model-server/team.ts'
import { call, hang, say } from '../model-server/turn.ts'
import { CLAUDE, type ClaudeProject, claudeProject, NO_CLAUDE } from './claude-project.ts'
import {
  bash,
  idOf,
  NUMBERS,
  type Number,
  numbersTeam,
  writesNumber,
  writesTest,
} from '../model-server/numbers-story.ts'
import { processesOf } from './processes.ts'

/** The heading of the plugin's skill. */
const SKILL = '# One task of a plan\n'

/** The first open task of the snapshot that the session was given. */
function chosen(ask: Ask): Number {
  const sections = toldTo(ask)
    .split(/^## Task /m)
    .slice(1)
  const open = sections.find((section) => section.includes('status: open'))
  return NUMBERS.find((number) => open?.startsWith(`${idOf(number)}\n`)) ?? 'two'
}

/** By the command or by the tool: both are the session's. */
function does(number: Number, by: 'command' | 'tool'): Scenario {
  const id = idOf(number)
  const tell = (verb: 'claim' | 'done') =>
    by === 'command' ? bash(`ralph task ${verb} ${id}`) : call(`mcp__ralph__task_${verb}`, { id })
  return inOrder(tell('claim'), writesTest(number), writesNumber(number), tell('done'), say(`${id} is done.`))
}

const builder: Scenario = (ask) => {
  const number = chosen(ask)
  return does(number, number === 'four' ? 'tool' : 'command')(ask)
}

/** Claims its task and says no more. */
const lost = inOrder(bash(`ralph task claim ${idOf('two')}`), hang)

async function claimProject(session: Scenario): Promise<ClaudeProject> {
  const made = await claudeProject(
    byContent({ when: told(SKILL), play: session }, { when: () => true, play: team(numbersTeam) }),
  )
  for (const [at, number] of NUMBERS.entries())
    made.ok('create', idOf(number), `Add ${number}()`, ...(at === 0 ? [] : ['--deps', idOf(NUMBERS[at - 1] as Number)]))
  return made
}

function claudeIn({ root }: ClaudeProject): number[] {
  return processesOf(root)
    .filter(({ command }) => command.includes('--output-format stream-json'))
    .map(({ pid }) => pid)
}

function statuses(made: ClaudeProject): string[] {
  return NUMBERS.map((number) => /^Status: +(\w+)$/m.exec(made.ok('show', idOf(number)))?.[1] ?? 'none')
}

describe.skipIf(CLAUDE === null)(`claude claims its tasks itself${CLAUDE === null ? ` (${NO_CLAUDE})` : ''}`, () => {
  it('claims, finishes and reports them through the skill', async () => {
    const made = await claimProject(builder)
    const { code, stderr } = await made.start(['build', '--claim', 'agent'], made.claudeEnv).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('Error') })
    const tasks = NUMBERS.map((number) => ({ id: idOf(number), status: 'done', attempt: 1, assignee: null }))
    expect(made.json('status')).toMatchObject({ state: 'complete', tasks })
    const log = made.git('log', '--reverse', '--format=%s', `main..ralph/${made.build()}`)
    expect(log).toBe('feat: Add two()\nfeat: Add three()\nfeat: Add four()\n')
    expect(processesOf(made.root)).toEqual([])
  })

  it('a session that is killed half-way leaves no active task', async () => {
    const made = await claimProject(lost)
    const run = made.start(['build', '--claim', 'agent', '-n', '1'], made.claudeEnv)
    await Promise.race([made.server.log.next(({ turn }) => turn === hang), run.ended])
    expect(statuses(made)).toEqual(['active', 'open', 'open'])
    const [claude] = claudeIn(made)
    expect(claude).toBeDefined()
    process.kill(claude as number, 'SIGKILL')
    await run.ended
    expect(statuses(made)).toEqual(['open', 'open', 'open'])
    expect(processesOf(made.root)).toEqual([])
  })

  it('goes on with another session after that', async () => {
    const atFirstLost = atFirst(hang, builder)
    const made = await claimProject((ask) => (turnsSoFar(ask) === 1 ? atFirstLost(ask) : builder(ask)))
    const run = made.start(['build', '--claim', 'agent'], made.claudeEnv)
    await Promise.race([made.server.log.next(({ turn }) => turn === hang), run.ended])
    for (const pid of claudeIn(made)) process.kill(pid, 'SIGKILL')
    expect((await run.ended).code).toBe(0)
    expect(made.json('status')).toMatchObject({ state: 'complete' })
  })
})
