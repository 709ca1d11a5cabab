// A build that begins with a goal or a spec: planned first, then built, and steered while it is planned.
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { project } from '../rig/project.ts'
import { steady, story } from '../rig/story.ts'
import { answers, GOAL, PLAN, planner, wire, work, WORKERS } from '../rig/sessions.ts'

const PLANNED = ['planning', 'planned: 2 tasks', 'build started: 2 tasks']
const facts = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('ralph build "GOAL"', () => {
  it('plans first, shows the plan, and builds it in its order', () => {
    const made = project({ tasks: 'planned', script: [answers()] })
    const { code, stdout, stderr } = made.ralph(['build', GOAL])
    expect([code, steady(stderr)]).toEqual([
      0,
      `Build BUILD over the goal "${GOAL}": scripted plans it first, scripted works, checks: unit.\n`,
    ])
    expect(story(stdout).slice(0, 3)).toEqual(PLANNED)
    expect(stdout).toContain(
      'planned: 2 tasks\n          two    api  Add two\n          three  api  Add three  (after two)\n          As asked.\n',
    )
    expect(made.ralph(['log', '--transcript']).stdout).toMatch(
      /^Planning, attempt 1\n {2}I see\n\d{4}-.* two: iteration 1\.1/,
    )
    expect(made.json('status')).toMatchObject({
      status: 'complete',
      plan: `the goal "${GOAL}"`,
      planning: null,
      completedTasks: ['two', 'three'],
    })
    expect(JSON.parse(made.ralph(['task', 'show', 'three', '--json']).stdout)).toMatchObject({
      spec: expect.stringMatching(/^goal:add-the-numbers-two-and-three-[0-9a-f]{8}$/),
      type: 'api',
      acceptance: ['three() is 1'],
    })
    expect(made.ralph(['build', GOAL]).stdout).toBe(
      `Nothing to do: no task of the goal "${GOAL}" is open; 'ralph plan' plans it anew.\n`,
    )
  })

  it('tells it all as JSON lines', () => {
    const made = project({ tasks: 'planned', script: [answers()] })
    expect(facts(made.ralph(['build', GOAL, '--json', '--once']).stdout).slice(0, 5)).toMatchObject([
      { type: 'baselineStarted', seq: 1, on: 'HEAD' },
      { type: 'baselineDone', seq: 2, red: [] },
      { type: 'planning', seq: 3, attempt: 1 },
      { type: 'planned', seq: 4, taskCount: 2, tasks: [{ id: 'two' }, { id: 'three', dependsOn: ['two'] }] },
      { type: 'buildStarted', seq: 5, taskCount: 2 },
    ])
  })

  it('a second goal in the same repository gets ids of its own, and builds what is open as well', () => {
    const made = project({ tasks: 'planned', script: [answers()] })
    made.ralph(['build', GOAL])
    const { sessionId: first } = made.json('status') as { sessionId: string }
    made.ok('create', 'four', 'Add four')
    made.play(
      answers({ tasks: [wire({ id: 'two' }), wire({ id: 'five', depends_on: ['two', 'three'] })] }),
      ...['two-2', 'four', 'five'].map((task) => ({ task, steps: work(task.replace('-2', '')) })),
    )
    const { code, stdout, stderr } = made.ralph(['build', 'And five'])
    expect([code, ...stderr.split('\n').slice(0, 2)]).toEqual([
      0,
      "Note: one task that is open already is built as well: four; 'ralph task delete four' leaves it out.",
      `Note: build ${first} is complete but not shipped, and a new build starts from HEAD, without its work; 'ralph ship ${first}' takes it over.`,
    ])
    expect(story(stdout)).toContain('build started: 3 tasks')
    expect(stdout).toContain('five   api  Add five  (after two-2, three)\n')
    expect(made.json('status')['completedTasks']).toEqual(['four', 'two-2', 'five'])
  })

  it('that was planned before is not planned again', () => {
    const made = project({ tasks: 'planned', script: [answers()] })
    made.ralph(['plan', GOAL])
    made.play(...WORKERS)
    const { code, stdout, stderr } = made.ralph(['build', GOAL])
    expect([code, stderr.split('\n')[0]]).toEqual([
      0,
      `Note: the goal "${GOAL}" was planned before, so its tasks are built as they are; 'ralph plan' plans it anew.`,
    ])
    expect(story(stdout)[0]).toBe('build started: 2 tasks')
  })

  it('says what would be planned, by whom, and asks nobody', () => {
    const made = project({ tasks: 'planned' })
    const { code, stdout } = made.ralph(['build', GOAL, '--dry-run'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      new RegExp(
        `^Build {7}would start a new build, over the goal "${GOAL}"\nPlanner {5}scripted: .*\n {12}ready\n {12}prompt valid: .*\n`,
      ),
    )
    expect(stdout).toContain('Next        the plan; it is not asked for now\n')
    expect(existsSync(`${made.folder}/.git/ralph`)).toBe(false)
  })

  it('works where nothing is committed yet', () => {
    const made = project({ tasks: 'planned' })
    made.git('update-ref', '-d', 'HEAD')
    made.git('rm', '-rq', '--cached', '.')
    made.git('clean', '-fdq', '-e', 'ralph.toml')
    const setup = { path: 'package.json', content: '{"type":"module"}\n' }
    const keep = { run: `mv prompt.txt '${made.root}/prompt.txt'` }
    const first = { answer: { tasks: [wire({ id: 'two' })] } }
    made.play(planner({ savePrompt: 'prompt.txt' }, keep, first), {
      role: 'implementer',
      task: 'two',
      steps: [{ write: setup }, ...work('two')],
    })
    const { code, stdout, stderr } = made.ralph(['build', 'A number'])
    expect([code, story(stdout)[1]]).toEqual([0, 'planned: 1 task'])
    expect(made.read('../prompt.txt')).toContain(
      'It is empty: nothing is committed yet. The first task is of type `setup`',
    )
    expect(stderr).toContain('Note: nothing is committed yet, so the build branch starts with an empty commit.\n')
  })
})

describe('ralph build SPEC.md', () => {
  it('keeps the text it started with, and goes on without being told again', () => {
    const made = project({ tasks: 'planned', script: [planner({ fail: { kind: 'auth', sentence: 'not logged in' } })] })
    made.write('SPEC.md', '# Numbers\n\nTwo and three.\n')
    const first = made.ralph(['build', 'SPEC.md'])
    expect([first.code, story(first.stdout)]).toEqual([
      1,
      ['planning', 'planning failed: not logged in', 'build failed'],
    ])
    expect(first.stdout).toContain('The build failed: not logged in\n')
    made.write('SPEC.md', '# Numbers\n\nFour.\n')
    made.play(answers(), ...WORKERS)
    const { code, stdout, stderr } = made.ralph(['build', 'SPEC.md'])
    expect([code, story(stdout).slice(0, 3)]).toEqual([
      0,
      ['planning, attempt 2', 'planned: 2 tasks', 'build started: 2 tasks'],
    ])
    expect(stderr).toContain('Note: SPEC.md has changed since: the build keeps the text it started with; ')
    expect(JSON.parse(made.ralph(['task', 'show', 'two', '--json']).stdout)).toMatchObject({ spec: 'SPEC.md' })
    // The new text is another plan.
    expect(made.ralph(['build', 'SPEC.md', '--dry-run']).stdout).toContain('\nPlanner     scripted: ')
  })

  it.each([
    ['fix_plan.md', '- [ ] two\n- [x] one\n', 'a checklist: one task is new, 0 changed'],
    ['prd.json', '{"userStories":[{"id":"two","title":"Two"}]}', 'a list of user stories as JSON: one task is new'],
  ])('%s needs no planner', (name, text, sentence) => {
    const made = project({ tasks: 'planned' })
    made.write(name, text)
    const { code, stdout, stderr } = made.ralph(['build', name])
    expect([code, story(stdout)[0]]).toEqual([0, 'build started: 1 task'])
    expect(stderr).toContain(`Note: ${name} is ${sentence}`)
    expect(made.json('status')).toMatchObject({ plan: name, completedTasks: ['two'] })
  })
})

describe('while it is planned', () => {
  const slow = planner({ say: 'thinking' }, { sleep: 20_000 }, { answer: PLAN })

  it('is in phase planning, refuses another goal and a second driver, and is killed and gone on with', async () => {
    const made = project({ tasks: 'planned', script: [slow] })
    const running = made.start(['build', GOAL])
    await running.saw('planning')
    expect(made.json('status')).toMatchObject({
      status: 'active',
      phase: 'planning',
      planning: { attempt: 1, isHeld: true },
      tasks: [],
    })
    expect(made.ralph(['step'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Error: a loop works on the plan of build 'b_\w+'; .*\[RALPH_BUILD_DRIVEN\]\n$/),
    })
    running.child.kill('SIGKILL')
    await running.ended
    expect(made.json('status')).toMatchObject({ phase: 'planning', planning: { attempt: 1, isHeld: false } })
    expect(made.ralph(['build', 'Something else'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`over the goal "${GOAL}" is not finished; go on with 'ralph build', or end it`),
    })
    made.play(answers(), ...WORKERS)
    const { code, stdout } = made.ralph(['build'])
    expect([code, story(stdout).slice(0, 3)]).toEqual([
      0,
      ['planning interrupted: the loop that planned was killed', 'planning, attempt 2', 'planned: 2 tasks'],
    ])
  })

  it('is one step', () => {
    const made = project({ tasks: 'planned', script: [planner({ fail: { kind: 'auth', sentence: 'not logged in' } })] })
    made.ralph(['build', GOAL])
    made.ralph(['resume'])
    expect(made.ralph(['step'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/planning, attempt 2\n.*failed: not logged in\nBuild b_\w+: planning\n/),
    })
    made.play(answers(), ...WORKERS)
    expect(made.ralph(['step'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Build b_\w+: implementing, task two \(1\/2\): Add two\n$/),
    })
  })

  it('is interrupted by Ctrl+C, and aborted from another terminal', async () => {
    const made = project({ tasks: 'planned', script: [slow] })
    const first = made.start(['build', GOAL])
    await first.saw('planning')
    first.child.kill('SIGINT')
    const stopped = await first.ended
    expect([stopped.code, story(stopped.stdout)]).toEqual([
      130,
      ['planning', expect.stringMatching(/^planning interrupted: /)],
    ])
    const second = made.start(['build'])
    await second.saw('planning, attempt 2')
    made.ralph(['abort'])
    const aborted = await second.ended
    expect([aborted.code, made.json('status')['phase']]).toEqual([1, 'aborted'])
    expect(made.json('task', 'list')).toEqual([])
  })

  it('is paused at the end of the planning', async () => {
    const made = project({
      tasks: 'planned',
      script: [planner({ say: 'thinking' }, { sleep: 4_000 }, { answer: PLAN })],
    })
    const running = made.start(['build', GOAL])
    await running.saw('planning')
    made.ralph(['pause'])
    const { code, stdout } = await running.ended
    expect([code, story(stdout).slice(-3)]).toEqual([
      0,
      [expect.stringMatching(/^build paused by /), 'planned: 2 tasks', 'build started: 2 tasks'],
    ])
    expect(made.ralph(['build']).code).toBe(0)
  })

  it('two at once plan once, and share the work', async () => {
    const made = project({ tasks: 'planned', script: [planner({ sleep: 2_000 }, { answer: PLAN })] })
    const first = made.start(['build', GOAL])
    await first.saw('planning')
    const second = made.start(['build'])
    const ends = await Promise.all([first.ended, second.ended])
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
    const told = made.ralph(['log', '--json']).stdout
    expect(facts(told).filter(({ type }) => type === 'planning' || type === 'planned')).toHaveLength(2)
  })
})
