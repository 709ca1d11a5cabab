// What is the command agent's own: its template, and programs that are not there.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../agent.ts'
import { programAgent } from '../program-agent.ts'
import { tempFolder } from '../trial.conformance.ts'
import { commandAdapter } from './command-adapter.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'

const settings = { timeoutMs: HANG_MS, idleTimeoutMs: HANG_MS, env: [], credentials: 'none' } as const
const path = process.env['PATH'] ?? ''
const odd = '# Ä 🐙 $& "q" \'z\' {workspace}\n\nend'

interface Asked {
  readonly command: readonly string[] | null
  readonly args?: readonly string[]
  readonly root?: string
  readonly prompt?: string
  readonly folder?: string
}

function adapterOf({ command, args = [], root = '/' }: Asked) {
  return commandAdapter({ command, args }, { root, path })
}

async function run(asked: Asked): Promise<Outcome> {
  const about = { role: 'implementer', task: null, attempt: 1, iteration: 1, env: {} } as const
  const { prompt = odd, folder = '/' } = asked
  const signal = new AbortController().signal
  const agent = programAgent(adapterOf(asked), settings, { PATH: path })
  return agent.run({ ...about, prompt, folder, signal, onEvent: () => {} })
}

describe('the command agent', () => {
  it.each<[string, string[], string[]]>([
    ['on stdin', ['cat'], []],
    ['in a file', ['cat', '{prompt_file}'], []],
    ['in a file that a later argument names', ['cat'], ['{prompt_file}']],
    ['in an argument', ['printf', '%s', '{prompt}'], []],
    ['in an argument and a file, and then not on stdin', ['sh', '-c', 'cat - "$1"', '{prompt}', '{prompt_file}'], []],
  ])('hands the prompt over %s', async (_, command, args) => {
    expect(await run({ command, args })).toMatchObject({ failure: null, finalMessage: odd })
  })

  it('takes NUL characters out of an argument, which cannot hold them', async () => {
    const outcome = await run({ command: ['printf', '%s', '{prompt}'], prompt: 'a\0b' })
    expect(outcome).toMatchObject({ failure: null, finalMessage: 'a\uFFFDb' })
  })

  it('says what to do about a prompt that is too long for an argument', async () => {
    const { failure } = await run({ command: ['printf', '%s', '{prompt}'], prompt: 'x'.repeat(3_000_000) })
    expect(failure).toMatchObject({
      kind: 'contextTooLong',
      sentence: expect.stringContaining('over stdin or in a file'),
    })
  })

  it('tells it the folder', async () => {
    const folder = await tempFolder()
    const outcome = await run({ command: ['sh', '-c', 'echo "$1"; pwd -P', 'sh', 'in:{workspace}'], folder })
    expect(outcome.finalMessage).toBe(`in:${folder}\n${folder}\n`)
  })

  it('runs the operator’s own file, not one of that name in the folder it works in', async () => {
    const [root, folder] = [await tempFolder(), await tempFolder()]
    for (const place of [root, folder]) {
      await mkdir(join(place, 'tools'))
      await writeFile(join(place, 'tools/agent'), `#!/bin/sh\necho ${place}\n`)
      await chmod(join(place, 'tools/agent'), 0o755)
    }
    const asked = { command: ['./tools/agent'], root, folder }
    expect((await run(asked)).finalMessage).toBe(`${root}\n`)
    expect(await programAgent(adapterOf(asked), settings, {}).ready()).toEqual({ ready: true })
    expect(adapterOf(asked).describe({ role: 'implementer', folder })).toBe(`${root}/tools/agent < {prompt_file}`)
  })

  it('tells what it said on stderr when it crashes', async () => {
    const outcome = await run({ command: ['sh', '-c', 'echo half; echo "no key; log in" >&2; exit 4'] })
    expect(outcome).toMatchObject({
      failure: { kind: 'crashed', sentence: 'command ended with exit code 4: no key; log in', until: null },
      finalMessage: 'half\n',
    })
  })

  it.each<[Asked['command'], string]>([
    [
      ['no-such-agent-here'],
      '"no-such-agent-here" was not found; install it, or name its full path in agent.command.command',
    ],
    [['/no/such/agent'], '"/no/such/agent" was not found; correct the path in agent.command.command'],
    [['/etc/passwd'], '"/etc/passwd" was not found; correct the path in agent.command.command'],
    [['/etc'], '"/etc" was not found; correct the path in agent.command.command'],
    [null, 'no command is set for this agent; add [agent.command] command = ["my-agent", "{prompt}"] to ralph.toml'],
  ])('is not ready and does not start as %j', async (command, reason) => {
    expect(await programAgent(adapterOf({ command }), settings, {}).ready()).toEqual({ ready: false, reason })
    expect((await run({ command })).failure?.kind).toBe('notFound')
  })

  it('shows its command line', () => {
    const asked = { command: ['my-agent', '--file', '{prompt_file}', '-C', '{workspace}'], args: ['a b'] }
    const shown = adapterOf(asked).describe({ role: 'sia', folder: '/w' })
    expect(shown).toBe("my-agent --file {prompt_file} -C /w 'a b'")
  })

  it('leaves no prompt behind', async () => {
    const { finalMessage } = await run({ command: ['printf', '%s', '{prompt_file}'] })
    await expect(readFile(finalMessage)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
