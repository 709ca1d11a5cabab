// `ralph build --claim agent`: when the loop starts a session, waits, and ends.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anySession, build, does, files, merged, run, session, standing } from '../rig/claim-sessions.ts'
import { project } from '../rig/project.ts'
import { steady, story } from '../rig/story.ts'

describe('a loop whose agent claims', () => {
  it('stops with a sentence after three sessions in a row that claim nothing', () => {
    const made = project({ tasks: { two: [] }, script: [session(null, { say: 'what now?' })] })
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
    const made = project({ tasks: { two: [] }, script: [session(null, ...does('two', 2))] })
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
    const made = project({ tasks: { two: [] }, script: [session(null, { say: 'nobody needs me' })] })
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
    // The note about the changed checkout comes at no fixed moment.
    const told = story(steady(end.stdout)).filter((line) => !line.startsWith('your checkout changed'))
    expect([end.code, told.slice(-5)]).toEqual([0, [...merged('two'), 'build complete']])
    expect(end.stdout).not.toContain('nobody needs me')
  })

  it('lets two workers claim at the same time', () => {
    const made = project({ tasks: { a: [], b: [], c: [], d: [] }, script: [anySession] })
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
    const made = project({ tasks: { two: [], three: [] }, script: [anySession] })
    const first = build(made, '-n', '1')
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('The iteration limit is reached')])
    expect(build(made, '--once').code).toBe(0)
    const note = /^Note: build \S+ is complete but not shipped, .+\n$/
    const { code, stdout, stderr } = build(made)
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringContaining('Nothing to do'),
      stderr: expect.stringMatching(note),
    })
  })

  it('rests in a pause, and goes on', async () => {
    const made = project({
      tasks: { two: [] },
      script: [
        session(1, run('ralph task claim two'), { sleep: 300 }, ...files('two', 2), run('ralph task done two')),
        session(null, ...does('two', 2)),
      ],
    })
    const going = made.start(['build', '--claim', 'agent'])
    await going.saw('iteration 1.1')
    made.ralph(['pause'])
    const end = await going.ended
    expect([end.code, standing(made, 'two').status]).toEqual([0, 'open'])
    expect(build(made).code).toBe(0)
    expect(standing(made, 'two').status).toBe('done')
  })

  it('waits a limit out that a session met before it claimed, and stops where only a person can help', () => {
    const limit = { fail: { kind: 'rateLimit', sentence: 'too much', untilInSeconds: 1 } }
    const made = project({ tasks: { two: [] }, script: [session(1, limit), session(2, ...does('two', 2))] })
    expect([build(made).code, standing(made, 'two')]).toEqual([
      0,
      { status: 'done', assignee: null, retry_count: 0, fail_reason: null },
    ])
    const login = { fail: { kind: 'auth', sentence: 'log in first' } }
    const other = project({ tasks: { two: [] }, script: [session(null, login)] })
    const end = build(other)
    expect([end.code, end.stdout]).toEqual([1, expect.stringContaining('The build failed: log in first')])
  })

  it('stops the session of a task that a person takes away', async () => {
    const made = project({
      tasks: { two: [] },
      script: [session(null, run('ralph task claim two'), { sleep: 60_000 })],
    })
    const going = made.start(['build', '--claim', 'agent'])
    await going.saw('iteration 1.1')
    made.ralph(['skip', 'two'])
    const end = await going.ended
    expect([end.code, story(end.stdout).slice(-2)]).toEqual([
      0,
      [expect.stringMatching(/^two: skipped by /), 'build complete'],
    ])
    // Its folder is for the next one.
    const folders = readdirSync(join(made.root, 'home/.cache/ralph'), { recursive: true }).map(String)
    expect(folders.filter((name) => /workspaces\/\d+\.\w+\..*json$/.test(name))).toEqual([
      expect.stringMatching(/workspaces\/1\.free\.json$/),
    ])
  })

  it('keeps a progress file', () => {
    const made = project({
      script: [session(null, run('ralph task claim two'), ...files('two', 2), run('ralph task done two'))],
    })
    made.write('PLAN.md', '# Progress: Numbers\n\n## Tasks\n\n- [ ] Add two {#two}\n')
    expect(made.ralph(['build', 'PLAN.md', '--claim', 'agent']).code).toBe(0)
    expect(made.read('PLAN.md')).toContain('- [x] Add two {#two}')
  })

  it('refuses another word', () => {
    expect(project({ tasks: { two: [] } }).ralph(['build', '--claim', 'me'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--claim must be 'engine' or 'agent'"),
    })
  })
})
