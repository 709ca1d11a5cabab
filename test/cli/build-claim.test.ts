// `ralph build --claim agent`: the session chooses its task, through the real program and a real socket.
import { describe, expect, it } from 'vitest'
import { build, does, EXITED, files, merged, printed, run, session, standing } from '../rig/claim-sessions.ts'
import { project } from '../rig/project.ts'
import { SIA_GIVES_UP } from '../rig/sessions.ts'
import { steady, story } from '../rig/story.ts'

describe('a session that claims', () => {
  it('is shown the tasks, gets the one it names with its brief, and its claim is proved', () => {
    const made = project({
      tasks: { two: [], three: [], four: ['two'] },
      script: [
        session(1, { savePrompt: 'prompt' }, run('cat prompt', 'rm prompt'), ...does('three', 3)),
        session(2, ...does('two', 2)),
        session(3, run('ralph task claim'), ...files('four', 4), { signal: { kind: 'TASK_COMPLETE' } }),
      ],
    })
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
      [
        'Build BUILD: scripted works, checks: unit.',
        'This run: each session chooses its task (--claim agent).',
        "Claims: 3 tasks claim new behaviour, which a test must show; 'ralph task update ID --type TYPE' changes what one claims.",
        '',
      ].join('\n'),
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
    const made = project({
      tasks: { two: [], other: [] },
      script: [session(1, ...asks, ...files('two', 2)), session(null, ...does('other'))],
    })
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
    const made = project({
      tasks: { two: [] },
      script: [
        session(1, ...does('two', 4, 2)),
        session(
          2,
          run('ralph task list --json', 'ralph task claim', 'cat two.js'),
          ...files('two', 2),
          run('ralph task done two'),
        ),
      ],
    })
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
    const made = project({
      tasks: { two: [], after: ['two'] },
      script: [session(1, run('ralph task claim two', "ralph task fail two --reason 'no network'")), SIA_GIVES_UP],
    })
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
    const made = project({
      tasks: { two: [] },
      script: [
        session(1, run('ralph task claim two'), half, ending),
        session(
          2,
          run('ralph task claim two >/dev/null', 'cat half.txt'),
          ...files('two', 2),
          run('ralph task done two'),
        ),
      ],
    })
    const first = build(made, '--once')
    expect([first.code, story(first.stdout).at(-1)]).toEqual([0, expect.stringContaining(told)])
    expect(standing(made, 'two')).toEqual({ status: 'open', assignee: null, retry_count: 1, fail_reason: EXITED })
    const second = build(made)
    expect([second.code, story(second.stdout).at(-1)]).toEqual([0, 'build complete'])
    expect(printed(made).at(-2)).toBe('half')
    expect(made.git('show', `ralph/${made.build()}:half.txt`)).toBe('half')
  })
})
