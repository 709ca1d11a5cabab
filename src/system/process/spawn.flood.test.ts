// However much a child prints, we keep little and stay small.
import { memoryUsage } from 'node:process'
import { expect, it } from 'vitest'
import { KEEP_DEFAULT } from './head-tail-buffer.ts'
import type { Command } from './command.ts'
import { command, nodeScript, script, told } from '../../../test/rig/process-commands.ts'
import { run } from './spawn.ts'
import type { Ended } from './ended.ts'

const RSS_GROWTH_MAX_BYTES = 64 * 1024 * 1024

/** The end of the run and the most memory that was seen to be taken on the way. */
async function measured(sought: Command): Promise<{ readonly ended: Ended; readonly growthBytes: number }> {
  const before = memoryUsage.rss()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, memoryUsage.rss())
  }, 20)
  const ended = await run(sought)
  clearInterval(watch)
  return { ended, growthBytes: Math.max(most, memoryUsage.rss()) - before }
}

it('1 GB leaves the head and the tail and no trace in memory', async () => {
  const total = 1_000_000_000
  const { ended, growthBytes } = await measured(script(`yes | head -c ${total}`))
  const { headBytes, tailBytes } = KEEP_DEFAULT
  expect(ended).toMatchObject({ how: 'exited', code: 0, survivors: 0 })
  expect(ended.stdout.head.equals(Buffer.from('y\n'.repeat(headBytes / 2)))).toBe(true)
  expect(ended.stdout.tail.equals(Buffer.from('y\n'.repeat(tailBytes / 2)))).toBe(true)
  expect(ended.stdout).toMatchObject({ totalBytes: total, omittedBytes: total - headBytes - tailBytes })
  expect(growthBytes).toBeLessThanOrEqual(RSS_GROWTH_MAX_BYTES)
})

it('400 MB through a live consumer leave none either', async () => {
  const total = 400_000_000
  let seenBytes = 0
  const onOutput: Command['onOutput'] = async (chunk) => {
    seenBytes += chunk.length
  }
  const { ended, growthBytes } = await measured(script(`yes | head -c ${total}`, { onOutput }))
  expect(ended).toMatchObject({ how: 'exited', code: 0 })
  expect(seenBytes).toBe(total)
  expect(growthBytes).toBeLessThanOrEqual(RSS_GROWTH_MAX_BYTES)
})

it('one line of 50 MB is cut in its middle', async () => {
  const code = `process.stdout.write('<' + 'é'.repeat(25_000_000) + '>')`
  const ended = await run(nodeScript(code, { keep: { headBytes: 4, tailBytes: 4 } }))
  expect(told(ended)).toMatchObject({ how: 'exited', stdout: '<é\n… 49,999,996 bytes left out …\né>' })
})

it('more than the cap ends the child, and the consumer sees no more than the cap', async () => {
  let seenBytes = 0
  const outputCapBytes = 1_000_000
  const onOutput: Command['onOutput'] = (chunk) => {
    seenBytes += chunk.length
  }
  const ended = await run(command(['yes'], { outputCapBytes, onOutput }))
  expect(ended).toMatchObject({ how: 'flooded', signal: 'SIGTERM', survivors: 0, unkillable: 0 })
  expect(ended.stdout.totalBytes).toBeGreaterThan(outputCapBytes)
  expect(seenBytes).toBeLessThanOrEqual(outputCapBytes)
  expect(seenBytes).toBeGreaterThan(outputCapBytes / 2)
})

it('what is within the cap, over both streams, is let through', async () => {
  const line = 'head -c 500000 /dev/zero; head -c 500000 /dev/zero >&2'
  expect(await run(script(line, { outputCapBytes: 1_000_000 }))).toMatchObject({ how: 'exited', code: 0 })
  expect(await run(script(`${line}; echo; sleep 1000`, { outputCapBytes: 1_000_000 }))).toMatchObject({
    how: 'flooded',
  })
})
