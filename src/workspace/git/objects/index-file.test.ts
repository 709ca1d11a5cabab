import { chmod, copyFile, readFile, symlink, writeFile } from 'node:fs/promises'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { indexBytes, lookOf, readIndex } from './index-file.ts'
import { madeRepository } from '../../../../test/rig/git-repository.ts'
import { bytesOf } from './tree-paths.ts'
import { fillFolder } from '../../../../test/rig/folder.ts'

const NAMES = [
  'a',
  'a.b',
  'a-b',
  'a/b',
  'a/b.c',
  'ü ñ',
  '"q"',
  `${'long/'.repeat(30)}er`,
  'x'.repeat(200),
  'B',
  'b/1/2',
]

async function madeIndex(format: 'sha1' | 'sha256') {
  const made = await madeRepository({}, [`--object-format=${format}`])
  // Names of every length, for every padding.
  const names = [...NAMES.filter((name) => name !== 'a'), ...Array.from({ length: 20 }, (_, at) => 'n'.repeat(at + 1))]
  await fillFolder(made.folder, Object.fromEntries(names.map((name) => [name, `${name}\n`])))
  await chmod(join(made.folder, 'a.b'), 0o755)
  await symlink('a.b', join(made.folder, 'link'))
  await made.git('add', '--all')
  const path = join(made.folder, '.git', 'index')
  return { made, path, read: async () => readIndex(await readFile(path), format) }
}

describe.each(['sha1', 'sha256'] as const)('the index of a %s repository', (format) => {
  it('is read as git lists it', async () => {
    const { made, read } = await madeIndex(format)
    const listed = (await made.git('ls-files', '--stage', '-z')).split('\0').filter(Boolean)
    const entries = (await read()) ?? []
    expect(entries.map(({ mode, id, path }) => `${mode} ${id} 0\t${asText(path)}`)).toEqual(listed)
    for (const { path, mode, look } of entries)
      expect(lookOf(lstatSync(bytesOf(made.folder, path), { bigint: true }), mode)).toEqual(look)
  })

  it('is written as git reads it', async () => {
    const { made, path, read } = await madeIndex(format)
    const told = () => made.git('ls-files', '--stage', '--debug')
    const before = [await told(), await made.git('write-tree'), await made.git('status', '--porcelain')]
    const entries = (await read()) ?? []
    await writeFile(path, indexBytes([...entries].reverse(), format))
    expect([await told(), await made.git('write-tree'), await made.git('status', '--porcelain')]).toEqual(before)
    await made.git('diff-files', '--exit-code')
    expect(await read()).toEqual(entries)
    await writeFile(path, indexBytes([], format))
    expect(await told()).toBe('')
  })
})

it.each<[string, string[][]]>([
  ['of version 4', [['update-index', '--index-version', '4']]],
  ['with a file that is assumed unchanged', [['update-index', '--assume-unchanged', 'a.b']]],
  ['with a file that is skipped', [['update-index', '--skip-worktree', 'a.b']]],
  [
    'with a file that is only meant to be added',
    [
      ['reset', '--quiet', '.'],
      ['add', '--intent-to-add', 'a.b'],
    ],
  ],
  ['that is split', [['update-index', '--split-index']]],
])('an index %s is left to git', async (_, commands) => {
  const { made, read } = await madeIndex('sha1')
  for (const command of commands) await made.git(...command)
  expect(await read()).toBe(null)
})

it('an index in conflict is left to git', async () => {
  const { made, read } = await madeIndex('sha1')
  await made.git('commit', '--quiet', '--message', 'one')
  await made.git('checkout', '--quiet', '-b', 'other')
  await made.commit({ B: 'theirs' })
  await made.git('checkout', '--quiet', 'main')
  await made.commit({ B: 'ours' })
  await expect(made.git('merge', '--quiet', 'other')).rejects.toThrow('git merge')
  expect(await read()).toBe(null)
})

it('an index that is torn anywhere is left to git', async () => {
  const { path } = await madeIndex('sha1')
  await copyFile(path, `${path}.whole`)
  const whole = await readFile(`${path}.whole`)
  for (let length = 0; length < whole.length; length += 7)
    expect(readIndex(whole.subarray(0, length), 'sha1')).toBe(null)
  for (let at = 0; at < whole.length; at += 13) {
    const bent = Buffer.from(whole)
    bent[at] = (bent[at] ?? 0) ^ 1
    expect(readIndex(bent, 'sha1')).toBe(null)
  }
  expect(readIndex(whole, 'sha1')).not.toBe(null)
})

function asText(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8')
}
