// `ralph plan`: the planner's prompt and its answer, and lists that are imported without it.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHECK, project } from '../rig/project.ts'
import { steady } from '../rig/story.ts'
import { answers, GOAL, PLAN, planner, wire, work } from '../rig/sessions.ts'

const TEXT = `Plan from the goal "${GOAL}": 2 tasks

1. two: Add two  (api)
   - two() is 1
   files: two.js
2. three: Add three  (api, after two)
   - three() is 1
   files: three.js

Notes: As asked.
`
const asked = `scripted plans the goal "${GOAL}" …\n`
const titles = (list: unknown) => (list as { id: string; title: string }[]).map(({ id, title }) => `${id} ${title}`)

describe('ralph plan "GOAL"', () => {
  it('asks the planner, keeps the tasks and prints them', () => {
    const made = project({ tasks: 'planned', script: [answers()] })
    expect(made.ralph(['plan', GOAL, '--dry-run'])).toEqual({
      code: 0,
      stdout: TEXT,
      stderr: `Dry run: the planner is asked, but nothing is written.\n${asked}`,
    })
    expect(made.json('task', 'list')).toEqual([])
    expect(made.ralph(['plan', GOAL])).toEqual({
      code: 0,
      stdout: `${TEXT}\ninserted: 2, updated: 0, deleted: 0, skipped (done): 0\n`,
      stderr: `${asked}'ralph build' builds them.\n`,
    })
    expect(titles(made.json('task', 'list'))).toEqual(['two Add two', 'three Add three'])
    expect(made.git('status', '--porcelain')).toBe('')
    // The same goal replaces the open tasks of its earlier plan.
    made.play(answers({ tasks: [wire({ id: 'three' }), wire({ id: 'four' })] }))
    expect(made.json('plan', GOAL)).toMatchObject({
      form: 'goal',
      tasks: [{ id: 'three', depends_on: [], status: 'todo', type: 'api' }, { id: 'four' }],
      written: { inserted: ['four'], updated: ['three'], deleted: ['two'], skipped_done: 0 },
    })
  })

  it('is told what is wanted, what exists, and what was wrong the first time', () => {
    const bad = { tasks: [wire({ id: 'two', depends_on: ['nine'] })] }
    const made = project({ tasks: 'planned' })
    const keep = { run: `mv prompt.txt '${made.root}/prompt.txt'` }
    made.play(
      { role: 'planner', iteration: 1, steps: [{ answer: bad }] },
      { role: 'planner', iteration: 2, steps: [{ savePrompt: 'prompt.txt' }, keep, { answer: PLAN }] },
    )
    made.ok('create', 'one', 'Add one')
    expect(made.ralph(['plan', GOAL])).toMatchObject({ code: 0, stdout: expect.stringContaining(': 2 tasks\n') })
    const prompt = made.read('../prompt.txt')
    for (const told of [
      "could not be used: task 'two': 'depends_on' names 'nine', which is no task of this plan\n",
      `<goal>\n${GOAL}\n</goal>\n`,
      'It has files. Look at them',
      `- unit: ${CHECK}\n`,
      '- one (open): Add one\n',
      'at most 15. ',
    ])
      expect(prompt).toContain(told)
  })

  it.each<[string, object[], string]>([
    [
      'an answer that cannot be used, twice',
      [{ answerText: 'I would begin with two.' }],
      'the planner (scripted) gave no usable plan: the message is not one JSON object; nothing was written [RALPH_PLAN_FAILED]',
    ],
    [
      'a cycle',
      [{ answer: { tasks: [wire({ id: 'a', depends_on: ['b'] }), wire({ id: 'b', depends_on: ['a'] })] } }],
      "the planner (scripted) gave no usable plan: task 'a': 'depends_on' goes in a circle: a -> b -> a; nothing was written [RALPH_PLAN_FAILED]",
    ],
    [
      'more tasks than a plan may have',
      [{ answer: { tasks: Array.from({ length: 16 }, (_, at) => wire({ id: `t${at}` })) } }],
      "the planner (scripted) gave no usable plan: 'tasks' must be a list of 1 to 15 tasks, not of 16; nothing was written [RALPH_PLAN_FAILED]",
    ],
    [
      'a planner that writes',
      [{ write: { path: 'two.js', content: 'x' } }, { answer: PLAN }],
      'the planner (scripted) gave no usable plan: you changed two.js; only read; nothing was written [RALPH_PLAN_FAILED]',
    ],
    [
      'a planner without its login',
      [{ fail: { kind: 'auth', sentence: 'log in with x' } }],
      'log in with x; nothing was written [RALPH_PLAN_FAILED]',
    ],
    [
      'a planner that crashes',
      [{ crash: { code: 3 } }],
      /^the planner \(scripted\) failed: .*; nothing was written \[RALPH_PLAN_FAILED\]$/.source,
    ],
  ])('refuses %s', (_, steps, sentence) => {
    const made = project({ tasks: 'planned', script: [planner(...steps)] })
    const { code, stdout, stderr } = made.ralph(['plan', GOAL])
    expect([code, stdout]).toEqual([1, ''])
    const said = stderr.split('\n').find((line) => line.startsWith('Error: ')) ?? ''
    if (sentence.startsWith('^')) expect(said.slice('Error: '.length)).toMatch(new RegExp(sentence))
    else expect(said).toBe(`Error: ${sentence}`)
    expect(made.json('task', 'list')).toEqual([])
  })

  it('waits for a limit to pass, and is stopped by Ctrl+C', async () => {
    const limited = { fail: { kind: 'rateLimit', sentence: 'too many', untilInSeconds: 1 } }
    const made = project({ tasks: 'planned', script: [{ role: 'planner', attempt: 1, steps: [limited] }, answers()] })
    const { code, stderr } = made.ralph(['plan', GOAL])
    expect([code, stderr]).toEqual([0, expect.stringMatching(/\nWaiting until \d\d:\d\d:\d\d: too many\n/)])
    made.play(planner({ sleep: 20_000 }, { answer: PLAN }))
    const running = made.start(['plan', 'Something else'])
    await running.saw('plans the goal')
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('Error: stopped; nothing was changed [RALPH_INTERRUPTED]\n'),
    })
  })

  it('reads stdin, and names another planner', () => {
    const made = project({ tasks: 'planned', script: [answers()] })
    expect(made.ralph(['plan', '-'], { input: 'A shop\nwith a login\n' }).stderr).toContain(
      'scripted plans the goal "A shop with a login" …\n',
    )
    made.write('ralph.toml', `${made.read('ralph.toml')}[agent.command]\ncommand = ["./nobody"]\n`)
    expect(made.ralph(['plan', GOAL, '--agent', 'command']).stderr).toMatch(
      /^Error: the agent command cannot work: .*\[RALPH_AGENT_NOT_READY\]\n$/,
    )
  })
})

