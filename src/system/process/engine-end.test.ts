// What becomes of the children of an engine that ends: real engines, in processes of their own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { outputText } from './head-tail-buffer.ts'
import { killAll } from './engine-end.ts'
import { command, isRunning, pidsIn, script, startAndWhen, told } from '../../../test/rig/process-commands.ts'
import { endLeftovers, identify, killTree } from '../process-table/identity.ts'
import { run, type Running } from './spawn.ts'

const folder = mkdtempSync(join(tmpdir(), 'ralph-engine-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const children = `echo pid $$; setsid sh -c 'echo pid $$; echo ready; exec sleep 1000' & wait`

/** An engine that runs the children, tells their numbers and its own marker, and then does as told. */
function engine(trust: 'stranger' | 'tool', then: string): readonly string[] {
  const file = join(folder, `${trust}-${then.length}.ts`)
  const part = (name: string): string => JSON.stringify(join(import.meta.dirname, name))
  writeFileSync(
    file,
    `import { start } from ${part('spawn.ts')}
import { engineMarker } from ${part('../process-table/marker.ts')}
let seen = ''
start({
  argv: ['/bin/sh', '-c', ${JSON.stringify(children)}],
  cwd: '/',
  env: { PATH: process.env.PATH ?? '' },
  trust: '${trust}',
  onOutput: (chunk) => {
    seen += chunk
    if (!seen.includes('ready')) return
    console.log(seen + 'marker ' + engineMarker)
    ${then}
  },
})
`,
  )
  return [execPath, file]
}

/** There is no event for the end of somebody else's process; the test's own time limit is the bound. */
async function untilGone(pids: readonly number[]): Promise<readonly number[]> {
  while (pids.some(isRunning)) await sleep(20)
  return pids
}

const env = { PATH: process.env['PATH'] ?? '' }

/** Outside of any run of ours, so that only the engine's own care can be what ends its children. */
async function orphaned(argv: readonly string[]): Promise<readonly number[]> {
  const line = `env -i PATH="$PATH" "$@" > ${folder}/said; cat ${folder}/said`
  const ended = await run(command(['/bin/sh', '-c', line, 'sh', ...argv], { env, trust: 'tool' }))
  const pids = pidsIn(outputText(ended.stdout))
  expect(pids).toHaveLength(2)
  return pids
}

describe('when an engine ends, its children end', () => {
  it('by the watch, after kill -9', async () => {
    expect(await untilGone(await orphaned(engine('stranger', `process.kill(process.pid, 'SIGKILL')`)))).toHaveLength(2)
  })

  it('by the watch, after a crash', async () => {
    expect(
      await untilGone(await orphaned(engine('stranger', `setImmediate(() => { throw new Error('crash') })`))),
    ).toHaveLength(2)
  })

  it('by the exit hook, the group of a tool', async () => {
    const [leader, escaped] = await orphaned(engine('tool', 'process.exit(0)'))
    expect(await untilGone([leader ?? 0])).toHaveLength(1)
    // Of a tool nobody expects it, so nobody looks for what has left its group.
    const identity = await identify(escaped ?? 0)
    expect(identity === null ? null : await killTree(identity)).toEqual({ ended: 1, left: 0 })
  })

  it('by the next start, which knows the marker', async () => {
    const { running, seen } = await engineReady(engine('stranger', ''))
    const pids = pidsIn(seen)
    const swept = await endLeftovers(/marker (\w+)/.exec(seen)?.[1] ?? '')
    expect(swept).toEqual({ ended: 2, left: 0 })
    expect(pids.filter(isRunning)).toEqual([])
    expect(told(await running.ended)).toMatchObject({ how: 'exited' })
  })

  it('by the outer run, where an engine runs inside another', async () => {
    const ended = await run(command(engine('stranger', `process.kill(process.pid, 'SIGKILL')`)))
    const pids = pidsIn(outputText(ended.stdout))
    expect(pids).toHaveLength(2)
    expect(pids.filter(isRunning)).toEqual([])
    expect(told(ended)).toMatchObject({ how: 'signalled', signal: 'SIGKILL', unkillable: 0 })
  })
})

function engineReady(argv: readonly string[]): Promise<{ readonly running: Running; readonly seen: string }> {
  return new Promise((resolve) => {
    startAndWhen('marker', command(argv), (running, seen) => resolve({ running, seen }))
  })
}

it('killAll ends whatever runs here', async () => {
  const ready = (): Promise<Running> =>
    new Promise((resolve) => startAndWhen('ready', script('echo ready; exec sleep 1000'), resolve))
  const both = [await ready(), await ready()]
  killAll()
  const ends = await Promise.all(both.map((running) => running.ended))
  expect(ends.map(({ how, signal }) => ({ how, signal }))).toEqual(
    both.map(() => ({ how: 'signalled', signal: 'SIGKILL' })),
  )
})
