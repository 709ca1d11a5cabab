import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { run } from './process/spawn.ts'
import { startLongLivedTool } from './long-lived-tool.ts'
import { HANG_MS } from '../../test/rig/hang.ts'

const PATH = process.env['PATH'] ?? ''
const limits = { bytes: 1_000_000, deadlineMs: HANG_MS }

function shell(line: string) {
  return startLongLivedTool({ argv: ['/bin/sh', '-c', line], cwd: '/', env: { PATH } })
}

describe('a resident tool', () => {
  it('answers one question after the other', async () => {
    const cat = startLongLivedTool({ argv: ['cat'], cwd: '/', env: { PATH } })
    for (const text of ['one\n', '', 'x'.repeat(300_000)])
      expect((await cat.ask(`${text}\nEND\n`, '\nEND\n', limits))?.toString()).toBe(text)
    cat.end()
    expect(cat.isGone()).toBe(true)
    expect(await cat.ask('more\nEND\n', '\nEND\n', limits)).toBe(null)
  })

  it.each<[string, string, Partial<typeof limits>]>([
    ['ends', 'exit 3', {}],
    ['ends in the middle', 'read line; echo half; exit 0', {}],
    ['prints without an end', 'yes', { bytes: 10_000 }],
    ['says nothing', 'sleep 1000', { deadlineMs: 50 }],
  ])('gives no answer where it %s, and is ended', async (_, line, fewer) => {
    const tool = shell(line)
    expect(await tool.ask('question\n', 'END\n', { ...limits, ...fewer })).toBe(null)
    expect(tool.isGone()).toBe(true)
  })

  it('is ended when nobody asks it anything', async () => {
    const cat = startLongLivedTool({ argv: ['cat'], cwd: '/', env: { PATH } }, 20)
    expect((await cat.ask('one\nEND\n', '\nEND\n', limits))?.toString()).toBe('one')
    // Fails by the time limit of the test.
    while (!cat.isGone()) await sleep(10)
    expect(await cat.ask('two\nEND\n', '\nEND\n', limits)).toBe(null)
  })

  it('gives no answer where it cannot be started', async () => {
    const nothing = startLongLivedTool({ argv: ['/no/such/program'], cwd: '/', env: { PATH } })
    expect(await nothing.ask('question\n', 'END\n', limits)).toBe(null)
    expect(nothing.isGone()).toBe(true)
  })

  it('keeps nobody from ending, and is gone with who started it', async () => {
    const script = `
      const { startLongLivedTool } = await import(${JSON.stringify(new URL('long-lived-tool.ts', import.meta.url).href)})
      const tool = startLongLivedTool({ argv: ['/bin/sh', '-c', 'echo $$; cat'], cwd: '/', env: { PATH: process.env.PATH } })
      const told = await tool.ask('END\\n', 'END\\n', { bytes: 1000, deadlineMs: 20000 })
      console.log(told.toString().trim())
      if (process.argv[1] === 'killed') process.kill(process.pid, 'SIGKILL')
    `
    for (const how of ['left', 'killed']) {
      const argv = [process.execPath, '--input-type=module', '--eval', script, how]
      const ended = await run({ argv, cwd: '/', env: { PATH }, trust: 'tool', deadlineMs: HANG_MS })
      expect(ended.signal).toBe(how === 'killed' ? 'SIGKILL' : null)
      const pid = Number(ended.stdout.head.toString())
      expect(pid).toBeGreaterThan(1)
      await gone(pid)
    }
  })
})

/** Fails by the time limit of the test. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await sleep(10)
  }
}
