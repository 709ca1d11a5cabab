import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outputText } from '../process/head-tail-buffer.ts'
import { identify } from './identity.ts'
import { ancestors, isBelow, tableOf } from './inside.ts'
import { engineMarker } from './marker.ts'
import { hasProc, type Entry } from './proc-entry.ts'
import { entryOf } from './process-table.ts'
import { psEntries } from './process-table-ps.ts'
import { run } from '../process/spawn.ts'

let folder: string
/** Where this process has left its note, and where another has. */
let ours: string
let others: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ralph inside '))
  ours = join(folder, 'ours')
  others = join(folder, 'others')
  const note = JSON.stringify(await identify(process.pid))
  for (const [path, marker] of [
    [ours, engineMarker],
    [others, '0123456789abcdef0123456789abcdef'],
  ] as const) {
    mkdirSync(path)
    writeFileSync(join(path, `${marker}.json`), note)
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = (): string => `
const { insideOf } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'inside.ts')).href)})
console.log(JSON.stringify(await insideOf(process.env, () => ${JSON.stringify([ours])})))
console.log(JSON.stringify(await insideOf(process.env, () => ${JSON.stringify([others])})))`

/** What a child that the engine started says of itself, in the store of this engine and in another. */
async function said(
  env: Readonly<Record<string, string>>,
  wrap: readonly string[] = [],
  speaksFor?: 'operator',
): Promise<unknown[]> {
  const argv = [...wrap, process.execPath, '--input-type=module', '-e', program()]
  const ended = await run({ argv, cwd: folder, env, ...(speaksFor === undefined ? {} : { speaksFor }) })
  expect(outputText(ended.stderr)).toBe('')
  return outputText(ended.stdout)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

/** Says of itself that it is the operator's own command. */
const forging = ['/bin/sh', '-c', 'RALPH_OPERATOR_RUN="${RALPH_RUN##*:}" "$@"; exit $?', 'sh']

describe.runIf(hasProc)('what an engine has started', () => {
  it('is inside of its store only', async () => {
    expect(await said({})).toEqual([{ socket: null }, null])
  })

  it('knows the socket of its session, also where a child has lost it', async () => {
    const RALPH_SOCKET = '/run/a session'
    expect(await said({ RALPH_SOCKET })).toEqual([{ socket: RALPH_SOCKET }, null])
    const path = process.env['PATH'] ?? ''
    const cleared = ['/bin/sh', '-c', 'env -i "$@"; exit $?', 'sh']
    expect(await said({ RALPH_SOCKET, PATH: path }, cleared)).toEqual([{ socket: RALPH_SOCKET }, null])
  })

  it("is outside as a command of the operator's own, and not because it says so", async () => {
    expect(await said({}, [], 'operator')).toEqual([null, null])
    expect(await said({ PATH: process.env['PATH'] ?? '' }, forging)).toEqual([{ socket: null }, null])
  })
})

it('a socket without any marker is a session that hides where it belongs', async () => {
  const { insideOf } = await import('./inside.ts')
  const marked = process.env['RALPH_RUN'] !== undefined
  expect(await insideOf({ RALPH_SOCKET: '/s' }, () => [others])).toEqual(marked ? null : { socket: '/s' })
})

describe('by the table of ps alone', () => {
  async function lineOf(pid: number): Promise<readonly Entry[]> {
    const find = tableOf(await psEntries())
    const own = find(pid)
    return own === null ? [] : [own, ...ancestors((next) => find(next))]
  }

  it('tells the same line of ancestors as /proc', async () => {
    const pids = (line: readonly Entry[]): number[] => line.map(({ pid }) => pid)
    expect(pids(ancestors(tableOf(await psEntries())))).toEqual(pids(ancestors(entryOf)))
  })

  it.each([
    ['a run, which leads a group', true],
    ['a child in the group of the engine', false],
  ])('%s', async (_, isRun) => {
    const engine = (await psEntries()).find(({ pid }) => pid === process.pid)
    const child = spawn('sleep', ['60'], { detached: isRun })
    try {
      const line = await lineOf(child.pid ?? 0)
      const identity = { pid: process.pid, startedAt: engine?.startedAt ?? 0, bootId: 'ps' }
      expect(isBelow(line, [identity])).toBe(isRun)
      expect(isBelow(line, [{ ...identity, startedAt: 1 }])).toBe(false)
      expect(isBelow(line.slice(1), [identity])).toBe(false)
    } finally {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
  })
})
