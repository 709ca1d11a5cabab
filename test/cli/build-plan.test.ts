// Where a build's plan and its settings come from, and that they stay.
import { describe, expect, it } from 'vitest'
import { CHECK, project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'
import { steady, story } from '../rig/story.ts'

const PLAN = `# Progress: Numbers

## Status

In Progress

## Tasks

- [ ] Add two {#two}
- [ ] Add three {#three}
`
const two = { role: 'implementer', steps: work('two') }
const three = { role: 'implementer', steps: work('three') }

describe('ralph build PROGRESS.md', () => {
  it('takes its tasks over, ticks what is merged, and goes on with it without being told again', () => {
    const made = project()
    made.play({ ...two, task: 'two' } as object, { ...three, task: 'three' } as object)
    made.write('PLAN.md', PLAN)
    const first = made.ralph(['build', 'PLAN.md', '-n', '1'])
    expect(steady(first.stderr)).toContain('Build BUILD over PLAN.md: scripted works, checks: unit.\n')
    expect(made.read('PLAN.md')).toContain('- [x] Add two {#two}\n- [ ] Add three {#three}\n')
    const second = made.ralph(['build'])
    expect([second.code, steady(second.stderr)]).toEqual([
      0,
      expect.stringContaining('Going on with build BUILD over PLAN.md: '),
    ])
    expect(made.read('PLAN.md')).toContain('- [x] Add three {#three}\n')
    expect(made.json('status')).toMatchObject({ source: 'PLAN.md', completedTasks: ['two', 'three'] })
    expect(made.ralph(['build', 'PLAN.md'])).toEqual({
      code: 0,
      stdout: 'Nothing to do: no task of PLAN.md is open.\n',
      stderr: '',
    })
  })

  it('ends where the file says RALPH_DONE: a claim, which is checked', () => {
    const made = project()
    made.play({ ...two, task: 'two' } as object)
    made.write('PLAN.md', PLAN.replace('In Progress', 'RALPH_DONE'))
    const { code, stdout } = made.ralph(['build', 'PLAN.md'])
    expect(code).toBe(4)
    expect(stdout).toContain(
      'The progress file says RALPH_DONE, but not every task is verified. Not verified: two, three;',
    )
    expect(story(stdout)).toEqual(['build started: 2 tasks'])
  })

  it('refuses one without tasks', () => {
    const made = project()
    made.write('PLAN.md', '# Progress: x\n')
    expect(made.ralph(['build', 'PLAN.md'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('lists no tasks'),
    })
    expect(made.json('task', 'list')).toEqual([])
  })
})

describe('the settings of a build', () => {
  it('are those it started with, and it is said that they have changed', () => {
    const made = project({ script: [{ role: 'implementer', task: 'wrong', steps: work('wrong', 4, 3) }, SIA_GIVES_UP] })
    made.ralph(['build', '--once'])
    made.write('ralph.toml', made.read('ralph.toml').replace('attempts = 2', 'attempts = 9'))
    const { stderr, stdout } = made.ralph(['build'])
    expect(stderr).toContain(
      "Note: the settings have changed since: the build keeps the settings it started with; 'ralph abort', then 'ralph build', takes the new ones.\n",
    )
    expect(story(stdout).filter((line) => line.endsWith('failed'))).toEqual(['wrong: attempt 2 failed'])
  })

  it('are found where nobody wrote them, and it is said what was taken', () => {
    const made = project({ script: [{ task: 'two', steps: work('two') }] })
    made.write('package.json', '{"name":"numbers","type":"module","scripts":{"test":"node --test"}}\n')
    made.write('ralph.toml', made.read('ralph.toml').replace(`[checks]\nunit = "${CHECK}"\n`, ''))
    made.git('commit', '--quiet', '--all', '-m', 'script')
    const { code, stderr } = made.ralph(['build'])
    expect([code, stderr.split('\n')[0]]).toEqual([
      0,
      "Note: no checks are configured, so those of the project are taken (unit: npm test); 'ralph init' writes them down.",
    ])
  })

  it('another agent may be named for a build that goes on', () => {
    const made = project({ script: [{ task: 'two', steps: [{ signal: { kind: 'ITERATION_DONE' } }] }] })
    made.ralph(['build', '--once'])
    expect(made.ralph(['build', '--agent', 'command'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^Note: command works from here on, in place of scripted that the build was started with\.\nError: the agent command cannot work: /,
      ),
    })
    expect(made.json('status')).toMatchObject({ state: 'running' })
  })
})
