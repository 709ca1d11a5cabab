import { describe, expect, it } from 'vitest'
import { startDeadlines, within } from './deadlines.ts'

const never = new Promise<never>(() => {})

describe('the clock', () => {
  it('does not count silence while anyone has suspended it, and a resume counts once', async () => {
    const expired: string[] = []
    const clock = startDeadlines({ idleMs: 20 }, (which) => expired.push(which))
    const [first, second] = [clock.suspendIdle(), clock.suspendIdle()]
    first()
    first()
    await within(never, 100)
    expect(expired).toEqual([])
    const silence = new Promise((resolve) => {
      const again = startDeadlines({ idleMs: 20 }, resolve)
      again.suspendIdle()()
    })
    expect(await silence).toBe('idle')
    second()
    await within(never, 100)
    clock.stop()
    expect(expired).toEqual(['idle'])
  })

  it('takes a deadline longer than a timer can hold, and fires none after it was stopped', async () => {
    const expired: string[] = []
    const long = startDeadlines({ deadlineMs: 1e15, idleMs: 1e15 }, (which) => expired.push(which))
    const stopped = startDeadlines({ deadlineMs: 10, idleMs: 10 }, (which) => expired.push(which))
    stopped.suspendIdle()
    stopped.stop()
    await within(never, 50)
    long.stop()
    expect(expired).toEqual([])
  })
})
