// The guide shows what really happens: its commands are run in order, as one person would type them, and what they print
// is compared with what the guide says they print.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { task } from '../../src/cli/task/commands.ts'
import { RALPH, run, type Scratch, sharedScratch, timeless } from './ralph.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/tasks.md'), 'utf8')

interface Block {
  readonly commands: string
  /** Null where the guide does not say. */
  readonly output: string | null
}

const blocks: Block[] = [...guide.matchAll(/^```sh\n(.*?)^```\n(?:```text\n(.*?)^```\n)?/gms)].map((match) => ({
  commands: match[1] ?? '',
  output: match[2] ?? null,
}))

describe('docs/guide/tasks.md', () => {
  let printed: string[]
  beforeAll(() => {
    const scratch = sharedScratch()
    printed = typed(scratch)
    return scratch.remove
  })

  const shown = blocks.flatMap(({ commands, output }, index) => (output === null ? [] : [{ commands, output, index }]))
  it.each(shown)('$commands', ({ output, index }) => {
    expect(timeless(printed[index] ?? '')).toBe(timeless(output))
  })

  it('shows most of what it does', () => {
    expect(shown.length).toBeGreaterThan(10)
    expect(printed).toHaveLength(blocks.length + 1)
  })

  it('has a row for every command', () => {
    const rows = guide.split('\n').filter((line) => line.startsWith('| `'))
    const calls = rows.flatMap((row) => row.split('|')[1]?.match(/`[^`]+`/g) ?? [])
    const named = new Set(calls.map((call) => /^`([a-z-]+)/.exec(call)?.[1]))
    expect([...named].toSorted()).toEqual(Object.keys(task.commands).toSorted())
  })
})

/** What each block prints, stdout and stderr as they come; times and the agent's id as in the guide. */
function typed({ root, folder, env }: Scratch): string[] {
  const bin = join(root, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'ralph'), `#!/bin/sh\nexec '${process.execPath}' '${RALPH}' "$@"\n`)
  chmodSync(join(bin, 'ralph'), 0o755)
  const end = '<end of block>'
  const script = blocks.map(({ commands }) => `${commands}echo '${end}'\n`).join('')
  const { stdout } = run('bash', ['-c', `exec 2>&1\n${script}`], {
    folder,
    env: { ...env, PATH: `${bin}:${env['PATH']}` },
  })
  const id = /^assignee: ([0-9a-f]{4})$/m.exec(stdout)?.[1]
  return stdout.replaceAll(`assignee: ${id}\n`, 'assignee: a7f2\n').split(`${end}\n`)
}
