// `ralph build --claim agent`: the session chooses its task, through the real program and a real socket.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Project, project, SIA_GIVES_UP, steady, story, work } from './build-project.ts'

const EXITED = 'session exited without completing task'

/** The n-th session of a loop; without a number, any. */
const session = (iteration: number | null, ...steps: readonly object[]) => ({
  role: 'implementer',
  ...(iteration === null ? {} : { iteration }),
  steps,
})
const run = (...commands: readonly string[]) => ({ run: commands.join('; ') })
/** Without the signal at its end. */
const files = (name: string, is = 1, wants = is) => work(name, is, wants).slice(0, -1)
const does = (name: string, is = 1, wants = is) => [
  run(`ralph task claim ${name}`),
  ...files(name, is, wants),
  run(`ralph task done ${name}`),
]
const merged = (task: string) => [
  `${task}: verifying`,
  `${task}: green`,
  `${task}: review: approved`,
  `${task}: done, merged as COMMIT`,
]

/** Does whatever task it gets. */
const anySession = session(
  null,
  run('ralph task claim'),
  run(
    'id=$(ralph task list --status active --assignee "$RALPH_AGENT_ID" | sed -e 1d -e "s/ .*//")',
    'echo x > "$id.txt"',
    'ralph task done "$id"',
  ),
)

function planned(tasks: Readonly<Record<string, readonly string[]>>, ...sessions: readonly object[]): Project {
  const made = project(...sessions)
  for (const [id, deps] of Object.entries(tasks))
    made.ok('create', id, `Add ${id}`, ...(deps.length === 0 ? [] : ['--deps', deps.join(',')]))
  return made
}

const build = (made: Project, ...more: readonly string[]) => made.ralph(['build', '--claim', 'agent', ...more])
const standing = (made: Project, id: string) => {
  const { status, assignee, retry_count, fail_reason } = JSON.parse(made.ok('show', id, '--json')) as Record<
    string,
    unknown
  >
  return { status, assignee, retry_count, fail_reason }
}
/** What the tools of the agents printed, session by session. */
const printed = (made: Project) =>
  made
    .ralph(['log', '--transcript', '--json'])
    .stdout.split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ type }) => type === 'toolResult')
    .map(({ output }) => String(output))

