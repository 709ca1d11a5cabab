// The ways out of a task that waits for a human, as the human walks them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { project, type Project } from '../rig/project.ts'
import { atTerminal, hasScript } from '../rig/program.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'
import { steady } from '../rig/story.ts'

const wrong = { role: 'implementer', task: 'wrong', steps: [{ savePrompt: 'prompt.txt' }, ...work('wrong', 4, 3)] }
const MENDED = 'export const wrong = () => 3\n'

/** A build whose only task waits. */
function waiting(...more: readonly object[]): Project {
  const made = project({ script: [wrong, ...more, SIA_GIVES_UP] })
  expect(made.ralph(['build']).code).toBe(3)
  return made
}

function folderOf(made: Project): string {
  return made.ralph(['open']).stdout.trim()
}

describe('ralph open and resolve', () => {
  it('a fix that is red is not taken; one that is green is verified and merged, and that was all', () => {
    const made = waiting()
    const red = made.ralph(['resolve', '-m', 'looks fine'])
    expect([red.code, red.stdout.split('\n').slice(0, 2)]).toEqual([
      4,
      [
        'wrong: not merged, your fix is not verified:',
        "  unit was red on this very tree before (test 'wrong' failed); running it again proves nothing: change the code or the test",
      ],
    ])
    expect(made.json('status')).toMatchObject({ state: 'running', tasks: [{ status: 'waiting' }] })

    writeFileSync(join(folderOf(made), 'wrong.js'), MENDED)
    const green = made.ralph(['resolve', 'wrong', '-m', 'three is 3'])
    expect({ code: green.code, stdout: steady(green.stdout), stderr: green.stderr }).toEqual({
      code: 0,
      stdout: 'wrong: verified and merged as COMMIT into ralph/BUILD\n',
      stderr: "Verifying …\nThe build is complete; 'ralph ship' takes it over.\n",
    })
    const branch = `ralph/${made.build()}`
    expect(made.git('log', '-1', '--format=%B', branch)).toMatch(
      /^fix: Manual resolution for Add wrong\n\nthree is 3\n\nTask ID: wrong\n/,
    )
    expect(made.git('show', `${branch}:wrong.js`)).toBe(MENDED)
    expect(made.json('status')).toMatchObject({
      state: 'complete',
      tasks: [{ merged: { verdict: 'green', testsRun: 2 } }],
    })
  })

  it('a fix may come from a folder of yours, or from a branch', () => {
    const made = waiting()
    const own = join(made.root, 'own')
    mkdirSync(own)
    for (const file of ['package.json', 'one.js', 'one.test.js', 'ralph.toml'])
      writeFileSync(join(own, file), made.read(file))
    writeFileSync(join(own, 'wrong.js'), MENDED)
    writeFileSync(join(own, 'wrong.test.js'), made.git('show', `${String(pinned(made)[0])}:wrong.test.js`))
    expect(made.ralph(['resolve', '-m', 'by hand', '--from', '../own'])).toMatchObject({ code: 0 })

    const other = waiting()
    other.git('checkout', '--quiet', '-b', 'mine')
    other.write('wrong.js', MENDED)
    other.write('wrong.test.js', "import { test } from 'node:test'\ntest('mine', () => {})\n")
    other.git('add', '--all')
    other.git('commit', '--quiet', '-m', 'mine')
    other.git('checkout', '--quiet', 'main')
    expect(other.json('resolve', '-m', 'on a branch', '--from', 'mine')).toMatchObject({
      resolved: true,
      verified: true,
    })
    expect(other.ralph(['resolve', '-m', 'x'])).toMatchObject({ code: 1 })
  })

  it('--unverified takes it on the word of a named person, and says so for ever', () => {
    const made = waiting()
    const { code, stdout } = made.ralph(['resolve', '-m', 'trust me', '--unverified', '--yes'])
    expect([code, steady(stdout)]).toEqual([0, 'wrong: merged on your word, unverified, as COMMIT into ralph/BUILD\n'])
    expect(made.json('status')).toMatchObject({
      tasks: [{ merged: { verdict: 'unverified', proof: { by: 'person', person: expect.stringContaining('@') } } }],
    })
    expect(made.git('log', '-1', '--format=%B', `ralph/${made.build()}`)).toContain('Ralph-Evidence: none')
    expect(made.ralph(['report']).stdout).toContain('| unverified, accepted by ')
  })

  it('--unverified is confirmed at a terminal or by --yes, else nothing is changed', () => {
    const made = waiting()
    const before = made.state()
    expect(made.ralph(['resolve', '-m', 'trust me', '--unverified'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Error: --unverified has to be confirmed, and nobody is at a terminal to be asked; add --yes to confirm it [RALPH_YES_NEEDED]\n',
    })
    expect(made.state()).toEqual(before)
  })

  it.runIf(hasScript)('--unverified asks the person at the terminal, and takes no for an answer', () => {
    const made = waiting()
    const before = made.state()
    const asked = (answer: string) => atTerminal(made, ['resolve', '-m', 'trust me', '--unverified'], answer)
    for (const answer of ['', 'n']) {
      const { code, stdout } = asked(answer)
      expect([code, stdout]).toEqual([1, expect.stringContaining('Merge this on your word, without evidence? [y/N] ')])
      expect(stdout).toContain('not confirmed; nothing was changed [RALPH_NOT_CONFIRMED]')
    }
    expect(made.state()).toEqual(before)
    expect(asked('y')).toMatchObject({ code: 0, stdout: expect.stringContaining('merged on your word') as string })
  })

  it('where nothing can be taken, nothing is changed', () => {
    const made = waiting()
    const before = made.state()
    expect(made.ralph(['resolve', '-m', 'x', '--from', 'nowhere'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Error: 'nowhere' is no commit or branch/),
    })
    expect(made.ralph(['resolve', '-m', 'x', '--from', './nowhere'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no such folder/),
    })
    expect(made.ralph(['resolve', 'two', '-m', 'x'])).toMatchObject({
      code: 2,
      stderr: "Error: task 'two' not found [RALPH_TASK_NOT_FOUND]\n",
    })
    expect(made.state()).toEqual(before)
  })
})

describe('ralph answer, retry and skip', () => {
  it('an answer is in the next prompt', () => {
    const made = waiting()
    made.play({ role: 'implementer', task: 'wrong', steps: [{ savePrompt: 'prompt.txt' }, ...work('wrong', 3)] })
    expect(made.ralph(['answer', '-m', 'three is the answer']).stdout).toBe('answered wrong\n')
    expect(made.ralph(['build']).code).toBe(0)
    expect(made.git('show', `ralph/${made.build()}:prompt.txt`)).toContain('three is the answer')
  })

  it('retry tries again as it is, in a new attempt', () => {
    const made = waiting()
    made.play({ role: 'implementer', task: 'wrong', attempt: 3, steps: work('wrong', 3) })
    expect(made.json('retry')).toEqual({ task: 'wrong' })
    expect([made.ralph(['build']).code, made.json('status')]).toMatchObject([
      0,
      { tasks: [{ status: 'done', attempt: 3 }] },
    ])
  })

  it('skip leaves it undone, and what depends on it may start', () => {
    const made = waiting()
    made.ok('create', 'two', 'Add two', '--deps', 'wrong')
    made.play({ task: 'two', steps: work('two') })
    expect(made.ralph(['skip']).stdout).toBe('skipped wrong\n')
    expect(made.ralph(['build']).code).toBe(0)
    expect(made.json('status')).toMatchObject({ state: 'complete', completedTasks: ['two'], failedTasks: ['wrong'] })
    expect(made.ralph(['report']).stdout).toContain('- wrong (skipped): Add wrong')
  })

  it('skip takes a task that was never begun, says it twice, and refuses what is done', () => {
    const made = waiting({ role: 'implementer', task: 'fine', steps: work('fine') })
    made.ok('create', 'two', 'Add two', '--deps', 'wrong')
    expect([made.ralph(['skip', 'two']).stdout, made.ralph(['skip', 'two']).stdout]).toEqual([
      'skipped two\n',
      'skipped two\n',
    ])
    expect(made.ralph(['skip', 'fine'])).toMatchObject({
      code: 1,
      stderr: "Error: task 'fine' is done and cannot be skipped [RALPH_TASK_DONE]\n",
    })
    expect(made.ralph(['skip', 'three'])).toMatchObject({ code: 2 })
    expect(made.json('status')).toMatchObject({ failedTasks: ['wrong', 'two'], completedTasks: ['fine'] })
  })

  it('asks which one where several wait', () => {
    const made = waiting({ role: 'implementer', task: 'bad', steps: work('bad', 1, 2) })
    expect(made.ralph(['retry'])).toMatchObject({
      code: 1,
      stderr: 'Error: several tasks wait, name one: bad, wrong [RALPH_SEVERAL_WAIT]\n',
    })
    expect(made.ralph(['retry', 'bad']).code).toBe(0)
    expect(made.ralph(['retry', 'bad'])).toMatchObject({
      code: 1,
      stderr: "Error: task 'bad' does not wait for a human (it is working) [RALPH_TASK_NOT_WAITING]\n",
    })
  })

  it('a running loop takes what was answered', async () => {
    const made = waiting({ role: 'implementer', task: 'slow', steps: work('slow') })
    made.play({ task: 'slow2', steps: [{ sleep: 2000 }, ...work('slow2')] }, { task: 'wrong', steps: work('wrong', 3) })
    made.ok('create', 'slow2', 'Slow')
    const run = made.start(['build'])
    await run.saw('slow2: iteration 1.1')
    writeFileSync(join(folderOf(made), 'wrong.js'), MENDED)
    expect(made.ralph(['resolve', '-m', 'mended']).code).toBe(0)
    expect((await run.ended).code).toBe(0)
    expect(made.json('status')).toMatchObject({ state: 'complete', completedTasks: ['wrong', 'slow', 'slow2'] })
  })
})

function pinned(made: Project): unknown[] {
  return (JSON.parse(made.ralph(['recover', '--json']).stdout) as { ref: string }[]).map(({ ref }) => ref)
}
