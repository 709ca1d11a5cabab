import { afterEach, describe, expect, it } from 'vitest'
import { RalphError } from '../../core/error/error.ts'
import { isRunning, pidsIn, script, startAndWhen, told } from '../../../test/rig/process-commands.ts'
import { endLeftovers, identify, isAlive, killTree, type Identity } from './identity.ts'
import { isInside, marker, newMarker } from './marker.ts'
import { entryOf, signalSame } from './process-table.ts'
import type { Running } from '../process/spawn.ts'

let started: Running[] = []
afterEach(async () => {
  for (const running of started) running.kill()
  await Promise.all(started.map((running) => running.ended))
  started = []
})

/** A shell with two children, one of them in a session of its own; resolves when all three are there. */
async function tree(): Promise<{
  readonly running: Running
  readonly identity: Identity
  readonly pids: readonly number[]
}> {
  const line = `echo pid $$; sleep 1000 & echo pid $!; setsid sh -c 'echo pid $$; echo ready; exec sleep 1000' & wait`
  const { running, seen } = await new Promise<{ running: Running; seen: string }>((resolve) => {
    started.push(startAndWhen('ready', script(line), (running, seen) => resolve({ running, seen })))
  })
  const identity = await identify(running.pid ?? 0)
  if (identity === null) throw new Error('the shell should run')
  return { running, identity, pids: pidsIn(seen) }
}

describe('an identity', () => {
  it('survives storage and speaks for the process while it runs, not after', async () => {
    const { running, identity } = await tree()
    const stored = JSON.parse(JSON.stringify(identity)) as Identity
    expect(stored).toEqual(identity)
    expect(await isAlive(stored)).toBe(true)
    running.kill()
    await running.ended
    expect(await isAlive(stored)).toBe(false)
    expect(await identify(identity.pid)).toBe(null)
  })

  it.each([0, -1, 1.5, Number.NaN, 2 ** 30])('of %d does not exist', async (pid) => {
    expect(await identify(pid)).toBe(null)
  })
})

describe('killTree', () => {
  it('ends the process and all that comes from it', async () => {
    const { running, identity, pids } = await tree()
    expect(pids).toHaveLength(3)
    expect(await killTree(identity)).toEqual({ ended: 3, left: 0 })
    expect(pids.filter(isRunning)).toEqual([])
    expect(told(await running.ended)).toMatchObject({ how: 'signalled', signal: 'SIGKILL' })
  })

  it('touches nobody when the number has gone to another process', async () => {
    const { identity, pids } = await tree()
    const others: readonly Identity[] = [
      { ...identity, startedAt: identity.startedAt - 1 },
      { ...identity, startedAt: identity.startedAt + 1 },
      { ...identity, bootId: 'another boot' },
    ]
    for (const other of others) {
      expect(await isAlive(other)).toBe(false)
      expect(await killTree(other)).toEqual({ ended: 0, left: 0 })
    }
    expect(signalSame({ ...identity, startedAt: identity.startedAt + 1 }, 'SIGKILL')).toBe('gone')
    expect(pids.filter(isRunning)).toEqual(pids)
  })

  it('does not end the group that it is called in', async () => {
    const group = await identify(entryOf(process.pid)?.group ?? 0)
    expect(group === null ? { ended: 0, left: 0 } : await killTree(group)).toEqual({ ended: 0, left: 0 })
  })
})

describe('endLeftovers', () => {
  it('ends all that carries the marker, and nothing else', async () => {
    const [one, other] = [await tree(), await tree()]
    expect(await endLeftovers(newMarker())).toEqual({ ended: 0, left: 0 })
    expect(await endLeftovers(one.running.marker)).toEqual({ ended: 3, left: 0 })
    expect(one.pids.filter(isRunning)).toEqual([])
    expect(other.pids.filter(isRunning)).toEqual(other.pids)
  })

  it.each(['', ' ', '*', 'RALPH_RUN', 'a'.repeat(31), 'A'.repeat(32), `${'a'.repeat(32)}:`, `${'a'.repeat(32)}\n`])(
    'refuses %j, which could mean anyone',
    async (text) => {
      await expect(endLeftovers(text)).rejects.toThrow(RalphError)
    },
  )

  it('never ends the run that it is called in', async () => {
    const before = process.env['RALPH_RUN']
    const own = newMarker()
    process.env['RALPH_RUN'] = `${newMarker()}:${own}:${newMarker()}`
    const [inside, { running, pids }] = [isInside(own), await tree()]
    const swept = await endLeftovers(own)
    if (before === undefined) delete process.env['RALPH_RUN']
    else process.env['RALPH_RUN'] = before
    expect({ inside, swept }).toEqual({ inside: true, swept: { ended: 0, left: 0 } })
    expect(pids.filter(isRunning)).toEqual(pids)
    expect(marker(running.marker)).toBe(running.marker)
  })
})
