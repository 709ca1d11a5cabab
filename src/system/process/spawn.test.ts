// What a run gives back: how it ended, what it printed, what it was given, and why it never started.
import { chmodSync, lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { outputBytes, outputText } from './head-tail-buffer.ts'
import type { Command } from './command.ts'
import { command, quiet, script, told } from '../../../test/rig/process-commands.ts'
import { engineMarker } from '../process-table/marker.ts'
import { run, start } from './spawn.ts'
import { CHILDREN_AHEAD_MAX } from './stdio.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'

const folder = mkdtempSync(join(tmpdir(), 'ralph-spawn-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const trusts = ['stranger', 'tool'] as const

describe('the end of a child', () => {
  it.each([
    ['exit 0', { how: 'exited', code: 0 }],
    ['exit 7', { how: 'exited', code: 7 }],
    ['exit 255', { how: 'exited', code: 255 }],
    ['kill -KILL $$', { how: 'signalled', signal: 'SIGKILL' }],
    ['kill -SEGV $$', { how: 'signalled', signal: 'SIGSEGV' }],
    ['kill -TERM $$', { how: 'signalled', signal: 'SIGTERM' }],
    ['echo out; echo err >&2; exit 3', { how: 'exited', code: 3, stdout: 'out\n', stderr: 'err\n' }],
    ["printf 'a\\377\\303(b'", { how: 'exited', code: 0, stdout: 'a\uFFFD\uFFFD(b' }],
    ["printf 'a\\000b'", { how: 'exited', code: 0, stdout: 'a\0b' }],
  ])('%s', async (line, expected) => {
    for (const trust of trusts) expect(told(await run(script(line, { trust })))).toEqual({ ...quiet, ...expected })
  })

  it('runs fifty at once, each with its own output', async () => {
    const numbers = Array.from({ length: 50 }, (_, number) => number)
    const ends = await Promise.all(numbers.map((number) => run(script(`echo out ${number}; exit ${number}`))))
    expect(ends.map(told)).toEqual(
      numbers.map((number) => ({ ...quiet, how: 'exited', code: number, stdout: `out ${number}\n` })),
    )
  })
})

describe('what the child is given', () => {
  it('is the environment named and the marker, nothing of ours', async () => {
    for (const trust of trusts) {
      const running = start(command(['/usr/bin/env'], { env: { ONLY: 'this', RALPH_RUN: 'forged' }, trust }))
      const { stdout } = told(await running.ended)
      const outer = process.env['RALPH_RUN']
      const chain = [...(outer === undefined ? [] : [outer]), engineMarker, running.marker].join(':')
      expect(String(stdout).trim().split('\n').toSorted()).toEqual(['ONLY=this', `RALPH_RUN=${chain}`])
    }
  })

  it('is the arguments as they are: no shell reads them', async () => {
    const args = ['$(id)', '; ls', '*', '', 'a b', "'", '-n', 'line\nbreak', 'é']
    const ended = await run(command(['printf', '<%s>', ...args]))
    expect(told(ended)).toEqual({ ...quiet, how: 'exited', code: 0, stdout: args.map((arg) => `<${arg}>`).join('') })
  })

  it('is the folder named', async () => {
    expect(told(await run(script('pwd -P', { cwd: folder })))).toMatchObject({ stdout: `${folder}\n` })
  })

  it('is an empty stdin unless there is input', async () => {
    for (const trust of trusts) expect(told(await run(command(['cat'], { trust })))).toMatchObject({ stdout: '' })
  })

  it('is the input, byte by byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
    for (const trust of trusts) {
      const ended = await run(command(['cat'], { input: bytes, keep: { headBytes: 1_000_000, tailBytes: 0 }, trust }))
      expect(outputBytes(ended.stdout)?.equals(bytes)).toBe(true)
      expect(told(await run(command(['cat'], { input: 'é\n', trust })))).toMatchObject({ stdout: 'é\n' })
    }
  })

  it('may be left unread, however large', async () => {
    const input = Buffer.alloc(20_000_000)
    for (const trust of trusts) {
      expect(told(await run(command(['true'], { input, trust })))).toEqual({ ...quiet, how: 'exited', code: 0 })
      expect(told(await run(script('exec <&-; echo closed', { input, trust })))).toMatchObject({ stdout: 'closed\n' })
    }
  })

  it('is streams that can be opened by name, as in a terminal', async () => {
    const line = 'cat /dev/stdin; echo o > /dev/stdout; echo e > /dev/stderr; echo t | tee -a /dev/stderr'
    expect(told(await run(script(line, { input: 'i\n' })))).toEqual({
      ...quiet,
      how: 'exited',
      code: 0,
      stdout: 'i\no\nt\n',
      stderr: 'e\nt\n',
    })
  })
})

describe('the live consumer', () => {
  it('gets every byte in order, one chunk at a time per stream', async () => {
    const seen: Buffer[] = []
    let now = 0
    let most = 0
    const onOutput: Command['onOutput'] = async (chunk) => {
      most = Math.max(most, ++now)
      seen.push(Buffer.from(chunk))
      await new Promise((resolve) => setTimeout(resolve, 3))
      now--
    }
    await run(command(['seq', '50000'], { onOutput, keep: { headBytes: 10, tailBytes: 10 } }))
    const lines = Array.from({ length: 50_000 }, (_, index) => `${index + 1}\n`)
    expect(Buffer.concat(seen).toString() === lines.join('')).toBe(true)
    expect(most).toBe(1)
  })

  it('is told which stream, and has the bytes only until it has answered', async () => {
    const kept: Buffer[] = []
    const seen: string[] = []
    for (const trust of trusts) {
      const onOutput: Command['onOutput'] = (chunk, stream) => {
        kept.push(chunk)
        seen.push(`${stream} ${chunk}`)
      }
      await run(script('echo a; echo b >&2', { onOutput, trust }))
    }
    expect(seen.toSorted()).toEqual(['stderr b\n', 'stderr b\n', 'stdout a\n', 'stdout a\n'])
    expect(kept.map((chunk) => chunk.length)).toEqual([0, 0, 0, 0])
  })

  it.each([
    ['throws', (): void => fail()],
    ['rejects', async (): Promise<void> => fail()],
  ])('that %s ends the child, and its error comes out', async (_, onOutput) => {
    const running = start(script('echo a; exec sleep 1000', { onOutput }))
    await expect(running.ended).rejects.toThrow('no room')
  })

  function fail(): never {
    throw new Error('no room')
  }
})

describe('a command that cannot start', () => {
  const plain = join(folder, 'plain.txt')
  const lost = join(folder, 'lost.sh')
  writeFileSync(plain, 'text')
  writeFileSync(lost, '#!/nowhere/interpreter\n')
  chmodSync(lost, 0o755)
  const cases: readonly (readonly [string, Command, string, string])[] = [
    [
      'no such program',
      command(['no-such-program']),
      'ENOENT',
      '"no-such-program" was not found on PATH; install it, or name its full path',
    ],
    [
      'no such path',
      command(['/no/such/program']),
      'ENOENT',
      '"/no/such/program" does not exist, or the interpreter in its first line does not; correct the path',
    ],
    [
      'no such interpreter',
      command([lost]),
      'ENOENT',
      `"${lost}" does not exist, or the interpreter in its first line does not; correct the path`,
    ],
    [
      'no such folder',
      command(['true'], { cwd: '/no/such/folder' }),
      'ENOENT',
      'the folder "/no/such/folder" cannot be entered (ENOENT); make it, or name another',
    ],
    [
      'no folder at all',
      command(['true'], { cwd: plain }),
      'ENOTDIR',
      `"${plain}" is not a folder; name the folder to run in`,
    ],
    [
      'not executable',
      command([plain]),
      'EACCES',
      `"${plain}" may not be run in "/"; make the file executable and its folders readable`,
    ],
    [
      'too long',
      command(['true', 'x'.repeat(300_000)], { env: {} }),
      'E2BIG',
      'the arguments of "true" and its environment take 300,006 bytes, more than the system takes; hand long text over stdin or in a file',
    ],
  ]
  it.each(cases)('%s', async (_, sought, errno, sentence) => {
    for (const trust of trusts) {
      const running = start({ ...sought, trust })
      expect(running.pid).toBe(null)
      expect(told(await running.ended)).toEqual({ ...quiet, how: 'notStarted', errno, sentence })
    }
  })

  it('is not started when it was aborted before', async () => {
    const witness = join(folder, 'witness')
    const running = start(command(['touch', witness], { signal: AbortSignal.abort() }))
    expect(running.pid).toBe(null)
    expect(told(await running.ended)).toEqual({ ...quiet, how: 'aborted' })
    expect(told(await run(script(`test -e ${witness}`)))).toMatchObject({ code: 1 })
  })
})

it('leaves no descriptor open here, however a run ends', async () => {
  const lines = ['exit 1', 'setsid sleep 1000 &', 'kill -KILL $$']
  const failing = [
    command(['no-such-program']),
    command(['true', 'x'.repeat(300_000)]),
    command(['true'], { cwd: '/no' }),
  ]
  const openPipes = (): number => {
    const open = readdirSync('/proc/self/fd').map((name) => linkOf(`/proc/self/fd/${name}`))
    expect(open.filter((link) => link.includes('ralph-stdin-'))).toEqual([])
    return open.filter((link) => link.includes('ralph-stdio-')).length
  }
  // As many children as there are pipes made ahead, so that as many are left as were there before.
  for (let round = 0; round < CHILDREN_AHEAD_MAX; round += 1) await run(script('exit 0'))
  const before = openPipes()
  for (let round = 0; round < CHILDREN_AHEAD_MAX; round += 1)
    await Promise.all([...lines.map((line) => script(line, { input: 'x' })), ...failing].map(run))
  expect(openPipes()).toBe(before)
})

/** The descriptor of the listing itself is closed by now. */
function linkOf(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? '' : readlinkSync(path)
}

describe('a live stdin', () => {
  const live = (program: string) =>
    start({ argv: [process.execPath, '-e', program], cwd: '/', env: {}, stdin: 'live', deadlineMs: HANG_MS })

  it('is written to while the child runs, until it is ended', async () => {
    const running = live('process.stdin.pipe(process.stdout)')
    expect([running.tell('one\n'), running.tell('two ✓\n')]).toEqual([true, true])
    running.endInput()
    const ended = await running.ended
    expect({ how: ended.how, code: ended.code, text: outputText(ended.stdout) }).toEqual({
      how: 'exited',
      code: 0,
      text: 'one\ntwo ✓\n',
    })
    expect(running.tell('too late')).toBe(true)
  })

  it('that nobody reads takes a bounded amount', async () => {
    const running = live('setTimeout(() => {}, 60_000)')
    const told = Array.from({ length: 20 }, () => running.tell('x'.repeat(1024 * 1024)))
    expect(told.filter((one) => one).length).toBeLessThanOrEqual(10)
    expect(told.at(-1)).toBe(false)
    running.kill()
    expect((await running.ended).how).toBe('aborted')
  })
})
