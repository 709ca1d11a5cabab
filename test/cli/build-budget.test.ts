// The use of each session is recorded; a budget is kept, and raised on request.
import { describe, expect, it } from 'vitest'
import { build, does, session } from '../rig/claim-sessions.ts'
import { project, type Project } from '../rig/project.ts'
import { GOAL, PLAN, planner, SIA_GIVES_UP, work, WORKERS } from '../rig/sessions.ts'
import { story } from '../rig/story.ts'

const use = (costUsd: number | null, tokens = 1_000) => ({
  usage: { inputTokens: tokens - 100, outputTokens: 100, costUsd },
})

/** Says a hundred times that it used a little more, and would take ten seconds for it. */
const squander = (costUsd: number | null) => Array.from({ length: 100 }, () => [use(costUsd), { sleep: 100 }]).flat()

const [say, write, test, complete] = work('two', 2)

function sessions(made: Project): readonly Record<string, unknown>[] {
  const rows = made.state() as { name: string; rows: Record<string, unknown>[] }[]
  return rows.find(({ name }) => name === 'spending')?.rows ?? []
}

describe('a budget', () => {
  it('stops the agent at the cap, keeps its work, costs no attempt, and is raised to go on', () => {
    const made = project({ script: [{ task: 'two', steps: [say, write, ...squander(0.25)] }] })
    const { code, stdout, stderr } = made.ralph(['build', '--budget', '1'])
    expect([code, stderr]).toEqual([3, expect.stringContaining('Budget of the build: $1.00.\n')])
    expect(story(stdout).slice(-3)).toEqual([
      'two: iteration 1.1',
      expect.stringMatching(/^two: interrupted: the budget is spent · \d,000 tokens, \$1\.\d\d$/),
      'the budget is spent',
    ])
    expect(stdout.split('\n\n').at(-1)).toBe(
      "The budget of $1.00 is spent; 'ralph build --budget 2' goes on (the number is what the build may use in all, not in addition).\n",
    )
    const [spent] = sessions(made)
    expect(spent).toMatchObject({ role: 'implementer', agent: 'scripted', state: 'settled', failure: 'budget' })
    expect(spent?.['cost_usd']).toBeLessThan(2)
    // Again without more: nothing is begun.
    const again = made.ralph(['build'])
    expect([again.code, sessions(made).length]).toEqual([3, 1])
    expect(again.stderr).toMatch(/Budget of the build: \$1\.00, of which \$1\.\d\d is used\./)

    made.play({ task: 'two', steps: [test, use(0.5), complete] })
    const more = made.ralph(['build', '--budget', '5'])
    expect([more.code, more.stdout]).toEqual([0, expect.stringMatching(/Budget: \$1\.\d\d of \$5\.00 used\./)])
    expect(made.json('status')).toMatchObject({
      budget: { budget: { usd: 5, tokens: null } },
      tasks: [{ id: 'two', attempt: 1, iteration: 1, spent: { sessions: 2 } }],
    })
  })

  it('in tokens is held for an agent that names no price, and no price is made up', () => {
    const made = project({ script: [{ task: 'two', steps: [say, ...squander(null)] }] })
    made.write('ralph.toml', `${made.read('ralph.toml')}budget_tokens = 3000\n`)
    const { code, stdout } = made.ralph(['build'])
    expect([code, stdout.includes('$')]).toEqual([3, false])
    expect(stdout).toContain(
      "The budget of 3,000 tokens is spent; 'ralph build --budget-tokens 6000' goes on (the number is what the build may use in all, not in addition).\n",
    )
    expect(made.ralph(['status']).stdout).toMatch(/Budget: \d,\d00 tokens of 3,000 tokens used\n/)
  })

  it('in dollars counts an agent that names no price with what was set aside for it, and says so', () => {
    const made = project({ script: ['two', 'three', 'four'].map((task) => ({ task, steps: work(task) })) })
    const { code, stdout } = made.ralph(['build', '--budget', '0.1', '--workers', '2'])
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(
        'Budget: $0.03 of $0.10 used; a session that named no price counts with its tokens at the known price, or with what was set aside.\n',
      ),
    ])
    expect(made.ralph(['status']).stdout).toMatch(/^3 of 200 iterations, \d+:\d\d of agents at work$/m)
  })

  it.each([
    [['--budget', 'much'], '--budget must be an amount of US dollars from 0 to 1000000, such as 7.50'],
    [['--budget', '-1'], '--budget must be an amount of US dollars from 0 to 1000000, such as 7.50'],
    [['--budget-tokens', '1.5'], '--budget-tokens must be a whole number from 0 to 1000000000000'],
  ])('%j is refused, and nothing is changed', (flags, sentence) => {
    const made = project({ script: [{ task: 'two', steps: [] }] })
    const before = made.state()
    const { code, stderr } = made.ralph(['build', ...flags])
    expect({ code, stderr: stderr.split('\n')[0], state: made.state() }).toEqual({
      code: 1,
      stderr: `Error: ${sentence} [RALPH_USAGE]`,
      state: before,
    })
  })

  it('is told by a dry run', () => {
    const made = project({ script: [{ task: 'two', steps: [] }] })
    expect(made.ralph(['build', '--dry-run', '--budget', '7.5']).stdout).toContain('a budget of $7.50')
    expect(made.json('build', '--dry-run', '--budget', '7.5')).toMatchObject({ budget: { usd: 7.5, tokens: null } })
  })
})

