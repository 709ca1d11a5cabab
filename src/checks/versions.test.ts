import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fillFolder, madeFolder } from '../../test/rig/folder.ts'
import { openVersions } from './versions.ts'

const count = (source: string) => ({ source, run: 1, failed: 0, skipped: 0 })

async function programs(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await madeFolder()
  for (const [name, script] of Object.entries(files)) await program(folder, name, script)
  return folder
}

async function program(folder: string, name: string, script: string): Promise<void> {
  await fillFolder(folder, { [name]: `#!/bin/sh\n${script}\n` })
  await chmod(join(folder, name), 0o755)
}

it('asks the programs that the runners run on, and looks up packages that do not say', async () => {
  const bin = await programs({
    node: 'echo v24.1.0',
    python3: 'echo Python 3.12.1',
    go: 'echo go version go1.22.1 linux/amd64',
    cargo: 'echo "cargo 1.77.0 (3fe68eabf 2024-02-29)"',
  })
  const versions = openVersions({ PATH: `${bin}:/usr/bin:/bin` })
  const folder = await madeFolder({ 'node_modules/jest/package.json': '{"version":"29.7.0"}' })
  const found = ['vitest', 'jest', 'pytest + go test', 'cargo test', 'mocha', 'TAP'].map((source) =>
    versions(count(source), '', folder),
  )
  expect(await Promise.all(found)).toEqual([
    ['node v24.1.0'],
    ['jest 29.7.0', 'node v24.1.0'],
    ['python3 3.12.1', 'go go1.22.1'],
    ['cargo 1.77.0'],
    ['node v24.1.0'],
    [],
  ])
  expect(await versions(null, '', folder)).toEqual([])
})

it('asks each once, and again when it is another', async () => {
  const log = join(await madeFolder(), 'log')
  const bin = await programs({ node: `echo asked >> ${log}; echo v24.1.0` })
  const versions = openVersions({ PATH: `${bin}:/usr/bin:/bin` })
  const ask = (): Promise<readonly string[]> => versions(count('vitest'), '', bin)
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([['node v24.1.0'], ['node v24.1.0'], ['node v24.1.0']])
  expect(await readFile(log, 'utf8')).toBe('asked\n')
  await program(bin, 'node', 'echo v26.0.0-nightly # longer than before, so that it is another file by its size')
  expect(await ask()).toEqual(['node v26.0.0-nightly'])
})

it('does without what does not answer', async () => {
  const bin = await programs({ node: 'exit 1', python3: 'echo who knows' })
  const versions = openVersions({ PATH: bin })
  expect(await versions(count('vitest + pytest + go test'), '', bin)).toEqual([])
})
