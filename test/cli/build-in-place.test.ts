import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { does, session } from '../rig/claim-sessions.ts'
import { project, type Project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'
import { steady } from '../rig/story.ts'

const two = { role: 'implementer', task: 'two', steps: work('two') }
const three = { role: 'implementer', task: 'three', steps: work('three') }
const wrong = { role: 'implementer', task: 'wrong', steps: work('wrong', 4, 3) }

/** With an ignored file of the user's. */
function made(...sessions: readonly object[]): Project {
  const one = project({ script: sessions })
  one.write('.gitignore', '.env\n')
  one.git('add', '--all')
  one.git('commit', '--quiet', '-m', 'ignore')
  one.write('.env', 'SECRET=1\n')
  return one
}

const branch = (one: Project): string => one.git('symbolic-ref', '--short', 'HEAD').trim()
const state = (one: Project) => ({
  branch: branch(one),
  status: one.git('status', '--porcelain'),
  env: one.read('.env'),
})

describe('ralph build --in-place', () => {
  it('works in the checkout, says so and how to come back, and leaves it clean on the branch', () => {
    const one = made(two, three)
    const { code, stdout, stderr } = one.ralph(['build', '--in-place'])
    const on = `ralph/${one.build()}`
    expect(code).toBe(0)
    expect(stderr).toContain(`Note: your checkout is on ${on} now, where the agent works; 'git switch main' brings`)
    expect(stdout).toContain(`Your checkout is on ${on}; 'git switch -' goes back to your branch`)
    expect(state(one)).toEqual({ branch: on, status: '', env: 'SECRET=1\n' })
    expect(one.git('log', '--format=%s').trim().split('\n')).toEqual([
      'feat: Add three',
      'feat: Add two',
      'ignore',
      'start',
    ])
    expect([one.read('two.js'), existsSync(`${one.folder}/.ralph`)]).toEqual(['export const two = () => 1\n', false])
    expect(one.json('status')).toMatchObject({ state: 'complete', where: 'in-place' })
    expect(steady(one.ralph(['status']).stdout)).toContain(
      'Branch ralph/BUILD in your checkout, plan: the open tasks\n',
    )
    one.git('switch', '--quiet', '-')
    expect(branch(one)).toBe('main')
  })

  it.each<[name: string, prepare: (one: Project) => unknown, args: string[], sentence: RegExp]>([
    ['an edited file', (one) => one.write('one.js', 'x'), [], /needs a clean checkout; not committed: one\.js;/],
    [
      'an untracked file',
      (one) => one.write('new.js', 'x'),
      [],
      /not committed: new\.js; commit, stash or ignore that first/,
    ],
    [
      'a detached HEAD',
      (one) => one.git('checkout', '--quiet', '--detach'),
      [],
      /HEAD is detached; 'git switch' to one/,
    ],
    ['several workers', () => {}, ['--workers', '2'], /one task is worked on at a time; leave --workers out/],
  ])('is refused for %s, in one sentence, and changes nothing', (_, prepare, args, sentence) => {
    const one = made(two)
    prepare(one)
    // Where HEAD is detached, tasks are those of no branch.
    if (one.task('show', 'two').code !== 0) one.ok('create', 'two', 'Add two')
    const before = [one.state(), one.git('status', '--porcelain', '--branch'), one.git('for-each-ref')]
    const { code, stdout, stderr } = one.ralph(['build', '--in-place', ...args])
    expect({ code, stdout, stderrLines: stderr.trim().split('\n').length }).toEqual({
      code: 1,
      stdout: '',
      stderrLines: 1,
    })
    expect(stderr).toMatch(sentence)
    expect([one.state(), one.git('status', '--porcelain', '--branch'), one.git('for-each-ref')]).toEqual(before)
  })

  it('is remembered by its build, and not taken on by another', () => {
    const one = made(two, three)
    expect(one.ralph(['build', '--in-place', '--once']).code).toBe(0)
    expect(one.ralph(['build', '--workers', '2'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('leave --workers out'),
    })
    expect([one.ralph(['build']).code, one.json('status')]).toMatchObject([0, { state: 'complete', where: 'in-place' }])

    const other = made(two, three)
    other.ralph(['build', '--once'])
    expect(other.ralph(['build', '--in-place'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Error: build 'b_\w+' was not started with --in-place; go on without it, or/),
    })
  })

  it('goes on from the branch it was started from, too', () => {
    const one = made(two, three)
    one.ralph(['build', '--in-place', '--once'])
    one.git('switch', '--quiet', 'main')
    expect(one.ralph(['build'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('your checkout is on ralph/'),
    })
    expect(state(one)).toMatchObject({ branch: `ralph/${one.build()}`, status: '' })
  })

  it('one loop at a time', async () => {
    const one = made({ ...two, steps: [{ sleep: 3000 }, ...work('two')] })
    const run = one.start(['build', '--in-place'])
    await run.saw('two: iteration 1.1')
    expect(one.ralph(['build'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("a loop works on task 'two'"),
    })
    expect((await run.ended).code).toBe(0)
  })

  it('a user who switches away is told, and nothing of theirs is taken', async () => {
    const one = made({ ...two, steps: [{ sleep: 2000 }, ...work('two')] })
    const run = one.start(['build', '--in-place'])
    await run.saw('two: iteration 1.1')
    one.git('switch', '--quiet', 'main')
    const { code, stdout } = await run.ended
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/and that is on main now; 'git switch ralph\/b_\w+' there/),
    ])
    expect(branch(one)).toBe('main')
    one.git('stash', '--quiet', '--include-untracked')
    one.play(two)
    expect([one.ralph(['build']).code, state(one).status]).toEqual([0, ''])
  })
})

describe('a task that waits, in place', () => {
  it('is mended in the checkout', () => {
    const one = made(wrong, SIA_GIVES_UP)
    expect(one.ralph(['build', '--in-place']).code).toBe(3)
    expect(one.ralph(['open']).stdout).toBe(`${one.folder}\n`)
    expect(one.ralph(['diff']).stdout).toContain('+export const wrong = () => 4\n')
    one.write('wrong.js', 'export const wrong = () => 3\n')
    expect(one.ralph(['resolve', '-m', 'counted again'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('wrong: verified and merged as '),
    })
    expect(state(one)).toEqual({ branch: `ralph/${one.build()}`, status: '', env: 'SECRET=1\n' })
    expect(one.git('log', '-1', '--format=%s')).toBe('fix: Manual resolution for Add wrong\n')
  })

  it('makes room for the others; open brings it back', () => {
    const one = made(wrong, three, SIA_GIVES_UP)
    expect(one.ralph(['build', '--in-place']).code).toBe(3)
    expect(one.json('status')).toMatchObject({ completedTasks: ['three'] })
    expect([state(one).status, existsSync(`${one.folder}/wrong.js`)]).toEqual(['', false])
    expect(one.ralph(['resolve', '-m', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'ralph open wrong' brings its work back"),
    })
    expect(one.ralph(['open']).stdout).toBe(`${one.folder}\n`)
    expect(state(one).status).toBe('?? wrong.js\n?? wrong.test.js\n')
    one.write('wrong.js', 'export const wrong = () => 3\n')
    expect(one.ralph(['resolve', '-m', 'counted']).code).toBe(0)
    expect([state(one).status, one.json('status')]).toMatchObject(['', { state: 'complete' }])
  })

  it('is taken out of the checkout when it is skipped, and kept', () => {
    const one = made(wrong, SIA_GIVES_UP)
    one.ralph(['build', '--in-place'])
    one.ralph(['skip'])
    one.ok('create', 'two', 'Add two')
    one.play(two)
    expect({
      code: one.ralph(['build']).code,
      status: state(one).status,
      hasWrong: existsSync(`${one.folder}/wrong.js`),
    }).toEqual({ code: 0, status: '', hasWrong: false })
    expect((JSON.parse(one.ralph(['recover', '--json']).stdout) as object[]).length).toBeGreaterThan(2)
  })
})

describe('in place', () => {
  it('the scratchpad has a file of the loop\u2019s own, which no git sees', () => {
    const pad = { done: 'half', testStatus: 'none', nextStep: 'the rest', blockers: 'none' }
    const one = made({
      ...two,
      iteration: 1,
      steps: [{ savePrompt: 'prompt.txt' }, { scratchpad: pad }, { signal: { kind: 'ITERATION_DONE' } }],
    })
    one.ralph(['build', '--in-place', '--once'])
    expect(one.read('prompt.txt')).toMatch(
      /write the file `\.ralph\/scratchpads\/[0-9a-f]{4}\.md` in the current folder/,
    )
    one.play({ ...two, iteration: 2, steps: [{ savePrompt: 'prompt.txt' }, ...work('two')] })
    expect(one.ralph(['build']).code).toBe(0)
    expect(one.read('prompt.txt')).toContain('## Next step\nthe rest\n')
    expect(one.git('show', '--stat', '--format=').includes('scratchpad')).toBe(false)
    expect(state(one).status).toBe('')
  })

  it('the progress file is written and never part of a patch', () => {
    const one = made({ role: 'implementer', steps: work('two') })
    one.write('PROGRESS.md', '# Progress: Numbers\n\n## Tasks\n\n- [ ] T2: Add two\n')
    expect(one.ralph(['build', '--in-place', 'PROGRESS.md']).code).toBe(0)
    expect(one.read('PROGRESS.md')).toContain('- [x] T2: Add two')
    expect(one.git('show', '--name-only', '--format=')).toBe('two.js\ntwo.test.js\n')
    expect(state(one).status).toBe('?? PROGRESS.md\n')
  })

  it('a merged patch is taken back in the checkout, too', () => {
    const one = made(two)
    one.ralph(['build', '--in-place'])
    expect(one.ralph(['revert']).code).toBe(0)
    expect({
      lastSubject: one.git('log', '-1', '--format=%s'),
      status: state(one).status,
      hasTwo: existsSync(`${one.folder}/two.js`),
    }).toEqual({ lastSubject: 'revert: Add two\n', status: '', hasTwo: false })
  })

  it('an agent may choose its task, in the checkout', () => {
    const red = session(1, ...does('two', 2, 3))
    const one = project({
      tasks: { two: [], three: [] },
      script: [red, session(2, ...does('two', 3)), session(null, ...does('three'))],
    })
    expect(one.ralph(['build', '--in-place', '--claim', 'agent']).code).toBe(0)
    expect(one.git('log', '--format=%s')).toBe('feat: Add three\nfeat: Add two\nstart\n')
    expect(one.git('status', '--porcelain')).toBe('')
  })

  it('is shipped from either branch', () => {
    const one = made(two)
    one.ralph(['build', '--in-place'])
    expect(one.ralph(['ship'])).toMatchObject({ code: 0 })
    expect([one.git('log', '-1', '--format=%s', 'main'), state(one).status]).toEqual(['feat: Add two\n', ''])

    const other = made(two)
    other.ralph(['build', '--in-place'])
    other.git('switch', '--quiet', 'main')
    other.git('commit', '--quiet', '--allow-empty', '-m', 'meanwhile')
    expect(other.ralph(['ship'])).toMatchObject({ code: 0 })
    expect({ branch: branch(other), two: other.read('two.js'), status: state(other).status }).toEqual({
      branch: 'main',
      two: 'export const two = () => 1\n',
      status: '',
    })
  })

  it('what an agent commits by itself becomes one verified commit', () => {
    const commit = { commit: { message: 'wip' } }
    const one = made({ ...two, steps: [...work('two').slice(0, -1), commit, { signal: { kind: 'TASK_COMPLETE' } }] })
    expect(one.ralph(['build', '--in-place']).code).toBe(0)
    expect(one.git('log', '--format=%s')).toBe('feat: Add two\nignore\nstart\n')
    expect(state(one).status).toBe('')
  })
})
