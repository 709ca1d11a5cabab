import { expect, it } from 'vitest'
import { openOutlet } from './outlet.ts'

const text = 'x'.repeat(60)

it('lets through what there is room for, waits for more room, and gives up who takes nothing', async () => {
  const takes: (() => void)[] = []
  const outlet = openOutlet((_, taken) => takes.push(taken), 20, 100)
  expect(await outlet.deliver(text)).toBe(true)
  const second = outlet.deliver(text)
  takes.shift()?.()
  expect(await second).toBe(true)
  expect(await outlet.deliver(text)).toBe(false)
})
