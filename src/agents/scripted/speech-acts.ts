import { signalOf } from '../../core/session/signal.ts'
import type { Usage } from '../agent.ts'
import type { StepValue } from './scenario.ts'
import type { Acts } from './player-context.ts'
import type { Voice } from './output-records.ts'

export const speechActs: Acts<'say' | 'answer' | 'answerText' | 'signal' | 'usage' | 'flood' | 'badUtf8' | 'tornJson'> =
  {
    say: (text, { voice }) => voice.event({ type: 'text', text }),
    answer: (json, stage) => {
      stage.answer = JSON.stringify(json)
    },
    answerText: (text, stage) => {
      stage.answer = text
    },
    signal: ({ kind, reason }, stage) => {
      const signal = signalOf(kind, reason)
      stage.signal = 'reason' in signal ? `${kind}: ${signal.reason}` : kind
    },
    usage: (step, stage) => {
      stage.used = addUsage(stage.used, { ...step, costUsd: step.costUsd ?? null })
      stage.voice.event({ type: 'usage', usage: stage.used })
    },
    flood: (step, { voice }) => flood(step, voice),
    badUtf8: (_, { voice }) =>
      voice.raw(Buffer.from([0x62, 0x61, 0x64, 0x20, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x0a])),
    tornJson: (_, { voice }) => voice.raw(Buffer.from('{"type":"text","text":"torn in the mid\n')),
  }

function addUsage(before: Usage, more: Usage): Usage {
  return {
    inputTokens: before.inputTokens + more.inputTokens,
    outputTokens: before.outputTokens + more.outputTokens,
    costUsd: before.costUsd === null && more.costUsd === null ? null : (before.costUsd ?? 0) + (more.costUsd ?? 0),
  }
}

const CHUNK_BYTES = 65_536
const LINE_BYTES = 64

function flood({ bytes, as }: StepValue<'flood'>, voice: Voice): void {
  const chunk = Buffer.alloc(CHUNK_BYTES, as === 'lines' ? `${'x'.repeat(LINE_BYTES - 1)}\n` : 'x')
  for (let left = bytes; left > 0; left -= chunk.length) voice.raw(chunk.subarray(0, left))
  voice.raw(Buffer.from('\n'))
}