it('every session is recorded, of every role, also those that failed', () => {
  const garbage = { answerText: 'I would say so' }
  const made = project({
    script: [
      { task: 'two', role: 'implementer', attempt: 1, iteration: 1, steps: [use(0.1), { crash: { code: 3 } }] },
      { task: 'two', role: 'implementer', attempt: 1, iteration: 2, steps: [...work('two', 2), use(0.2)] },
      { task: 'two', role: 'reviewer', attempt: 1, steps: [use(0.01), garbage] },
      {
        task: 'two',
        role: 'implementer',
        attempt: 2,
        steps: [use(null), { signal: { kind: 'TASK_STUCK', reason: 'no' } }],
      },
      { ...SIA_GIVES_UP, steps: [use(0.05), ...SIA_GIVES_UP.steps] },
    ],
  })
  made.write('ralph.toml', `${made.read('ralph.toml')}[review]\nwhen = "always"\n`)
  const { code, stdout } = made.ralph(['build'])
  expect(code).toBe(3)
  const recorded = sessions(made).map((row) =>
    [row['role'], row['attempt'], row['iteration'], row['cost_usd'], row['state'], row['failure']].join(' '),
  )
  expect(recorded).toEqual([
    'implementer 1 1 0.1 settled crashed',
    'implementer 1 2 0.2 settled ',
    'reviewer 1 2 0.01 settled ',
    'reviewer 1 2 0.01 settled ',
    'implementer 2 1  settled ',
    'sia 2 1 0.05 settled ',
  ])
  expect(stdout).toContain('two: says TASK_COMPLETE · 1,000 tokens, $0.20')
  expect(stdout).toContain('The agents of this build cost at least $0.37 (1 session named no price).')
  expect(made.ralph(['log']).stdout).toMatch(/two: review: changes requested: .* · 2,000 tokens, \$0\.02/)
  expect(made.ralph(['log']).stdout).toContain('two: SIA answers: escalate, I cannot count · 1,000 tokens, $0.05')
  expect(made.ralph(['status']).stdout).toMatch(/two +waiting +2\.1 +≥ \$0\.37 /)
  const { spent } = made.json('report') as { spent: { byRole: object[] } }
  expect(spent).toMatchObject({ sessions: 6, iterations: 3, costUsd: 0.37, unpriced: 1, interventions: 1 })
  expect(spent.byRole).toMatchObject([
    { role: 'implementer', agent: 'scripted', sessions: 3, costUsd: 0.3, unpriced: 1 },
    { role: 'reviewer', sessions: 2, costUsd: 0.02, unpriced: 0 },
    { role: 'sia', sessions: 1, costUsd: 0.05, unpriced: 0 },
  ])
})

it('the planner is paid from the same budget, waited for, and stopped at the cap', async () => {
  const limited = { fail: { kind: 'rateLimit', sentence: 'too many', untilInSeconds: 1 } }
  const made = project({ tasks: 'planned', script: [planner(use(0.1), limited)] })
  const running = made.start(['build', GOAL, '--budget', '1', '--once'])
  await running.saw('waiting for scripted until')
  made.play(planner(use(0.2), { answer: PLAN }), ...WORKERS)
  expect((await running.ended).code).toBe(0)
  expect(sessions(made).map((row) => [row['role'], row['task'], row['cost_usd'], row['failure']])).toEqual([
    ['planner', null, 0.1, 'rateLimit'],
    ['planner', null, 0.2, null],
    ['implementer', 'two', null, null],
  ])
  expect(made.ralph(['report']).stdout).toMatch(/\| planner \| scripted \| 2 \| .* \| \$0\.30 \|/)

  const other = project({ tasks: 'planned', script: [planner(...squander(0.25))] })
  const { code, stdout } = other.ralph(['build', GOAL, '--budget', '1', '--workers', '2'])
  expect([code, story(stdout)]).toEqual([
    3,
    ['planning', 'planning interrupted: the budget is spent', 'the budget is spent'],
  ])
  expect(sessions(other)).toHaveLength(1)
})

it('a session that chooses its task itself is paid for as any other, for the task it chose', () => {
  const limited = { fail: { kind: 'rateLimit', sentence: 'too many', untilInSeconds: 1 } }
  const made = project({
    tasks: { two: [], three: ['two'] },
    script: [session(1, use(0.1), limited), session(2, use(0.2), ...does('two', 2)), session(null, ...squander(0.3))],
  })
  const { code, stdout } = build(made, '--budget', '1')
  expect([code, story(stdout).find((line) => line.startsWith('waiting'))]).toEqual([
    3,
    expect.stringMatching(/^waiting for scripted until \d\d:\d\d:\d\d \([12] s\): too many$/),
  ])
  expect(stdout).toContain('two: says TASK_COMPLETE · 1,000 tokens, $0.20')
  expect(sessions(made).map((row) => [row['task'], row['attempt'], row['iteration'], row['failure']])).toEqual([
    [null, 0, 1, 'rateLimit'],
    ['two', 1, 1, null],
    [null, 0, 3, 'budget'],
  ])
})
