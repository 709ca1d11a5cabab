// Part of agent.conformance.ts: sessions that do not end well.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isRunning } from '../../test/rig/process-commands.ts'
import { textsIn, type Stage, type Trial } from './trial.conformance.ts'
import type { AgentEvent, Outcome } from './agent.ts'

/** Runs it and aborts as soon as it has said the word. */
async function stoppedAt(word: string, { run, events }: Stage): Promise<Outcome> {
  const controller = new AbortController()
  const onEvent = (event: AgentEvent): void => {
    events.push(event)
    if (event.type === 'text' && event.text === word) controller.abort()
  }
  return run({ signal: controller.signal, onEvent })
}

/** Runs it and aborts as soon as the file says something, which is returned. */
async function stoppedWith(file: string, { run, textOf }: Stage): Promise<{ outcome: Outcome; said: string }> {
  const controller = new AbortController()
  const running = run({ signal: controller.signal })
  let said = ''
  while (said === '') {
    await sleep(10)
    said = await textOf(file).catch(() => '')
  }
  controller.abort()
  return { outcome: await running, said }
}

function leftIn(events: readonly AgentEvent[]): number[] {
  return textsIn(events).flatMap((text) => {
    const pid = /^left process (\d+)$/.exec(text)?.[1]
    return pid === undefined ? [] : [Number(pid)]
  })
}

export function describeEnding({ stage, needs, startMs }: Trial): void {
  describe('at its end', () => {
    it('is stopped when its time is over', async () => {
      const { run, agent } = await stage([{ hang: {} }], { timeoutMs: 1000 })
      const sentence = `${agent.name} was not done after 1 s and was stopped`
      expect((await run()).failure).toEqual({ kind: 'timedOut', sentence, until: null })
    })

    it('is stopped when it is silent for too long', async () => {
      const { run, agent } = await stage([{ hang: {} }], { idleTimeoutMs: 1000 })
      const sentence = `${agent.name} said nothing for 1 s and was stopped`
      expect((await run()).failure).toEqual({ kind: 'idle', sentence, until: null })
    })

    it('may be silent while a tool runs', async ({ skip }) => {
      needs('commands', skip)
      needs('toolEvents', skip)
      const before = performance.now()
      await (await stage([{ answerText: 'done' }])).run()
      const idleTimeoutMs = Math.max(startMs, 3 * (performance.now() - before))
      const steps = [{ run: `sleep ${idleTimeoutMs / 1000 + 1}; true` }, { answerText: 'done' }]
      const { run } = await stage(steps, { idleTimeoutMs })
      expect(await run()).toMatchObject({ failure: null, finalMessage: 'done' })
    })

    it('is stopped on demand', async () => {
      const made = await stage([{ say: 'ready' }, { hang: {} }])
      const outcome = await stoppedAt('ready', made)
      const sentence = `${made.agent.name} was stopped before it was done`
      expect(outcome.failure).toEqual({ kind: 'killed', sentence, until: null })
    })

    it('is stopped on demand while a command of it runs', async ({ skip }) => {
      needs('commands', skip)
      const { outcome, said } = await stoppedWith('pid', await stage([{ run: 'echo $$ > pid; exec sleep 1000' }]))
      expect(outcome.failure?.kind).toBe('killed')
      expect(Number(said)).toBeGreaterThan(1)
      expect(isRunning(Number(said))).toBe(false)
    })

    it('is stopped even if it ignores SIGTERM', async ({ skip }) => {
      needs('stubbornness', skip)
      const stubborn = await stage([{ hang: { ignoreSigterm: true } }])
      expect((await stoppedAt('SIGTERM is ignored', stubborn)).failure?.kind).toBe('killed')
    })

    it('is not even started when it was stopped before', async () => {
      const { run, events } = await stage([{ say: 'ready' }])
      expect(await run({ signal: AbortSignal.abort() })).toMatchObject({
        failure: { kind: 'killed' },
        finalMessage: '',
      })
      expect(events).toEqual([])
    })

    it.for([
      ['an exit code', { code: 7 }, 'ended with exit code 7 and said nothing on stderr'],
      ['SIGSEGV', { signal: 'SIGSEGV' }, 'was killed by signal 11 (SIGSEGV)'],
      ['SIGKILL', { signal: 'SIGKILL' }, 'was killed by signal 9 (SIGKILL; out of memory?)'],
    ] as const)('may crash with %s, and what it made stays', async ([, crash, how], { skip }) => {
      needs('commands', skip)
      if (!('signal' in crash && crash.signal === 'SIGKILL')) needs('crashes', skip)
      const { run, agent, textOf, events } = await stage([
        { write: { path: 'half', content: 'half' } },
        { say: 'said' },
        { answerText: 'ALL TESTS PASSED' },
        { signal: { kind: 'TASK_COMPLETE' } },
        { crash },
      ])
      const { failure } = await run()
      // An agent that nobody can make crash otherwise may have said something on stderr before.
      const sentence = failure?.sentence
        .replace(/^(.* \(SIGKILL; out of memory\?\)): .*$/s, '$1')
        // Where stdout is plain text, its last words replace those on stderr.
        .replace(/; the last it printed: said$/, ' and said nothing on stderr')
      expect({ ...failure, sentence }).toEqual({ kind: 'crashed', sentence: `${agent.name} ${how}`, until: null })
      expect(await textOf('half')).toBe('half')
      expect(textsIn(events)).toEqual(['said'])
    })

    it('has to say its result: exit 0 without it is a failure', async ({ skip }) => {
      needs('result', skip)
      const { run, agent } = await stage([{ answerText: 'done' }, { crash: { code: 0 } }])
      const sentence = `${agent.name} ended without saying its result`
      expect(await run()).toMatchObject({ failure: { kind: 'badOutput', sentence }, finalMessage: '' })
    })

    it('is ended without blame when it stays after its result', async ({ skip }) => {
      needs('result', skip)
      const { run } = await stage([{ answerText: 'done' }, { linger: {} }])
      expect(await run()).toMatchObject({ failure: null, finalMessage: 'done' })
    })

    it.for([
      ['silent', {}],
      ['holding our pipe open', { holdOutput: true }],
      ['ignoring SIGTERM', { ignoreSigterm: true }],
    ] as const)('leaves no process behind: %s', async ([, leaveChild], { skip }) => {
      needs('commands', skip)
      const { run, events } = await stage([{ leaveChild }, { answerText: 'bye' }])
      const outcome = await run()
      const left = leftIn(events)
      expect(left).toHaveLength(1)
      expect(left.filter(isRunning)).toEqual([])
      expect(outcome).toMatchObject({ failure: null, finalMessage: expect.stringContaining('bye') })
      expect(outcome.survivors).toBeGreaterThanOrEqual(1)
    })

    it('leaves no process behind when it crashes or is stopped', async ({ skip }) => {
      needs('commands', skip)
      const crashing = await stage([{ leaveChild: {} }, { crash: { signal: 'SIGKILL' } }])
      await crashing.run()
      const stopped = await stage([{ leaveChild: {} }, { say: 'ready' }, { hang: {} }])
      await stoppedAt('ready', stopped)
      const left = [...leftIn(crashing.events), ...leftIn(stopped.events)]
      expect(left).toHaveLength(2)
      expect(left.filter(isRunning)).toEqual([])
    })
  })
}
