import { expect, it } from 'vitest'
import { onInterrupt } from './interrupt.ts'

const LONG_MS = 600_000

function heard(signals: readonly NodeJS.Signals[], patienceMs: number) {
  const calls: string[] = []
  let killed = (): void => {}
  const kill = new Promise<void>((resolve) => (killed = resolve))
  const off = onInterrupt(
    {
      stop: () => calls.push('stop'),
      kill: () => {
        calls.push('kill')
        killed()
      },
    },
    patienceMs,
  )
  for (const signal of signals) process.emit(signal)
  return { calls, kill, off }
}

it.each<[NodeJS.Signals[], string[]]>([
  [['SIGINT'], ['stop']],
  [
    ['SIGINT', 'SIGINT'],
    ['stop', 'kill'],
  ],
  [
    ['SIGINT', 'SIGINT', 'SIGINT'],
    ['stop', 'kill'],
  ],
  [['SIGTERM'], ['stop']],
  [['SIGHUP'], ['stop']],
  [
    ['SIGTERM', 'SIGINT'],
    ['stop', 'kill'],
  ],
  [
    ['SIGINT', 'SIGTERM'],
    ['stop', 'kill'],
  ],
])('%j means %j', (signals, calls) => {
  const { calls: made, off } = heard(signals, LONG_MS)
  off()
  expect(made).toEqual(calls)
})

it.each<NodeJS.Signals>(['SIGTERM', 'SIGHUP'])('%s alone kills after a while', async (signal) => {
  const { calls, kill, off } = heard([signal], 1)
  // The listener's own timer keeps no process alive.
  const alive = setInterval(() => {}, LONG_MS)
  await kill
  clearInterval(alive)
  off()
  expect(calls).toEqual(['stop', 'kill'])
})

it('leaves nothing behind', () => {
  const before = process.listenerCount('SIGINT')
  heard([], LONG_MS).off()
  expect(process.listenerCount('SIGINT')).toBe(before)
})
