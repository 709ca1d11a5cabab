// The commands that a guide shows, typed one after the other in one repository, and what it says they print.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RALPH, run, type Scratch } from '../rig/scratch.ts'

export interface Block {
  readonly commands: string
  /** Null where the guide does not say. */
  readonly output: string | null
}

export function readGuide(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../docs/guide', name), 'utf8')
}

export function blocksOf(guide: string): Block[] {
  return [...guide.matchAll(/^```sh\n(.*?)^```\n(?:```text\n(.*?)^```\n)?/gms)].map((match) => ({
    commands: match[1] ?? '',
    output: match[2] ?? null,
  }))
}

const END = '<end of block>'

/** What each block prints, stdout and stderr as they come. */
export function typed({ root, folder, env }: Scratch, blocks: readonly Block[]): string[] {
  const bin = join(root, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'ralph'), `#!/bin/sh\nexec '${process.execPath}' '${RALPH}' "$@"\n`)
  chmodSync(join(bin, 'ralph'), 0o755)
  const script = blocks.map(({ commands }) => `${commands}echo '${END}'\n`).join('')
  const { stdout } = run('bash', ['-c', `exec 2>&1\n${script}`], {
    folder,
    env: { ...env, PATH: `${bin}:${env['PATH']}` },
  })
  return stdout.split(`${END}\n`)
}
