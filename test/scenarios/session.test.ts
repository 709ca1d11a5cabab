// The tools of a session in a whole build: the agent is scripted, everything else is real.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Fact } from '../../src/core/fact/fact.ts'
import { type BuildId, taskId } from '../../src/core/values/id.ts'
import { parseScratchpad } from '../../src/core/session/scratchpad.ts'
import type { Task } from '../../src/core/task/task.ts'
import { timeless } from '../rig/scratch.ts'
import { engineProject, type EngineProjectOptions, type EngineProject } from '../rig/engine-project.ts'

const feature = (name: string): object[] => [
  { write: { path: `${name}.js`, content: `export const ${name} = () => '${name}'\n` } },
  {
    write: {
      path: `${name}.test.js`,
      content: `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { ${name} } from './${name}.js'\ntest('${name}', () => assert.equal(${name}(), '${name}'))\n`,
    },
  },
]
const tasks: EngineProjectOptions['tasks'] = [
  { id: 'a', title: 'Make a' },
  { id: 'b', title: 'Make b', deps: ['a'] },
]
const said = { answerText: 'I have said it.' }
const session = (task: string, ...steps: object[]): object => ({ role: 'implementer', task, steps })

function notebook(): { readonly path: string; readonly text: () => string } {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-notebook-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'notes')
  return { path, text: () => readFileSync(path, 'utf8') }
}

async function built(story: EngineProjectOptions): Promise<EngineProject & { readonly reason: string }> {
  const engine = await engineProject(story)
  const { reason } = await engine.run(await engine.start())
  return { ...engine, reason }
}

const row = ({ context }: EngineProject, id: string): Promise<Task | null> =>
  context.store.tasks.find(context.scope, taskId(id))

const signals = (facts: readonly Fact[]) =>
  facts.flatMap((fact) => (fact.type === 'iterationDone' ? [`${fact.taskId} ${fact.signal?.kind ?? 'none'}`] : []))