describe('ralph plan --out FILE', () => {
  it('writes a progress file that is built as it was planned', () => {
    const made = project({ tasks: 'planned', script: [answers({ ...PLAN, tasks: PLAN.tasks.toReversed() })] })
    made.write('SPEC.md', '# The numbers\n\nTwo and three.\n')
    expect(made.ralph(['plan', 'SPEC.md', '--out', 'PLAN.md'])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/Wrote PLAN\.md; 'ralph build PLAN\.md' builds it\.\n$/),
    })
    expect(made.json('task', 'list')).toEqual([])
    const file = made.read('PLAN.md')
    expect(file).toMatch(/^# Progress: The numbers\n/)
    expect(file).toContain('- [ ] Add two {#two}\n  There is two.\n\n  Acceptance:\n  - two() is 1\n')
    expect(file.indexOf('{#two}')).toBeLessThan(file.indexOf('{#three}'))
    expect(made.ralph(['plan', GOAL, '--out', 'PLAN.md'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^Error: .*PLAN\.md exists already; add --force to replace it \[RALPH_FILE_EXISTS\]\n$/,
      ),
    })
    expect(made.read('PLAN.md')).toBe(file)
    expect(made.ralph(['plan', GOAL, '--out', 'PLAN.md', '--force']).code).toBe(0)
    expect(made.read('PLAN.md')).toMatch(/^# Progress: Add the numbers two and three\n/)
    made.ralph(['plan', 'PLAN.md'])
    expect(made.json('task', 'show', 'three')).toMatchObject({
      deps: ['two'],
      type: 'api',
      acceptance: ['three() is 1'],
      spec: 'PLAN.md',
      description: 'There is three.',
    })
  })
})

