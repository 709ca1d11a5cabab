import { describe, expect, it } from 'vitest'
import { project } from '../rig/project.ts'
import { steady, story } from '../rig/story.ts'
import { work } from '../rig/sessions.ts'

const slow = { role: 'implementer', task: 'two', steps: [{ sleep: 1500 }, ...work('two')] }
const three = { role: 'implementer', task: 'three', steps: work('three') }
const hanging = { role: 'implementer', task: 'two', steps: [{ hang: {} }] }

describe('a build is steered from another process', () => {
  it('pause lets the effect end and begins nothing more; build goes on', async () => {
    const made = project({ script: [slow, three] })
    const run = made.start(['build'])
    await run.saw('two: iteration 1.1')
    const paused = made.ralph(['pause'])
    expect([paused.code, steady(paused.stdout)]).toEqual([0, 'paused BUILD\n'])
    const { code, stdout } = await run.ended
    expect([code, story(stdout).at(-1)]).toEqual([0, 'two: says TASK_COMPLETE'])
    expect(made.json('status')).toMatchObject({
      state: 'paused',
      status: 'paused',
      tasks: [{ phase: 'verifying' }, {}],
    })
    expect(steady(made.ralph(['pause']).stderr)).toBe(
      "Error: build 'BUILD' is paused and cannot be paused [RALPH_BUILD_STATE]\n",
    )
    expect(made.json('resume')).toMatchObject({ state: 'running' })
    expect([made.ralph(['build']).code, made.json('status')]).toMatchObject([0, { state: 'complete' }])
  })

  it('a paused build is taken up by build alone', async () => {
    const made = project({ script: [slow] })
    const run = made.start(['build'])
    await run.saw('two: iteration 1.1')
    made.ralph(['pause'])
    await run.ended
    expect([made.ralph(['build']).code, made.json('status')]).toMatchObject([0, { state: 'complete' }])
    expect(made.ralph(['log']).stdout).toMatch(/build paused by .*[^]*build resumed by /)
  })

  it('abort stops the agent at once and ends the build; the next one starts over what is left', async () => {
    const made = project({ script: [hanging] })
    const run = made.start(['build'])
    await run.saw('two: iteration 1.1')
    const aborted = made.ralph(['abort'])
    expect([aborted.code, steady(aborted.stdout)]).toEqual([0, 'aborted BUILD\n'])
    const { code, stdout } = await run.ended
    expect([code, stdout.trim().split('\n').at(-1)]).toEqual([1, 'The build was aborted.'])
    const first = made.build()
    made.play({ task: 'two', steps: work('two') })
    expect(made.ralph(['build']).code).toBe(0)
    expect(made.build()).not.toBe(first)
    expect(made.json('status', first)).toMatchObject({ state: 'aborted' })
  })

  it('what waited for a human in an aborted build is tried afresh in the next one', () => {
    const made = project({ script: [{ task: 'two', steps: [{ signal: { kind: 'TASK_STUCK', reason: 'no idea' } }] }] })
    made.write('ralph.toml', `${made.read('ralph.toml')}`.replace('interventions = 1', 'interventions = 0'))
    expect(made.ralph(['build']).code).toBe(3)
    made.ralph(['abort'])
    expect(made.ralph(['retry']).code).toBe(1)
    made.play({ task: 'two', steps: work('two') })
    expect([made.ralph(['build']).code, made.json('status')]).toMatchObject([0, { state: 'complete' }])
  })

  it('two builds in two processes share the work, and both end well', async () => {
    const made = project({ script: [slow, { ...three, steps: [{ sleep: 1500 }, ...work('three')] }] })
    const first = made.start(['build'])
    await first.saw('two: iteration 1.1')
    const second = made.start(['build'])
    const ends = await Promise.all([first.ended, second.ended])
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
    expect(made.git('log', '--format=%s', `ralph/${made.build()}`).trim().split('\n').toSorted()).toEqual([
      'feat: Add three',
      'feat: Add two',
      'start',
    ])
    const facts = made.ralph(['log', '--json']).stdout
    expect(facts.match(/"type":"buildComplete"/g)).toHaveLength(1)
  })
})

describe('ralph step', () => {
  it('performs one step at a time, and says where it stands', () => {
    const made = project({
      script: [
        { role: 'implementer', task: 'two', steps: work('two', 1, 2) },
        { role: 'implementer', task: 'two', attempt: 2, steps: work('two') },
      ],
    })
    const run = made.ralph(['build', '-n', '1'])
    expect(story(run.stdout).at(-1)).toBe('two: attempt 1 failed')
    const said = Array.from({ length: 4 }, () => {
      const { code, stdout } = made.ralph(['step'])
      return [code, ...steady(stdout).trim().split('\n').slice(-1)]
    })
    expect(said).toEqual([
      [0, 'Build BUILD: verifying, task two (1/1): Add two'],
      [0, 'Build BUILD: reviewing, task two (1/1): Add two'],
      [0, 'All tasks are complete.'],
      [0, 'Build BUILD: ready'],
    ])
  })

  it('is refused while a loop drives the build', async () => {
    const made = project({ script: [hanging] })
    const run = made.start(['build'])
    await run.saw('two: iteration 1.1')
    expect(made.ralph(['step'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^Error: a loop works on task 'two' of build 'b_\w+'; let it run, or pause it first with 'ralph pause' \[RALPH_BUILD_DRIVEN\]\n$/,
      ),
    })
    run.child.kill('SIGINT')
    await run.ended
  })
})
