import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratch } from '../rig/scratch.ts'
import { project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'
import { steady, story } from '../rig/story.ts'
import { KEPT } from '../rig/probes-off.ts'

const two = { role: 'implementer', task: 'two', steps: work('two', 2) }
const three = { role: 'implementer', task: 'three', steps: work('three', 3) }
const wrong = { role: 'implementer', task: 'wrong', steps: work('wrong', 4, 3) }

describe('ralph build', () => {
  it('builds the open tasks, each a commit on evidence, and leaves the checkout alone', () => {
    const made = project({ script: [two, three] })
    const head = made.git('rev-parse', 'HEAD')
    const end = made.ralph(['build'])
    expect(story(steady(end.stdout))).toEqual([
      'build started: 2 tasks',
      ...['two', 'three'].flatMap((task) => [
        `${task}: attempt 1: Add ${task}`,
        `${task}: iteration 1.1`,
        `${task}: says TASK_COMPLETE`,
        `${task}: verifying`,
        `${task}: ${KEPT}`,
        `${task}: review: approved`,
        `${task}: done, merged as COMMIT`,
      ]),
      'build complete',
    ])
    expect(steady(end.stdout)).toContain(`Merged into ralph/BUILD:
COMMIT      TASK   ${'EVIDENCE'.padEnd(KEPT.length)}  TITLE
COMMIT  two    ${KEPT}  Add two
COMMIT  three  ${KEPT}  Add three

All tasks are complete.
`)
    const claims =
      "Claims: 2 tasks claim new behaviour, which a test must show; 'ralph task update ID --type TYPE' changes what one claims."
    expect([end.code, steady(end.stderr)]).toEqual([0, `Build BUILD: scripted works, checks: unit.\n${claims}\n`])
    const branch = `ralph/${made.build()}`
    expect(made.git('log', '--format=%s', branch)).toBe('feat: Add three\nfeat: Add two\nstart\n')
    expect(made.git('log', '-1', '--format=%B', branch)).toMatch(
      /^Task ID: three\nRalph-Build: b_\w+\nRalph-Attempt: three\/1\/1\nRalph-Evidence: sha256:\w{64}$/m,
    )
    expect([made.git('rev-parse', 'HEAD'), made.git('status', '--short')]).toEqual([head, ''])
  })

  it('says so where there is nothing to do, and makes nothing', () => {
    const made = scratch()
    const sentence =
      'Nothing to do: there are no open tasks; say what is to be built, as in \'ralph build "add a login page"\'.'
    expect(made.ralph(['build'])).toEqual({ code: 0, stdout: `${sentence}\n`, stderr: '' })
    expect(JSON.parse(made.ralph(['build', '--json']).stdout)).toMatchObject({ type: 'done', exit: 0, sentence })
    expect(existsSync(join(made.folder, '.git/ralph'))).toBe(false)
  })

  it('does one iteration with --once, as many as -n says, and goes on where it was', () => {
    const half = {
      role: 'implementer',
      task: 'two',
      iteration: 1,
      steps: [{ write: { path: 'a', content: 'a' } }, { signal: { kind: 'ITERATION_DONE' } }],
    }
    const made = project({ script: [half, two, three] })
    const once = made.ralph(['build', '--once'])
    expect([once.code, once.stderr.split('\n')[0]]).toEqual([0, 'One iteration only, as asked with --once.'])
    expect(story(once.stdout)).toEqual([
      'build started: 2 tasks',
      'two: attempt 1: Add two',
      'two: iteration 1.1',
      'two: says ITERATION_DONE',
    ])
    expect(once.stdout).toContain('\nOne iteration is done, as asked with --once.\n')
    const bounded = made.ralph(['build', '-n', '1'])
    expect([bounded.code, story(bounded.stdout)[0]]).toEqual([0, 'two: iteration 1.2'])
    expect(bounded.stdout).toContain('\nThe iteration limit is reached; run it again to go on.\n')
    expect(steady(bounded.stderr)).toBe(
      'Going on with build BUILD: scripted works, checks: unit.\nThis run: at most 1 iteration.\n',
    )
    expect([made.ralph(['build']).code, made.json('status')]).toMatchObject([
      0,
      { state: 'complete', spent: { iterations: 3 } },
    ])
  })

  it('speaks JSON lines: every fact in its place, and how it ended', () => {
    const made = project({ script: [two] })
    const lines = made
      .ralph(['build', '--json'])
      .stdout.trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const done = lines.pop()
    const sessionId = made.build()
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, at) => at + 1))
    expect(lines.every((line) => line['sessionId'] === sessionId && typeof line['at'] === 'number')).toBe(true)
    expect(lines.map(({ type }) => type)).toEqual([
      'buildStarted',
      'baselineStarted',
      'baselineDone',
      'taskStarted',
      'iterationStarted',
      'iterationDone',
      'verifying',
      'verified',
      'reviewing',
      'reviewed',
      'merging',
      'merged',
      'taskComplete',
      'buildComplete',
    ])
    expect(done).toMatchObject({
      type: 'done',
      reason: 'AllTasksComplete',
      exit: 0,
      sessionId,
      state: 'complete',
      branch: `ralph/${sessionId}`,
      commits: [{ task: 'two', verdict: 'green', testsRun: 2 }],
    })
  })

  it('ends with the question where a human is needed, after all else was done', () => {
    const made = project({ script: [wrong, two, SIA_GIVES_UP] })
    const end = made.ralph(['build'])
    expect(end.code).toBe(3)
    expect(story(end.stdout).filter((line) => line.startsWith('wrong: attempt'))).toEqual([
      'wrong: attempt 1: Add wrong',
      'wrong: attempt 1 failed',
      'wrong: attempt 2: Add wrong',
      'wrong: attempt 2 failed',
    ])
    expect(story(end.stdout).at(-1)).toMatch(/^two: done/)
    expect(end.stdout).toContain('\nTask wrong waits for you: Add wrong\n  I cannot count\n')
    for (const way of ['open', 'resolve', 'answer', 'retry', 'skip'])
      expect(end.stdout).toContain(`\n  ralph ${way} wrong`)
    expect(end.stdout).toMatch(/\nA human is needed to go on\.\nThen 'ralph build' goes on\.\n$/)
    expect(story(made.ralph(['build']).stdout)).toEqual([])
  })

  it('fails with the reason, and tries again', () => {
    const made = project({ script: [{ task: 'two', steps: [{ fail: { kind: 'auth', sentence: 'not logged in' } }] }] })
    const end = made.ralph(['build'])
    expect([end.code, end.stdout.trim().split('\n').at(-1)]).toEqual([1, 'The build failed: not logged in'])
    expect(made.json('status')).toMatchObject({
      state: 'failed',
      lastError: 'not logged in',
      tasks: [{ status: 'open' }],
    })
    made.play(two)
    expect([made.ralph(['build']).code, made.json('status')]).toMatchObject([0, { state: 'complete' }])
  })

  it('lets several workers build at the same time', () => {
    const made = project({ script: [two, three] })
    expect(made.ralph(['build', '--workers', '2']).code).toBe(0)
    expect(
      made
        .git('log', '--format=%s', `ralph/${made.build()}`)
        .split('\n')
        .filter((line) => line.startsWith('feat')),
    ).toHaveLength(2)
    expect(made.json('task', 'agent', 'list')).toEqual([])
  })
})