describe('lists', () => {
  const CHECKLIST = '# Fix plan\n\n- [ ] Fix the parser\n  - [ ] measure it\n- [x] Old thing\n1. [ ] T9: Update docs\n'
  const PRD = {
    project: 'Shop',
    userStories: [
      { id: 'US-001', title: 'Log in', acceptanceCriteria: ['it works'], priority: 1, passes: false },
      { id: 'US-002', title: 'Log out', priority: 2, passes: true },
    ],
  }
  const MANY = Array.from({ length: 40 }, (_, at) => `- [ ] Thing ${at}\n`).join('')

  it.each<[string, string, string, string[]]>([
    ['fix_plan.md', CHECKLIST, 'a checklist', ['fix-the-parser Fix the parser', 'T9 Update docs']],
    ['prd.json', JSON.stringify(PRD), 'a list of user stories as JSON', ['US-001 Log in']],
    ['plan.jsonl', '{"id":"a","t":"A"}\n', 'a plan as JSON lines', ['a A']],
    ['plan.json', JSON.stringify(PLAN), 'a plan as JSON', ['two Add two', 'three Add three']],
    ['PLAN.md', '# Progress: x\n\n## Tasks\n\n- [ ] Go\n', 'a progress file', ['go Go']],
    ['long.md', MANY, 'a checklist', Array.from({ length: 40 }, (_, at) => `thing-${at} Thing ${at}`)],
  ])('%s is taken over, and nobody is asked', (name, text, form, tasks) => {
    const made = project({ tasks: 'planned' })
    writeFileSync(join(made.root, 'scenario.json'), '{')
    made.write(name, text)
    const { code, stderr } = made.ralph(['plan', name])
    expect([code, stderr.split('\n')[0]]).toEqual([0, `${name} is ${form}: no agent is asked.`])
    expect(titles(made.json('task', 'list'))).toEqual(tasks)
    expect(made.json('plan', name)['written']).toEqual({ inserted: [], updated: [], deleted: [], skipped_done: 0 })
  })

  it('are synced by difference, and what stands for other work gets another id', () => {
    const made = project({ tasks: 'planned', script: [{ role: 'implementer', task: 'US-001', steps: work('one1') }] })
    made.write('prd.json', JSON.stringify(PRD))
    made.ralph(['plan', 'prd.json'])
    made.ralph(['build'])
    made.write(
      'prd.json',
      JSON.stringify({
        userStories: [
          { id: 'US-001', title: 'Pay' },
          { id: 'US-002', title: 'X' },
        ],
      }),
    )
    const { stdout, stderr } = made.ralph(['plan', 'prd.json'])
    expect(stderr).toContain("Note: ids that other work has already are given anew: 'US-001' is 'US-001-2' here.\n")
    expect(stdout).toContain('inserted: 2, updated: 0, deleted: 0, skipped (done): 0\n')
    made.write('prd.json', JSON.stringify({ userStories: [{ id: 'US-001', title: 'Log in' }] }))
    expect(made.json('plan', 'prd.json')).toMatchObject({
      done_before: ['US-001'],
      written: { deleted: ['US-001-2', 'US-002'], skipped_done: 1 },
    })
  })

  it.each([
    [
      ['plan', 'prd.json'],
      '{"userStories":[{"id":"a","title":"A","dependsOn":["b"]}]}',
      "story 1 ('a'): it waits for 'b'",
    ],
    [['plan', 'prd.json'], '{"userStories":', 'prd.json is not valid JSON; mend it, or say in words what is wanted'],
    [['plan', 'prd.json', '--as', 'jsonl'], '{"id":"a"}', 'line 1: missing task title; nothing was written'],
    [['plan', 'prd.json', '--as', 'x'], '', "unknown form 'x', use spec, progress, graph, prd, jsonl, checklist"],
    [['plan', 'prd.json', '--out', 'x', '--dry-run'], '', '--out and --dry-run are mutually exclusive'],
    [['plan', 'prd.json', '--force'], '', '--force needs --out FILE'],
    [['plan'], '', 'say what is to be planned: a goal in words, a file, or - for stdin'],
    [['plan', 'nope.md'], '', "there is no file 'nope.md'; name one that exists, or say the goal in words"],
    [['plan', ''], '', 'the goal is empty; say what is to be built, or name a file'],
  ])('%j is refused', (words, text, sentence) => {
    const made = project({ tasks: 'planned' })
    made.write('prd.json', text)
    const { code, stdout, stderr } = made.ralph(words)
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) })
    expect(existsSync(made.storePath) ? made.json('task', 'list') : []).toEqual([])
  })

  it('say that an unfinished build works on them too', () => {
    const made = project({ tasks: 'planned', script: [planner({ fail: { kind: 'auth', sentence: 'x' } })] })
    made.ralph(['build', GOAL])
    made.write('fix_plan.md', CHECKLIST)
    expect(steady(made.ralph(['plan', 'fix_plan.md']).stderr)).toContain(
      'Note: build BUILD is not finished, and works on these tasks too.\n',
    )
  })
})