describe('a session', () => {
  it('finishes its task by ralph task done, which the engine proves', async () => {
    const notes = notebook()
    const engine = await built({
      tasks,
      script: [
        session('a', ...feature('a'), { run: `ralph task done a --result '{"commit":"x"}' > ${notes.path}` }, said),
        session('b', ...feature('b'), { run: 'ralph task done b' }, said),
      ],
    })
    expect([engine.reason, signals(engine.facts)]).toEqual(['AllTasksComplete', ['a TASK_COMPLETE', 'b TASK_COMPLETE']])
    expect(notes.text()).toBe('done a\n')
    expect(await row(engine, 'a')).toMatchObject({
      status: 'done',
      result: { commit: engine.git('rev-parse', 'ralph/b_test1~1'), proof: { by: 'evidence' } },
    })
  })

  it('is not believed: what is red stays undone and frees nobody', async () => {
    const engine = await built({
      tasks,
      toml: '[checks]\nunit = "npm test"\n[limits]\nattempts = 1\ninterventions = 0\n',
      script: [
        session(
          'a',
          { write: { path: 'sum.js', content: 'export const sum = () => 0\n' } },
          { run: 'ralph task done a' },
        ),
      ],
    })
    expect([engine.reason, signals(engine.facts)]).toEqual(['HumanNeeded', ['a TASK_COMPLETE']])
    expect([(await row(engine, 'a'))?.status, (await row(engine, 'b'))?.status]).toEqual(['waiting', 'open'])
  })

  it('says by ralph task fail that it is stuck', async () => {
    const notes = notebook()
    const engine = await built({
      tasks,
      toml: '[checks]\nunit = "npm test"\n[limits]\ninterventions = 0\n',
      script: [session('a', { run: `ralph task fail a --reason 'no such API' > ${notes.path}` }, said)],
    })
    expect([engine.reason, notes.text()]).toEqual(['HumanNeeded', 'failed a\n'])
    expect(await row(engine, 'a')).toMatchObject({ status: 'waiting', failReason: 'no such API' })
  })

  it('reads the same as anybody does, byte for byte', async () => {
    const notes = notebook()
    const reading = ['peek', 'peek -n 1', 'list', 'list --all --json', 'list --markdown', 'list --assignee aaaa']
    const words = [...reading, 'show b --with-deps', 'show a --json', 'deps b', 'plan-status', 'show nowhere', 'deps x']
    const compared = words.map((word) =>
      [
        `( ralph task ${word}; echo $? ) > ${notes.path}.in 2>&1`,
        `( cd "$(cat ${notes.path}.project)" && env -u RALPH_SOCKET ralph task ${word}; echo $? ) > ${notes.path}.out 2>&1`,
        `cmp ${notes.path}.in ${notes.path}.out && cat ${notes.path}.in >> ${notes.path}`,
        `echo '${word}' >> ${notes.path}`,
      ].join('\n'),
    )
    const engine = await engineProject({
      tasks,
      script: [session('a', { run: compared.join('\n') }, { signal: { kind: 'TASK_STUCK' } })],
      toml: '[checks]\nunit = "npm test"\n[limits]\ninterventions = 0\n',
    })
    writeFileSync(`${notes.path}.project`, engine.folder)
    await engine.run(await engine.start())
    const answers = notes.text().split('\n')
    expect(words.filter((word) => /^\d$/.test(answers[answers.indexOf(word) - 1] ?? ''))).toEqual(words)
    expect(answers).toContain('0 open, 1 active, 0 done, 1 blocked, 0 deleted')
  })

  it('can do no more than its task: not to others, and not to the plan', async () => {
    const notes = notebook()
    const words = [
      'done b',
      'fail b',
      'renew b',
      'claim b',
      'update a --title X',
      'update a --status done',
      'delete b',
      'delete --all --confirm',
      'block a --by b',
      'unblock b --by a',
      'plan-sync',
      'agent list',
      'agent register',
    ]
    const engine = await built({
      tasks,
      script: [
        session('a', ...feature('a'), {
          run: words
            .map((word) => `ralph task ${word} >> ${notes.path} 2>&1 </dev/null; echo $? >> ${notes.path}`)
            .join('\n'),
        }),
        session('b', ...feature('b'), { run: 'ralph task done b' }),
        { role: 'implementer', task: 'a', iteration: 2, steps: [{ signal: { kind: 'TASK_COMPLETE' } }] },
      ],
    })
    const only = "Error: this session works on 'a' only\n1\n"
    const plan =
      "Error: the plan is not a session's to change; inside an iteration there are peek, list, show, deps, plan-status, claim, renew, done, fail and create\n1\n"
    expect(notes.text()).toBe(`${only.repeat(3)}Error: Task not eligible\n2\n${plan.repeat(9)}`)
    expect(engine.reason).toBe('AllTasksComplete')
    expect(
      (await engine.context.store.tasks.list(engine.context.scope, {})).map(({ id, status }) => [id, status]),
    ).toEqual([
      ['a', 'done'],
      ['b', 'done'],
    ])
  })

  it('adds a task, which the build then does', async () => {
    const engine = await built({
      tasks: tasks.slice(0, 1),
      script: [
        session('a', ...feature('a'), { run: "ralph task create c 'Make c' -p 0 --deps a && ralph task done a" }),
        session('c', ...feature('c'), { signal: { kind: 'TASK_COMPLETE' } }),
      ],
    })
    expect(engine.reason).toBe('AllTasksComplete')
    expect(await row(engine, 'c')).toMatchObject({
      status: 'done',
      description: "Made by the agent of task 'a' (attempt 1, iteration 1).",
    })
  })

  it('has its tools over MCP, bound to it by an argument', async () => {
    const notes = notebook()
    const text = { done: 'made a', testStatus: '2 passed', nextStep: 'nothing', blockers: 'none' }
    const calls = [
      ['build_status', {}],
      ['task_peek', {}],
      ['task_claim', {}],
      ['task_claim', { id: 'b' }],
      ['task_done', { id: 'b' }],
      ['task_create', { id: 'c', title: 'Make c' }],
      ['write_scratchpad', text],
      ['report_iteration', { signal: 'TASK_STUCK', reason: 'wait' }],
      ['report_iteration', { signal: 'ITERATION_DONE' }],
      ['task_done', { id: 'a' }],
    ]
    writeFileSync(`${notes.path}.json`, JSON.stringify(calls))
    const caller = join(import.meta.dirname, '../mcp/caller-program.ts')
    const engine = await built({
      tasks,
      script: [
        session(
          'a',
          ...feature('a'),
          { run: `${process.execPath} ${caller} "$RALPH_SOCKET" ${notes.path}.json > ${notes.path} 2>&1` },
          {
            run: `cp .ralph-scratchpad.md ${notes.path}.md; git clean -fdxq; git status --short > ${notes.path}.status`,
          },
          ...feature('a'),
        ),
        session('b', ...feature('b'), { signal: { kind: 'TASK_COMPLETE' } }),
        session('c', ...feature('c'), { signal: { kind: 'TASK_COMPLETE' } }),
      ],
    })
    const card = (lines: string): string =>
      `## Task a\nid: a\ntitle: Make a\npriority: 2\nstatus: active\nassignee: aaaa\nlease_expires_at: TIME\n${lines}`
    expect(timeless(notes.text())).toBe(
      [
        'Build b_test1: running.\nTasks: 0 open, 1 active, 0 done, 1 blocked, 0 deleted.',
        'You: task a, attempt 1, iteration 1 of at most 10.',
        card('retry_count: 0\n'),
        card('retry_count: 0\n'),
        'ERROR: Task not eligible',
        "ERROR: this session works on 'a' only",
        'created c',
        'The scratchpad is written.',
        'Reported TASK_STUCK. End your session now.',
        'Reported ITERATION_DONE. End your session now.',
        'done a\nIt counts once the engine has verified it.',
        'ended with 0\n',
      ].join('\n'),
    )
    expect([engine.reason, signals(engine.facts)[0]]).toEqual(['AllTasksComplete', 'a TASK_COMPLETE'])
    const file = readFileSync(`${notes.path}.md`, 'utf8')
    expect(parseScratchpad(file)).toEqual({ iteration: 1, ...text })
    // The agent has cleaned its folder since; its note is kept.
    const kept = await engine.context.store.builds.attachments('b_test1' as BuildId, 'iteration', taskId('a'))
    expect(kept.map(({ scratchpad }) => scratchpad)).toEqual([file])
    expect(engine.git('ls-tree', '-r', '--name-only', 'ralph/b_test1')).not.toContain('scratchpad')
  })

  it('leaves nothing: its socket is gone with it', async () => {
    const notes = notebook()
    const engine = await built({
      tasks: tasks.slice(0, 1),
      script: [
        session(
          'a',
          ...feature('a'),
          { run: `echo "$RALPH_SOCKET" > ${notes.path}; which ralph >> ${notes.path}` },
          {
            signal: { kind: 'TASK_COMPLETE' },
          },
        ),
      ],
    })
    const [socket = '', command = ''] = notes.text().split('\n')
    expect([dirname(socket), existsSync(socket)]).toEqual([dirname(dirname(command)), false])
    expect(engine.reason).toBe('AllTasksComplete')
  })
})
