// The operator controls a loop through the store, from any process: a pause takes effect after the current effect, an
// abort at once.
import { setTimeout } from 'node:timers/promises'
import type { Loop } from './deps.ts'
import type { StopSwitch } from './stop.ts'

export interface Control {
  /** How many changes we have seen. Ask before you read the store, so that you miss none. */
  readonly seen: () => number
  /** Resolves once there is a change since `seen`, when the loop has to stop, or after `limitMs`. */
  readonly changed: (seen: number, limitMs: number) => Promise<void>
  /** Calls `tell` at every change; returns how to stop that. */
  readonly onChange: (tell: () => void) => () => void
  readonly end: () => Promise<void>
}

/**
 * A task makes about ten changes of its own in this time; nobody notices if the operator's word takes effect this much
 * later.
 */
const LOOK_EVERY_MS = 20

export async function obeyOperator({ engine, build }: Loop, stops: StopSwitch): Promise<Control> {
  const over = new AbortController()
  const waiting = new Set<() => void>()
  const listeners = new Set<() => void>()
  let changes = 0
  const wakeAll = (): void => {
    changes += 1
    for (const wake of waiting) wake()
  }
  const look = async (): Promise<void> => {
    const state = (await engine.store.builds.find(build))?.state
    if (state === 'paused') stops.ask({ reason: 'Paused' })
    if (state === 'aborted') stops.demand({ reason: 'Aborted' })
  }
  const listening = (async () => {
    for await (const _ of engine.store.changes(over.signal)) {
      await look()
      for (const tell of listeners) tell()
      wakeAll()
      await setTimeout(LOOK_EVERY_MS, null, { signal: over.signal }).catch(() => {})
    }
  })()
  stops.signal.addEventListener('abort', wakeAll)
  await look()
  return {
    seen: () => changes,
    changed: async (seen, limitMs) => {
      if (changes !== seen || stops.signal.aborted) return
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        const timer = globalThis.setTimeout(wake, limitMs)
        waiting.add(wake)
      })
    },
    onChange: (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    end: async () => {
      over.abort()
      stops.signal.removeEventListener('abort', wakeAll)
      await listening
    },
  }
}
