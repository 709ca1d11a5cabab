// Many listeners, one watch: each of them hears of every change once, and none after its end.
import { expect, it } from 'vitest'
import { shareChanges } from './shared-changes.ts'

function bell() {
  let ring: () => void = () => {}
  let watches = 0
  async function* changes(signal: AbortSignal): AsyncGenerator<void> {
    watches += 1
    const over = new Promise<'over'>((resolve) => signal.addEventListener('abort', () => resolve('over')))
    for (;;) {
      const rung = new Promise<'rung'>((resolve) => (ring = () => resolve('rung')))
      if ((await Promise.race([over, rung])) === 'over') return
      yield
    }
  }
  return { changes, ring: () => ring(), watches: () => watches }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('tells all of one change, from the moment they ask on', async () => {
  const { changes, ring, watches } = bell()
  const shared = shareChanges({ changes })
  await turn()
  const over = new AbortController()
  const [one, other] = [shared.changes(over.signal), shared.changes(new AbortController().signal)]
  ring()
  expect(await Promise.all([one.next(), other.next()])).toEqual([
    { done: false, value: undefined },
    { done: false, value: undefined },
  ])
  const next = one.next()
  over.abort()
  expect(await next).toEqual({ done: true, value: undefined })
  const rest = other.next()
  ring()
  expect((await rest).done).toBe(false)
  shared.end()
  expect((await other.next()).done).toBe(true)
  expect((await shared.changes(new AbortController().signal).next()).done).toBe(true)
  expect(watches()).toBe(1)
})
