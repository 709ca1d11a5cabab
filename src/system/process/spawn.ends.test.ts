// The ways in which we end a child that would have gone on.
import { describe, expect, it } from 'vitest'
import { quiet, script, shortDeadlineMs, startAndWhen, told } from '../../../test/rig/process-commands.ts'
import { run, start, type Running } from './spawn.ts'

const stubborn = `trap '' TERM; echo ready; while :; do sleep 1000; done`

describe('the wall deadline', () => {
  it('ends a child that obeys, ignores SIGTERM or is stopped', async () => {
    const limits = { deadlineMs: await shortDeadlineMs(), graceMs: 300 }
    const cases = [
      ['exec sleep 1000', 'SIGTERM'],
      [`trap '' TERM; while :; do sleep 1000; done`, 'SIGKILL'],
      ['kill -STOP $$; sleep 1000', 'SIGTERM'],
      [`trap '' TERM; kill -STOP $$; sleep 1000`, 'SIGKILL'],
    ] as const
    const ends = await Promise.all(cases.map(([line]) => run(script(line, limits))))
    expect(ends.map(told)).toEqual(
      cases.map(([, signal]) => ({ ...quiet, how: 'deadline', signal, stderr: expect.any(String) })),
    )
  })

  it('names itself even where the child leaves in order, and keeps its last words', async () => {
    const line = `trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done`
    const ended = await run(script(line, { deadlineMs: await shortDeadlineMs() }))
    expect(told(ended)).toMatchObject({ how: 'deadline', code: 0, signal: null, stdout: 'ready\nbye\n' })
  })
})

describe('silence', () => {
  it('ends the child', async () => {
    const ended = await run(script('echo ready; exec sleep 1000', { idleMs: 1_000 }))
    expect(told(ended)).toEqual({ ...quiet, how: 'idle', signal: 'SIGTERM', stdout: 'ready\n' })
  })

  it('is broken by output on either stream', async () => {
    const line = 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do sleep 0.1; echo x >&$((i % 2 + 1)); done'
    expect(told(await run(script(line, { idleMs: 1_500 })))).toMatchObject({ how: 'exited', code: 0 })
  })

  it('is allowed while suspended', async () => {
    const running = start(script('sleep 0.5; echo done', { idleMs: 100 }))
    running.suspendIdle()
    expect(told(await running.ended)).toEqual({ ...quiet, how: 'exited', code: 0, stdout: 'done\n' })
  })

  it('counts again after the last of the suspensions has ended', async () => {
    const resumes: (() => void)[] = []
    const sought = script('echo one; sleep 0.3; echo two; exec sleep 1000', { idleMs: 150 })
    const running = startAndWhen('two', sought, () => {
      for (const resume of resumes) resume()
    })
    resumes.push(running.suspendIdle(), running.suspendIdle())
    expect(told(await running.ended)).toEqual({ ...quiet, how: 'idle', signal: 'SIGTERM', stdout: 'one\ntwo\n' })
  })

  it('is not blamed on the child while our own consumer is slow', async () => {
    const slow = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_300))
    const ended = await run(script('echo one; sleep 1.6', { idleMs: 1_000, onOutput: slow }))
    expect(told(ended)).toEqual({ ...quiet, how: 'exited', code: 0, stdout: 'one\n' })
  })
})

describe('the caller', () => {
  const longGraceMs = 1_000_000
  const byCaller: readonly (readonly [string, (running: Running, abort: () => void) => void, object])[] = [
    ['aborts by signal', (_, abort) => abort(), { how: 'aborted', signal: 'SIGTERM' }],
    ['stops', (running) => running.stop(), { how: 'aborted', signal: 'SIGTERM' }],
    ['kills', (running) => running.kill(), { how: 'aborted', signal: 'SIGKILL' }],
  ]
  it.each(byCaller)('%s', async (_, act, expected) => {
    const controller = new AbortController()
    const sought = script(`echo ready; exec sleep 1000`, { signal: controller.signal, graceMs: longGraceMs })
    const running = startAndWhen('ready', sought, () => act(running, () => controller.abort()))
    expect(told(await running.ended)).toEqual({ ...quiet, stdout: 'ready\n', ...expected })
  })

  it('kills during the grace of a stop', async () => {
    const line = `trap 'echo asked' TERM; echo ready; while :; do sleep 0.05; done`
    let seen = ''
    const onOutput = (chunk: Buffer): void => {
      seen += chunk.toString()
      if (seen.includes('asked')) running.kill()
      else running.stop()
    }
    const running: Running = start(script(line, { graceMs: longGraceMs, onOutput }))
    expect(told(await running.ended)).toMatchObject({ how: 'aborted', signal: 'SIGKILL' })
  })

  it('may act when all is over, without effect', async () => {
    const controller = new AbortController()
    const running = start(script('exit 4', { signal: controller.signal }))
    const ended = await running.ended
    controller.abort()
    running.stop()
    running.kill()
    running.resultSeen()
    running.suspendIdle()()
    expect(told(ended)).toEqual({ ...quiet, how: 'exited', code: 4 })
  })
})

it('a consumer that never answers holds nobody up, and the end is then ours', async () => {
  const never = (): Promise<void> => new Promise(() => {})
  const deadlineMs = await shortDeadlineMs()
  const sought = ['echo one', 'echo one; exec sleep 1000'].map((line) =>
    script(line, { onOutput: never, deadlineMs, graceMs: 200 }),
  )
  const ends = await Promise.all(sought.map(run))
  expect(ends.map(told)).toEqual([
    { ...quiet, how: 'deadline', code: 0, stdout: 'one\n' },
    { ...quiet, how: 'deadline', signal: 'SIGTERM', stdout: 'one\n' },
  ])
})

describe('a child that has said its result', () => {
  it('is ended as lingering, which is no deadline', async () => {
    const running = startAndWhen('ready', script(stubborn, { lingerMs: 100, graceMs: 100 }), () => running.resultSeen())
    expect(told(await running.ended)).toMatchObject({ how: 'lingered', signal: 'SIGKILL', stdout: 'ready\n' })
  })

  it('is not blamed for silence or time after it', async () => {
    const shortMs = await shortDeadlineMs()
    const ends = [{ idleMs: shortMs }, { deadlineMs: shortMs }].map((limits) => {
      const sought = script('echo ready; exec sleep 1000', { lingerMs: 60_000, ...limits })
      const running = startAndWhen('ready', sought, () => running.resultSeen())
      return running.ended
    })
    const expected = { ...quiet, how: 'lingered', signal: 'SIGTERM', stdout: 'ready\n' }
    expect((await Promise.all(ends)).map(told)).toEqual([expected, expected])
  })

  it('may leave by itself', async () => {
    const running = startAndWhen('ready', script('echo ready; sleep 0.1; exit 5'), () => running.resultSeen())
    expect(told(await running.ended)).toEqual({ ...quiet, how: 'exited', code: 5, stdout: 'ready\n' })
  })
})
