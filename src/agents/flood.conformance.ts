// Part of agent.conformance.ts: an agent that never stops printing. Memory stays bounded and the last words are
// kept.
import { memoryUsage } from 'node:process'
import { beforeAll, describe, expect, it } from 'vitest'
import { readSignal } from '../core/session/signal.ts'
import { prepareForLongWork } from '../system/long-work.ts'
import { type Stage, type Trial } from './trial.conformance.ts'
import type { Outcome } from './agent.ts'
import { SHOWN_MAX } from './bounded-events.ts'

const RSS_GROWTH_MAX_BYTES = 64 * 1024 * 1024

interface Flooded {
  readonly outcome: Outcome
  readonly growthBytes: number
  /** Of all events together. */
  readonly shown: number
}

async function flooded({ run }: Stage): Promise<Flooded> {
  const before = memoryUsage.rss()
  let most = before
  let shown = 0
  const watch = setInterval(() => {
    most = Math.max(most, memoryUsage.rss())
  }, 20)
  const outcome = await run({
    onEvent: (event) => {
      shown += 'text' in event ? event.text.length : 0
    },
  })
  clearInterval(watch)
  return { outcome, growthBytes: Math.max(most, memoryUsage.rss()) - before, shown }
}

export function describeFlood({ stage, needs }: Trial): void {
  describe('in a flood', () => {
    // As every build does: else it is V8's room for new objects that is measured, which a busy machine lets grow to 50 MB.
    beforeAll(prepareForLongWork)

    it.for(['lines', 'oneLine'] as const)('is stopped on the way to 1 GB of output: %s', async (as, { skip }) => {
      needs('rawOutput', skip)
      const made = await stage([{ flood: { bytes: 1_000_000_000, as } }])
      const { outcome, growthBytes, shown } = await flooded(made)
      const sentence = `${made.agent.name} printed without end and was stopped`
      expect(outcome.failure).toEqual({ kind: 'badOutput', sentence, until: null })
      expect(growthBytes).toBeLessThan(RSS_GROWTH_MAX_BYTES)
      expect(shown).toBeLessThan(SHOWN_MAX * 1.1)
      expect(outcome.finalMessage.length).toBeLessThan(300_000)
    })

    it.for(['lines', 'oneLine'] as const)('of 50 MB its last words are still heard: %s', async (as, { skip }) => {
      needs('stamina', skip)
      const steps = [
        { flood: { bytes: 50_000_000, as } },
        { answerText: 'after the flood' },
        { signal: { kind: 'TASK_COMPLETE' } },
      ] as const
      const { outcome, growthBytes } = await flooded(await stage(steps))
      expect(outcome.failure).toBeNull()
      expect(outcome.finalMessage.trimEnd().endsWith('after the flood\n\nTASK_COMPLETE')).toBe(true)
      expect(readSignal(outcome.finalMessage)).toEqual({ kind: 'TASK_COMPLETE' })
      expect(growthBytes).toBeLessThan(RSS_GROWTH_MAX_BYTES)
    })
  })
}
