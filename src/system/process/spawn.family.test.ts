// Nothing that a child started outlives the run, however it hides; and nobody else is touched.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { outputText } from './head-tail-buffer.ts'
import { membersNow } from '../process-table/descendants.ts'
import { isRunning, pidsIn, script, startAndWhen, told } from '../../../test/rig/process-commands.ts'
import { identify, killTree } from '../process-table/identity.ts'
import { run, start } from './spawn.ts'

const folder = mkdtempSync(join(tmpdir(), 'ralph-family-test-'))
let files = 0
afterAll(() => rmSync(folder, { recursive: true }))

// What a failing test leaves behind must not stay.
let seen: readonly number[] = []
afterEach(async () => {
  for (const pid of seen) {
    const identity = isRunning(pid) ? await identify(pid) : null
    if (identity !== null) await killTree(identity)
  }
  seen = []
})

/** A shell line that leaves one process behind, and prints its number when that process has got where it wants to be. */
function leaving(hide: string, then: string): string {
  const file = join(folder, String(files++))
  writeFileSync(`${file}.sh`, `echo pid $$ > ${file}.new; mv ${file}.new ${file}; ${then}`)
  return `(${hide.replace('IT', `sh ${file}.sh`)}) & until [ -e ${file} ]; do sleep 0.01; done; cat ${file}`
}

const sleeps = 'exec sleep 1000'
const ways: readonly (readonly [string, () => string])[] = [
  ['in the background, holding the output', () => leaving('exec IT', sleeps)],
  ['in the background, silent', () => leaving('exec IT >/dev/null 2>&1', sleeps)],
  ['under nohup', () => leaving('exec nohup IT >/dev/null 2>&1', sleeps)],
  ['that ignores SIGTERM', () => leaving('trap "" TERM HUP; exec IT', sleeps)],
  ['that is stopped', () => leaving('exec IT', `kill -STOP $$; ${sleeps}`)],
  ['without environment, in the session', () => leaving('exec env -i IT', sleeps)],
  ['in a session of its own, holding the output', () => leaving('exec setsid IT', sleeps)],
  ['in a session of its own, silent', () => leaving('exec setsid IT >/dev/null 2>&1', sleeps)],
  ['forked twice into a session of its own', () => leaving(`setsid sh -c '(exec IT) &'`, sleeps)],
]

describe('after the child has left, a process', () => {
  it.each(ways)('%s is ended', async (_, line) => {
    const ended = await run(script(line()))
    seen = pidsIn(outputText(ended.stdout))
    expect(seen).toHaveLength(1)
    expect(seen.filter(isRunning)).toEqual([])
    expect(told(ended)).toMatchObject({ how: 'exited', code: 0, survivors: 1, unkillable: 0 })
  })

  it('in the group of a trusted tool is ended, too', async () => {
    const ended = await run(script(leaving('exec IT', sleeps), { trust: 'tool' }))
    seen = pidsIn(outputText(ended.stdout))
    expect(seen.map(isRunning)).toEqual([false])
    expect(told(ended)).toMatchObject({ how: 'exited', survivors: 1, unkillable: 0 })
  })

  it('that finishes its words at once is heard', async () => {
    const ended = await run(script('(while kill -0 $$ 2>/dev/null; do :; done; echo late) & echo early'))
    expect(told(ended)).toMatchObject({ how: 'exited', stdout: 'early\nlate\n', survivors: 0 })
  })
})

describe('when the child is aborted, a process', () => {
  // Its parent still stands: what has hidden everything else is found by its descent.
  const hidden = [
    'without environment, in a session of its own',
    () => leaving('exec env -i setsid IT', sleeps),
  ] as const
  it.each([...ways, hidden])('%s is ended with it', async (_, line) => {
    const sought = script(`echo pid $$; ${line()}; echo ready; sleep 1000`, { graceMs: 300 })
    const running = startAndWhen('ready', sought, () => running.stop())
    const ended = await running.ended
    seen = pidsIn(outputText(ended.stdout))
    expect(seen).toHaveLength(2)
    expect(seen.filter(isRunning)).toEqual([])
    expect(ended).toMatchObject({ how: 'aborted', unkillable: 0 })
  })

  it('gets the same grace to leave in order', async () => {
    const line = `sh -c 'trap "sleep 0.2; echo tidied; exit" TERM; echo ready; while :; do sleep 0.05; done' & sleep 1000`
    const running = startAndWhen('ready', script(line), () => running.stop())
    expect(told(await running.ended)).toMatchObject({
      how: 'aborted',
      signal: 'SIGTERM',
      stdout: 'ready\ntidied\n',
      survivors: 0,
    })
  })
})

it('a crowd that goes on forking is ended', async () => {
  // Bounded, so that a failing test does not fill the machine.
  const forking = 'n=0; while [ $n -lt 300 ]; do n=$((n + 1)); setsid sleep 1000 & sleep 0.01; done'
  const line = `for i in 1 2 3 4; do setsid sh -c '${forking}' >/dev/null 2>&1 & done; sleep 0.3`
  const running = start(script(line))
  const ended = await running.ended
  const left = await membersNow({ marker: running.marker, startedSince: 0, among: null, isSeed: () => false })
  seen = left.map((entry) => entry.pid)
  expect(left).toEqual([])
  expect(ended).toMatchObject({ how: 'exited', code: 0, unkillable: 0 })
  expect(ended.survivors).toBeGreaterThan(4)
})

it('parallel runs end only their own', async () => {
  const escaped = (): string => leaving('exec setsid IT', sleeps)
  const standing = start(script(`${escaped()}; echo ready; exec sleep 1000`))
  const ends = await Promise.all(Array.from({ length: 20 }, () => run(script(escaped()))))
  seen = ends.flatMap((ended) => pidsIn(outputText(ended.stdout)))
  expect(seen).toHaveLength(20)
  expect(seen.filter(isRunning)).toEqual([])
  expect(ends.map((ended) => ended.survivors)).toEqual(ends.map(() => 1))

  standing.kill()
  expect(told(await standing.ended)).toMatchObject({ how: 'aborted', signal: 'SIGKILL', survivors: 1 })
})
