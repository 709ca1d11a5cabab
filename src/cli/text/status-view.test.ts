import { describe, expect, it } from 'vitest'
import { sampleReport } from '../../../test/rig/sample-report.ts'
import { stateText, statusJson, statusText } from './status-view.ts'

const nobody = { held: new Set<never>() }

describe('how a build stands', () => {
  it('is told with every task, and what waits for a human', async () => {
    const text = statusText(await sampleReport())
    expect(text.split('\n\n')[0]).toBe(
      [
        'Build b_1: running (verifying)',
        'Branch ralph/b_1, plan: PROGRESS.md',
        'Started 2026-06-15 12:00:00, last activity 2026-06-15 12:01:00 (UTC)',
        '2 of 6 tasks done, 1 being worked on, 1 waiting for you, 1 skipped, 1 to do',
        '7 of 200 iterations, 2 other sessions, 1:02:03 of agents at work, 1 intervention of SIA, 12,000 tokens in, 900 out, $0.50',
      ].join('\n'),
    )
    expect(text.split('\n\n')[1]).toBe(
      [
        'TASK    STATUS   TRY  SPENT          NOTE                                        TITLE',
        'login   done     1.1  $0.25          c100000000 green: 3 tests (unit)            Add login',
        'logout  done     1.1  -              c200000000 unverified, accepted by ada@box  Add logout',
        'pay     waiting  3.1  12,900 tokens  is 2 % right?                               Take | payments',
        'mail    active   1.1  -              verifying (ab12)                            Send mail',
        'docs    open     -    -              -                                           Write docs',
        'old     skipped  -    -              -                                           Old thing',
      ].join('\n'),
    )
    expect(text).toContain("ralph answer pay -m 'what to know'")
  })

  it.each([
    ['paused', "paused ('ralph build' goes on)"],
    ['failed', "failed ('ralph build' tries again)"],
    ['aborted', 'aborted'],
    ['complete', 'complete'],
    ['running', "nobody works on it now ('ralph build' goes on)"],
  ] as const)('%s is told as: %s', async (state, text) => {
    expect(stateText({ ...(await sampleReport(state)), ...nobody })).toBe(text)
  })

  it('has spent its budget, and says how to go on', async () => {
    const budget = { budget: { usd: 2, tokens: null }, charged: { usd: 2.01, tokens: 9 } }
    const report = { ...(await sampleReport()), ...nobody, budget }
    expect(stateText(report)).toBe("the budget is spent ('ralph build --budget 4' goes on)")
    expect(statusText(report)).toContain('\nBudget: $2.01 of $2.00 used\n')
  })

  it('only waits for an agent where every loop does', async () => {
    const report = await sampleReport()
    const [mail] = [...report.held]
    const attempt = mail === undefined ? undefined : report.attempts.get(mail)
    if (mail === undefined || attempt === undefined) throw new Error('nobody works')
    const until = report.now + 7_800_000
    const phase = { at: 'limited', until, reason: 'too much', agent: 'claude', resumes: { at: 'working' } } as const
    const limited = { ...report, attempts: new Map([...report.attempts, [mail, { ...attempt, phase }]]) }
    const wait = /waiting for claude until \d\d:\d\d, 2 h 10 min left/
    expect(stateText(limited)).toMatch(wait)
    expect(statusText(limited)).toMatch(new RegExp(`mail +active +1.1 +- +${wait.source} \\(ab12\\)`))
    expect(stateText({ ...limited, now: until })).toMatch(/^running /)
    expect(statusJson(limited)).toMatchObject({
      tasks: [{}, {}, { limit: null }, { limit: { agent: 'claude', until, reason: 'too much' } }, {}, {}],
    })
  })

  it('has no plan yet', async () => {
    const report = await sampleReport()
    const seed = { from: 'goal', text: 'A shop\nwith a login' } as const
    const frozen = { ...report.frozen, source: null, seed }
    const view = { ...report.view, phase: 'planning' as const }
    const unplanned = {
      ...report,
      ...nobody,
      frozen,
      view,
      tasks: [],
      waiting: [],
      planning: { attempt: 1, isHeld: true },
    }
    const lines = statusText(unplanned).split('\n')
    expect([lines[0], lines[1], lines[3]]).toEqual([
      'Build b_1: running (planning)',
      'Branch ralph/b_1, plan: the goal "A shop with a login"',
      'No plan yet',
    ])
    const failed = { ...unplanned, planning: { attempt: 2, isHeld: false } }
    expect(statusText(failed)).toContain("Build b_1: nobody works on it now ('ralph build' goes on)\n")
    expect(statusText(failed)).toContain('\nNo plan yet, after 2 tries\n')
    expect(statusJson(failed)).toMatchObject({ plan: 'the goal "A shop with a login"', planning: failed.planning })
  })

  it('needs a human once nothing else can run', async () => {
    const report = await sampleReport()
    expect(stateText({ ...report, view: { ...report.view, status: 'human_needed' } })).toBe('waiting for you')
  })

  it('holds the whole view as JSON', async () => {
    const report = await sampleReport()
    const json = statusJson(report)
    expect(json).toMatchObject({ sessionId: 'b_1', ideaId: 'i_1', state: 'running', ...report.view })
    expect(JSON.parse(JSON.stringify(json))).toMatchObject({
      waiting: [{ task: 'pay' }],
      tasks: [
        {
          id: 'login',
          status: 'done',
          merged: { commit: expect.stringMatching(/^c1/), verdict: 'green', testsRun: 3 },
        },
        { id: 'logout', merged: { verdict: 'unverified', proof: { by: 'person', person: 'ada@box' } } },
        { id: 'pay', phase: 'waiting', attempt: 3, interventions: 1, merged: null },
        { id: 'mail', phase: 'verifying', assignee: 'ab12' },
        { id: 'docs', phase: null, attempt: 0 },
        { id: 'old', status: 'skipped' },
      ],
    })
  })
})
