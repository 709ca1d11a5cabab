// Part of agent.conformance.ts: the input and the output of an agent.
import { describe, expect, it } from 'vitest'
import { jsonAnswer } from '../core/values/json-answer.ts'
import { readSignal, type Signal } from '../core/session/signal.ts'
import { PROMPT, textsIn, withoutDuration, type Trial } from './trial.conformance.ts'
import { FAILURE_KINDS } from './agent.ts'
import { EVENT_TEXT_MAX } from './bounded-events.ts'

export function describeConversation({ stage, needs }: Trial): void {
  describe('in conversation', () => {
    it('is ready, and shows its command line without the prompt', async () => {
      const { agent, folder } = await stage([])
      expect(await agent.ready()).toMatchObject({ ready: true })
      const shown = agent.describe({ role: 'implementer', folder })
      expect(shown).not.toBe('')
      expect(shown).not.toContain(PROMPT)
    })

    it.each<Signal>([
      { kind: 'ITERATION_DONE' },
      { kind: 'TASK_COMPLETE' },
      { kind: 'TASK_STUCK', reason: 'the API is down' },
      { kind: 'CHECK_WRONG', reason: 'it expects 5' },
    ])('ends its final message with $kind', async (signal) => {
      const { run } = await stage([{ answerText: 'I did things.\n\nReally.' }, { signal }])
      const outcome = await run()
      expect(outcome.failure).toBeNull()
      expect(outcome.finalMessage.trimEnd().split('\n').slice(0, 3)).toEqual(['I did things.', '', 'Really.'])
      expect(readSignal(outcome.finalMessage)).toEqual(signal)
    })

    it('answers in JSON', async () => {
      const answer = { decision: 'request_changes', reasons: ['é ✓ 🐙'], required_fixes: ['a\nb'], nested: { n: [1] } }
      const { run } = await stage([{ answer }])
      expect(jsonAnswer((await run()).finalMessage)).toEqual({ ok: true, value: answer })
    })

    it('may say nothing', async ({ skip }) => {
      needs('silence', skip)
      const { run, events } = await stage([])
      const { finalMessage, ...rest } = withoutDuration(await run())
      expect(finalMessage.trim()).toBe('')
      expect(rest).toEqual({ failure: null, usage: { inputTokens: 0, outputTokens: 0, costUsd: null }, survivors: 0 })
      expect(events.filter((event) => event.type !== 'text' || event.text !== '')).toEqual([])
    })

    it('is handed the prompt whole: 200 KB, odd characters', async () => {
      const prompt = `# Ä ✓ 🐙 \0 \u0007 $& $(x) \`y\` 'z' "q" \\ {prompt} {{task}}\r\n\t${'lång '.repeat(34_000)}\nend\n\n`
      const { run, textOf } = await stage([{ savePrompt: 'p.txt' }])
      expect((await run({ prompt })).failure).toBeNull()
      expect(Buffer.byteLength(prompt)).toBeGreaterThan(200_000)
      expect(await textOf('p.txt')).toBe(prompt)
    })

    it('is heard in order', async () => {
      const words = Array.from({ length: 300 }, (_, at) => `word ${at}`)
      const { run, events } = await stage(words.map((say) => ({ say })))
      await run()
      expect(textsIn(events).filter((text) => text.startsWith('word'))).toEqual(words)
    })

    it('is heard in events of bounded length', async ({ skip }) => {
      needs('patience', skip)
      const { run, events } = await stage([{ say: 'x'.repeat(40_000) }, { say: 'after' }])
      await run()
      const [long = '', after] = textsIn(events)
      expect(long.startsWith('x'.repeat(EVENT_TEXT_MAX))).toBe(true)
      expect(long.length).toBeLessThan(EVENT_TEXT_MAX + 100)
      expect(after).toBe('after')
    })

    it('may print what is not UTF-8, and torn JSON', async ({ skip }) => {
      needs('rawOutput', skip)
      const { run, events } = await stage([{ badUtf8: {} }, { tornJson: {} }, { signal: { kind: 'ITERATION_DONE' } }])
      const outcome = await run()
      expect(outcome.failure).toBeNull()
      expect(readSignal(outcome.finalMessage)).toEqual({ kind: 'ITERATION_DONE' })
      expect(textsIn(events).slice(0, 2)).toEqual([
        'bad \uFFFD\uFFFD(\uFFFD\uFFFD\uFFFD',
        '{"type":"text","text":"torn in the mid',
      ])
    })

    it('tells what it used, also when it fails', async ({ skip }) => {
      needs('usage', skip)
      const usage = { inputTokens: 1000, outputTokens: 50, costUsd: 0.25 }
      const more = { inputTokens: 10, outputTokens: 5 }
      const { run, events } = await stage([{ usage }, { usage: more }, { crash: { code: 2 } }])
      const outcome = await run()
      const sum = { inputTokens: 1010, outputTokens: 55, costUsd: 0.25 }
      expect(outcome).toMatchObject({ failure: { kind: 'crashed' }, usage: sum })
      expect(events).toEqual([
        { type: 'usage', usage },
        { type: 'usage', usage: sum },
      ])
    })

    it('shows the tools it uses', async ({ skip }) => {
      needs('toolEvents', skip)
      needs('toolNames', skip)
      const { run, events } = await stage([{ run: 'echo out; echo err >&2; exit 3' }])
      await run()
      expect(events).toEqual([
        { type: 'toolUse', tool: 'run', input: '/bin/sh -c echo out; echo err >&2; exit 3' },
        { type: 'toolResult', tool: 'run', output: 'out\nerr\n', isError: true },
      ])
    })

    it('reports each kind of failure, with its end where it knows it', async ({ skip }) => {
      needs('reportedFailures', skip)
      for (const kind of FAILURE_KINDS) {
        const before = Date.now()
        const { run } = await stage([{ fail: { kind, sentence: `it is ${kind}`, untilInSeconds: 60 } }])
        const { failure } = await run()
        expect(failure).toEqual({ kind, sentence: `it is ${kind}`, until: expect.any(Number) })
        expect(failure?.until).toBeGreaterThanOrEqual(before + 60_000)
      }
      const { run } = await stage([{ fail: { kind: 'overload', sentence: 'busy' } }])
      expect((await run()).failure).toEqual({ kind: 'overload', sentence: 'busy', until: null })
    })
  })
}
