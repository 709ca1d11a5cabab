import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BuildId } from '../core/values/id.ts'
import { mirrorNow, mirrorDebounced } from './debounced-mirror.ts'
import { newEngineMemory } from './memory.ts'

const ONE = 'b_1' as BuildId
const TWO = 'b_2' as BuildId

/** When which build was mirrored, in milliseconds. */
function recorder() {
  const told: [number, BuildId][] = []
  const mirror = async (build: BuildId) => {
    told.push([Date.now(), build])
    return { done: true } as const
  }
  return { told, engine: { workspaces: { mirror }, memory: newEngineMemory() } }
}

describe('what was merged is mirrored', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }))
  afterEach(() => void vi.useRealTimers())

  it('at once, then once a second for as long as more is merged, and then no more', async () => {
    const { told, engine } = recorder()
    for (let merges = 0; merges < 15; merges += 1) {
      mirrorDebounced(engine, ONE)
      await vi.advanceTimersByTimeAsync(100)
    }
    await vi.advanceTimersByTimeAsync(10_000)
    expect(told).toEqual([
      [0, ONE],
      [1_000, ONE],
      [2_000, ONE],
    ])
  })

  it('at once again after a quiet second', async () => {
    const { told, engine } = recorder()
    mirrorDebounced(engine, ONE)
    await vi.advanceTimersByTimeAsync(5_000)
    mirrorDebounced(engine, ONE)
    expect(told).toEqual([
      [0, ONE],
      [5_000, ONE],
    ])
  })

  it('each build by itself', () => {
    const { told, engine } = recorder()
    mirrorDebounced(engine, ONE)
    mirrorDebounced(engine, TWO)
    expect(told).toEqual([
      [0, ONE],
      [0, TWO],
    ])
  })

  it('now where that is asked for, and not once more at the end of the pause', async () => {
    const { told, engine } = recorder()
    mirrorDebounced(engine, ONE)
    mirrorDebounced(engine, ONE)
    await vi.advanceTimersByTimeAsync(300)
    await mirrorNow(engine, ONE)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(told).toEqual([
      [0, ONE],
      [300, ONE],
    ])
  })
})