describe('a session that claims', () => {
  it('is shown the tasks, gets the one it names with its brief, and its claim is proved', () => {
    const made = planned(
      { two: [], three: [], four: ['two'] },
      session(1, { savePrompt: 'prompt' }, run('cat prompt', 'rm prompt'), ...does('three', 3)),
      session(2, ...does('two', 2)),
      session(3, run('ralph task claim'), ...files('four', 4), { signal: { kind: 'TASK_COMPLETE' } }),
    )
    const end = build(made)
    expect(story(steady(end.stdout))).toEqual([
      'build started: 3 tasks',
      ...['three', 'two', 'four'].flatMap((task) => [
        `${task}: attempt 1: Add ${task}`,
        `${task}: iteration 1.1`,
        `${task}: says TASK_COMPLETE`,
        ...merged(task),
      ]),
      'build complete',
    ])
    expect([end.code, steady(end.stderr)]).toEqual([
      0,
      'Build BUILD: scripted works, checks: unit.\nThis run: each session chooses its task (--claim agent).\n',
    ])
    const [prompt = '', claim = ''] = printed(made)
    expect(prompt).toContain(
      `<snapshot>\n${['two', 'three'].map((id) => `## Task ${id}\nid: ${id}\ntitle: Add ${id}\npriority: 2\nstatus: open\n`).join('\n')}</snapshot>`,
    )
    expect(claim).toMatch(/^## Task three\nid: three\ntitle: Add three\npriority: 2\nstatus: active\nassignee: \w{4}\n/)
    expect(claim).toContain('# One iteration of a build')
    expect(claim).toContain('First iteration - no previous work')
    // The fourth one sees what its blocker left.
    expect(printed(made).at(-1)).toMatch(/blocker_results:\n- two: \{"commit":"/)
  })

  it('is bound to its task: one, no other, and reported once', () => {
    const asks = [
      'ralph task done two',
      'ralph task fail other',
      'ralph task claim two',
      'ralph task claim two | head -2',
      'ralph task claim other',
      'ralph task done other',
      'ralph task delete other',
      'ralph task done two',
      'ralph task fail two',
      'ralph task claim other',
    ].map((command) => run(`${command} > out 2>&1; echo "$?: $(head -2 out | tail -1)"; rm out`))
    const made = planned(
      { two: [], other: [] },
      session(1, ...asks, ...files('two', 2)),
      session(null, ...does('other')),
    )
    expect(build(made).code).toBe(0)
    expect(printed(made).slice(0, asks.length)).toEqual([
      "1: Error: task 'two' is not active (status: open)\n",
      "1: Error: task 'other' is not active (status: open)\n",
      '0: id: two\n',
      '0: id: two\n',
      "1: Error: this session works on 'two' only\n",
      "1: Error: this session works on 'two' only\n",
      expect.stringMatching(/^1: Error: .*session/),
      '0: done two\n',
      "1: Error: task 'two' is not active (status: done)\n",
      "1: Error: this session works on 'two' only\n",
    ])
  })

  it('that is red finds its task open again, with the reason in its brief and its files in the folder', () => {
    const made = planned(
      { two: [] },
      session(1, ...does('two', 4, 2)),
      session(
        2,
        run('ralph task list --json', 'ralph task claim', 'cat two.js'),
        ...files('two', 2),
        run('ralph task done two'),
      ),
    )
    const end = build(made)
    expect(end.code).toBe(0)
    expect(story(steady(end.stdout)).slice(3)).toEqual([
      'two: says TASK_COMPLETE',
      'two: verifying',
      'two: red: unit failed (exit 1): mend what it reports',
      'two: attempt 1 failed',
      'two: attempt 2: Add two',
      'two: iteration 2.1',
      'two: says TASK_COMPLETE',
      ...merged('two'),
      'build complete',
    ])
    const [, , second = ''] = printed(made)
    expect(second).toContain('"status":"open"')
    expect(second).toContain('"retry_count":1,"fail_reason":"unit failed (exit 1): mend what it reports')
    expect(second).toMatch(/<feedback>\n- unit failed/)
    expect(second).toContain('export const two = () => 4')
  })

  it('that fails its task calls SIA, and leaves it to a human: done, exit code 0, and what is blocked is named', () => {
    const made = planned(
      { two: [], after: ['two'] },
      session(1, run('ralph task claim two', "ralph task fail two --reason 'no network'")),
      SIA_GIVES_UP,
    )
    const end = build(made)
    expect(story(end.stdout).slice(3)).toEqual([
      'two: says TASK_STUCK: no network',
      'two: attempt 1 failed',
      'two: SIA is asked for help (intervention 1)',
      'two: a human is needed: I cannot count',
    ])
    expect(end.code).toBe(0)
    expect(end.stderr).toContain('Blocked: two waits for you: I cannot count\nBlocked: after waits for two.\n')
    expect(end.stdout).toContain(
      "No task is left that an agent could claim: two waits for you; answer, then 'ralph build'",
    )
    expect(end.stdout).toContain("ralph answer two -m 'what to know'")
    expect(made.json('status')['state']).toBe('running')
  })

  it.each<[string, object, string]>([
    ['ends', { say: 'enough' }, 'said nothing about where it stands'],
    ['says so', { signal: { kind: 'ITERATION_DONE' } }, 'says ITERATION_DONE'],
    ['is killed', { crash: { signal: 'SIGKILL' } }, 'failed: '],
    ['is ended by its hook', run(`ralph task fail two --reason '${EXITED}'`), 'said nothing about where it stands'],
  ])('and %s half-way leaves no active task: the next one goes on with its files', (_, ending, told) => {
    const half = { write: { path: 'half.txt', content: 'half' } }
    const made = planned(
      { two: [] },
      session(1, run('ralph task claim two'), half, ending),
      session(
        2,
        run('ralph task claim two >/dev/null', 'cat half.txt'),
        ...files('two', 2),
        run('ralph task done two'),
      ),
    )
    const first = build(made, '--once')
    expect([first.code, story(first.stdout).at(-1)]).toEqual([0, expect.stringContaining(told)])
    expect(standing(made, 'two')).toEqual({ status: 'open', assignee: null, retry_count: 1, fail_reason: EXITED })
    const second = build(made)
    expect([second.code, story(second.stdout).at(-1)]).toEqual([0, 'build complete'])
    expect(printed(made).at(-2)).toBe('half')
    expect(made.git('show', `ralph/${made.build()}:half.txt`)).toBe('half')
  })
})

describe('a loop whose agent claims', () => {
  it('stops with a sentence after three sessions in a row that claim nothing', () => {
    const made = planned({ two: [] }, session(null, { say: 'what now?' }))
    const end = build(made)
    expect([end.code, story(end.stdout)]).toEqual([
      1,
      ['build started: 1 task', expect.stringContaining('build failed: 3 sessions')],
    ])
    expect(end.stdout).toContain('3 sessions in a row claimed no task although there were some')
    const [, path = ''] = /did is in (.+?\.jsonl)/.exec(made.json('status')['lastError'] as string) ?? []
    expect(readFileSync(path, 'utf8')).toContain('what now?')
    expect(standing(made, 'two')).toMatchObject({ status: 'open', retry_count: 0 })
  })

  it('starts no session while only others work, and goes on when that changes', async () => {
    const made = planned({ two: [] }, session(null, ...does('two', 2)))
    made.ok('claim', 'two', '--agent', 'somebody')
    const going = made.start(['build', '--claim', 'agent'])
    await going.saw('each session chooses')
    made.ok('create', 'unrelated', 'A change that frees nothing', '--deps', 'two')
    expect(readdirSync(join(made.folder, '.git/ralph')).includes('transcripts')).toBe(false)
    made.ok('delete', 'unrelated')
    made.ok('fail', 'two', '--agent', 'somebody', '--reason', 'lunch')
    const end = await going.ended
    expect([end.code, story(end.stdout).at(-1)]).toEqual([0, 'build complete'])
  })

  it('takes what an outside agent has done', async () => {
    const made = planned({ two: [] }, session(null, { say: 'nobody needs me' }))
    made.ok('claim', 'two', '--agent', 'somebody')
    const going = made.start(['build', '--claim', 'agent'])
    await going.saw('each session chooses')
    made.git('switch', '--quiet', '-c', 'mine')
    made.write('two.js', 'export const two = () => 2\n')
    made.write(
      'two.test.js',
      "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { two } from './two.js'\ntest('two', () => assert.equal(two(), 2))\n",
    )
    made.git('add', '--all')
    made.git('commit', '--quiet', '-m', 'by hand')
    const commit = made.git('rev-parse', 'HEAD').trim()
    made.git('switch', '--quiet', 'main')
    made.ok('done', 'two', '--agent', 'somebody', '--result', JSON.stringify({ commit }))
    const end = await going.ended
    expect([end.code, story(steady(end.stdout)).slice(-5)]).toEqual([0, [...merged('two'), 'build complete']])
    expect(end.stdout).not.toContain('nobody needs me')
  })

  it('lets two workers claim at the same time', () => {
    const made = planned({ a: [], b: [], c: [], d: [] }, anySession)
    const end = build(made, '--workers', '2')
    expect([end.code, end.stderr]).toEqual([0, expect.stringContaining('2 tasks at a time')])
    expect(
      made
        .git('ls-tree', '--name-only', `ralph/${made.build()}`)
        .split('\n')
        .filter((name) => /^[abcd]\.txt$/.test(name)),
    ).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt'])
    expect(made.git('rev-list', '--count', `main..ralph/${made.build()}`)).toBe('4\n')
  })

  it('obeys -n, and ends at once where there is nothing', () => {
    const made = planned({ two: [], three: [] }, anySession)
    const first = build(made, '-n', '1')
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('The iteration limit is reached')])
    expect(build(made, '--once').code).toBe(0)
    expect(build(made)).toEqual({ code: 0, stdout: expect.stringContaining('Nothing to do'), stderr: '' })
  })

  it('rests in a pause, and goes on', async () => {
    const made = planned(
      { two: [] },
      session(1, run('ralph task claim two'), { sleep: 300 }, ...files('two', 2), run('ralph task done two')),
      session(null, ...does('two', 2)),
    )
    const going = made.start(['build', '--claim', 'agent'])
    await going.saw('iteration 1.1')
    made.ralph(['pause'])
    const end = await going.ended
    expect([end.code, standing(made, 'two').status]).toEqual([0, 'open'])
    expect(build(made).code).toBe(0)
    expect(standing(made, 'two').status).toBe('done')
  })

  it('refuses another word', () => {
    expect(planned({ two: [] }).ralph(['build', '--claim', 'me'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--claim must be 'engine' or 'agent'"),
    })
  })
})
