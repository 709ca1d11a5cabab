// A whole build by each real agent: plan, implement with scratchpads through MCP, review, SIA on one task; a rate limit, a
// dropped stream and a kill -9 of Ralph in the middle.
import { describe, expect, it } from 'vitest'
import type { Ask } from '../model-server/ask.ts'
import { atFirst, type Scenario, told } from '../model-server/scenario.ts'
import { byTask, roleIn, taskIn, team } from '../model-server/team.ts'
import { GOAL, idOf, implementing, type Number, numbersTeam, writesNumber } from '../model-server/numbers-story.ts'
import { processesOf } from './processes.ts'
import { type RealBuilder, type RealProject, realBuilders } from './real-builders.ts'
import type { Started } from '../rig/program.ts'

/** The second turn of `two` breaks off in its stream once, and `four` meets a limit once. */
function troubled({ limit, tornAfter }: RealBuilder): Scenario {
  const isSecond = (ask: Ask): boolean => ask.messages.filter(({ from }) => from === 'model').length === 1
  const two = implementing('two')
  const dropped = atFirst({ ...writesNumber('two'), cut: { afterParts: tornAfter, by: 'drop' } }, two)
  const implementer = byTask({
    [idOf('two')]: (ask) => (isSecond(ask) ? dropped(ask) : two(ask)),
    [idOf('three')]: implementing('three'),
    [idOf('four')]: atFirst(limit.turn, implementing('four'), limit.times),
  })
  return team({ ...numbersTeam, implementer })
}

type Comes = (made: RealProject, run: Started, builder: RealBuilder) => Promise<unknown>

/** When Ralph is killed. */
const moments: readonly { when: string; comes: Comes }[] = [
  { when: 'while it is planned', comes: ({ server }) => server.log.next(({ ask }) => ask !== null && told(GOAL)(ask)) },
  {
    when: 'while a patch is reviewed',
    comes: ({ server }) =>
      server.log.next(({ ask }) => ask !== null && isAbout('two', ask) && roleIn(ask) === 'reviewer'),
  },
  {
    // Two of three tasks are not done, and SIA has helped.
    when: 'half-way',
    comes: ({ server }) =>
      server.log.next(
        ({ ask, turn }) => ask !== null && isAbout('three', ask) && JSON.stringify(turn).includes('three.js <<'),
      ),
  },
  { when: 'while a limit is waited for', comes: (_, run, { limit }) => run.saw(limit.words ?? 'waits for') },
]

function isAbout(number: Number, ask: Ask): boolean {
  return taskIn(ask) === idOf(number)
}

function subjects({ git, build }: RealProject): string[] {
  return git('log', '--reverse', '--format=%s', `main..ralph/${build()}`).trim().split('\n')
}

/** What our MCP tools, whose names begin so, told the model; not every API says whether that was an error. */
function mcpAnswers({ server }: RealProject, ours: string): string[] {
  const asks = server.log.all().flatMap(({ ask }) => ask ?? [])
  const calls = asks.flatMap(({ messages }) => messages.flatMap(({ calls }) => calls))
  const results = asks.flatMap(({ messages }) => messages.flatMap(({ results }) => results))
  const named = new Map(calls.filter(({ tool }) => tool.startsWith(ours)).map(({ id, tool }) => [id, tool]))
  const told = results.flatMap(({ id, text }) =>
    named.has(id) ? [`${named.get(id)}: ${SAID.exec(text)?.[0] ?? text}`] : [],
  )
  return [...new Set(told)].sort()
}

const SAID = /The scratchpad is written\.|Reported TASK_COMPLETE\./

/** Of the tools that matter, which were offered to whom. */
function offered({ server }: RealProject): Record<string, string[]> {
  const tools = new Map<string, Set<string>>()
  for (const { ask } of server.log.all()) {
    if (ask === null) continue
    const role = roleIn(ask) ?? 'nobody'
    const known = tools.get(role) ?? new Set()
    for (const tool of ask.tools.filter((name) => MATTERS.test(name))) known.add(tool)
    tools.set(role, known)
  }
  return Object.fromEntries([...tools].map(([role, names]) => [role, [...names].sort()]))
}

const MATTERS =
  /^(Bash|Edit|Write|exec_command|apply_patch|ToolSearch|bash|edit|write|patch|replace|run_shell_command|write_file|.*_(write_scratchpad|report_iteration))$/

const OUR_TOOLS = ['report_iteration', 'write_scratchpad'] as const

describe.each(realBuilders)('a build by $agent', (builder) => {
  it.for(moments)(
    'is finished through a limit, a dropped stream and a kill -9 $when',
    builder.timeMs === undefined ? {} : { timeout: builder.timeMs },
    async ({ when, comes }, { skip }) => {
      if (builder.missing !== null) skip(builder.missing)
      if (builder.isKilled === 'once' && when !== 'half-way')
        skip('it is slow, or shares its adapter: one kill is enough')
      const made = await builder.open(troubled(builder))
      const first = made.start(['build', GOAL], made.agentEnv)
      await Promise.race([comes(made, first, builder), first.ended.then(fail)])
      first.child.kill('SIGKILL')
      const before = await first.ended
      const { code, stdout, stderr } = await made.start(['build'], made.agentEnv).ended
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('Error') })
      if (builder.limit.words !== null) expect(`${before.stdout}${stdout}`).toContain(builder.limit.words)
      // Neither the limit nor the stream nor the kill costs an attempt; being stuck does.
      expect(made.json('status')).toMatchObject({
        state: 'complete',
        tasks: [
          { id: idOf('two'), status: 'done', attempt: 1, interventions: 0 },
          { id: idOf('three'), status: 'done', attempt: 2, interventions: 1 },
          { id: idOf('four'), status: 'done', attempt: 1, interventions: 0 },
        ],
      })
      expect(subjects(made)).toEqual(['feat: Add two()', 'feat: Add three()', 'feat: Add four()'])
      const { works, reads, ours } = builder.tools
      expect(mcpAnswers(made, ours)).toEqual([
        `${ours}report_iteration: Reported TASK_COMPLETE.`,
        `${ours}write_scratchpad: The scratchpad is written.`,
      ])
      expect(offered(made)).toEqual({
        planner: reads,
        implementer: [...works, ...OUR_TOOLS.map((tool) => `${ours}${tool}`)].sort(),
        reviewer: reads,
        sia: reads,
      })
      expect(made.ralph(['verify']).code).toBe(0)
      expect(processesOf(made.root)).toEqual([])
      expect(made.server.log.forgotten()).toBe(0)
    },
  )
})

/** Ended before its time. */
function fail(ended: unknown): never {
  throw new Error(`it ended before it could be killed: ${JSON.stringify(ended)}`)
}
