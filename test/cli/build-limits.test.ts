// Limits of agents: a build waits where they pass, and reports them where they do not; neither costs an attempt.
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { project, type Project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'
import { story } from '../rig/story.ts'
import { KEPT } from '../rig/probes-off.ts'

const limit = (untilInSeconds: number) => ({
  fail: { kind: 'rateLimit', sentence: 'the limit of use is reached', untilInSeconds },
})
const approve = { answer: { decision: 'approve', reasons: [], required_fixes: [] } }

function attempt(made: Project): { waits: number; failures: number; phase: { at: string; until?: number } } {
  const rows = made.state() as { name: string; rows: { state: string }[] }[]
  return JSON.parse(rows.find(({ name }) => name === 'attempts')?.rows[0]?.state ?? '{}') as never
}

describe('a rate limit', () => {
  it('is waited out, shown, and costs neither an attempt nor the work so far', async () => {
    const [say, write, test] = work('two', 2)
    const made = project({ script: [{ task: 'two', steps: [say, write, limit(2)] }] })
    const running = made.start(['build', '--once'])
    await running.saw('waiting for scripted until')
    expect(made.ralph(['status']).stdout).toMatch(/: waiting for scripted until \d\d:\d\d:\d\d, \d s left/)
    made.play({ task: 'two', steps: [test, { signal: { kind: 'TASK_COMPLETE' } }] })
    const { code, stdout } = await running.ended
    expect(code).toBe(0)
    expect(story(stdout)).toEqual([
      'build started: 1 task',
      'two: attempt 1: Add two',
      'two: iteration 1.1',
      expect.stringMatching(
        /^two: waiting for scripted until \d\d:\d\d:\d\d \([123] s\): the limit of use is reached$/,
      ),
      'two: attempt 1: Add two',
      'two: iteration 1.1',
      'two: says TASK_COMPLETE',
      'two: verifying',
      `two: ${KEPT}`,
      'two: review: approved',
      expect.stringMatching(/^two: done, merged as /),
      'build complete',
    ])
    expect(made.git('show', '--format=%b', '--name-only', `ralph/${made.build()}`)).toContain('Ralph-Attempt: two/1/1')
    expect(made.git('ls-tree', '--name-only', `ralph/${made.build()}`)).toContain('two.js\ntwo.test.js')
  })

  it('that a reviewer or SIA meets is waited out too', async () => {
    const made = project({
      script: [
        { task: 'two', role: 'implementer', steps: work('two', 2) },
        { role: 'reviewer', steps: [limit(1)] },
      ],
    })
    made.write('ralph.toml', `${made.read('ralph.toml')}[review]\nwhen = "always"\n`)
    const running = made.start(['build'])
    await running.saw('waiting for scripted until')
    made.play({ role: 'reviewer', steps: [approve] })
    expect((await running.ended).code).toBe(0)

    const stuck = { signal: { kind: 'TASK_STUCK', reason: 'I am lost' } }
    const other = project({
      script: [
        { task: 'two', role: 'implementer', steps: [stuck] },
        { role: 'sia', steps: [limit(1)] },
      ],
    })
    const second = other.start(['build'])
    await second.saw('waiting for scripted until')
    other.play({ task: 'two', role: 'implementer', steps: [stuck] }, SIA_GIVES_UP)
    expect((await second.ended).code).toBe(3)
  })

  it.each([
    ['Ctrl+C', (_: Project, pid: number) => void process.kill(pid, 'SIGINT'), 130],
    ['pause', (made: Project) => void made.ralph(['pause']), 0],
    ['abort', (made: Project) => void made.ralph(['abort']), 1],
  ])('is interrupted by %s', async (_, interrupt, code) => {
    const made = project({ script: [{ task: 'two', steps: [limit(3600)] }] })
    const running = made.start(['build'])
    await running.saw('waiting for scripted until')
    interrupt(made, running.child.pid ?? 0)
    expect((await running.ended).code).toBe(code)
    expect(attempt(made)).toMatchObject({ failures: 0, phase: { at: 'limited' } })
  })

  it('is still waited for after kill -9, by whoever goes on; for another agent it is not', async () => {
    const made = project({ script: [{ task: 'two', steps: [limit(3600)] }] })
    const agent = `${made.root}/agent.sh`
    writeFileSync(agent, "echo 'export const two = () => 2' > one.js; echo TASK_STUCK: that was all\n")
    made.write('ralph.toml', `${made.read('ralph.toml')}[agent.command]\ncommand = ["sh", "${agent}"]\n`)
    const running = made.start(['build'])
    await running.saw('waiting for scripted until')
    running.child.kill('SIGKILL')
    await running.ended
    const { until } = attempt(made).phase
    const again = made.start(['build'])
    await again.saw('waiting for scripted until')
    again.child.kill('SIGINT')
    expect((await again.ended).code).toBe(130)
    expect(attempt(made).phase).toMatchObject({ at: 'limited', until })
    made.play({ task: 'two', steps: [{ signal: { kind: 'ITERATION_DONE' } }] })
    expect(made.ralph(['build', '--no-wait', '--once']).stdout).toContain('says ITERATION_DONE')
    made.play({ task: 'two', steps: [limit(3600)] })
    const third = made.start(['build'])
    await third.saw('waiting for scripted until')
    third.child.kill('SIGINT')
    await third.ended
    expect(made.ralph(['build', '--agent', 'command', '--once']).stdout).toContain('says TASK_STUCK: that was all')
  })
})

describe('what would only look like working', () => {
  it('a limit that lasts longer than 8 days stops the build with its time', () => {
    const made = project({ script: [{ task: 'two', steps: [limit(9 * 86_400)] }] })
    const { code, stdout } = made.ralph(['build'])
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        /The build failed: scripted says that its limit lasts until .* UTC, longer than the 8 days that are waited/,
      ),
    ])
    expect(made.ok('list')).toContain('open')
  })

  it('an overload that never ends stops the build, and the next run starts with patience again', async () => {
    const made = project({ script: [{ task: 'two', steps: [{ fail: { kind: 'overload', sentence: 'busy' } }] }] })
    const running = made.start(['build'])
    await running.saw('waiting for scripted until')
    running.child.kill('SIGKILL')
    await running.ended
    made.sql(`UPDATE attempts SET state = json_set(state, '$.waits', 40, '$.phase.until', 0)`)
    const { code, stdout } = made.ralph(['build'])
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('The build failed: scripted could not work 41 times in a row: busy'),
    ])
    expect(attempt(made)).toMatchObject({ waits: 0, failures: 0, phase: { at: 'working' } })
  })
})

it('billing stops every worker at once with one sentence, and it goes on after the mend', () => {
  const sentence = 'the account has no credit left; add some'
  const names = ['two', 'three', 'four']
  const made = project({ script: names.map((task) => ({ task, steps: [{ fail: { kind: 'billing', sentence } }] })) })
  const { code, stdout } = made.ralph(['build', '--workers', '2'])
  expect([code, stdout.split('\n').filter((line) => line.startsWith('The build failed'))]).toEqual([
    1,
    [`The build failed: ${sentence}`],
  ])
  const begun = story(stdout).filter((line) => line.includes('iteration 1.1'))
  expect(begun.length).toBeLessThanOrEqual(2)
  expect(made.ok('list').match(/ open /g)).toHaveLength(3)
  made.play(...names.map((task, at) => ({ task, steps: work(task, at) })))
  expect(made.ralph(['build', '-n', '1']).stdout).toContain('two: done, merged as')
})
