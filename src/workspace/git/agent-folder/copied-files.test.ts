import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BUILD, TASK, madeRepository } from '../../../../test/rig/git-repository.ts'
import { fillFolder } from '../../../../test/rig/folder.ts'

const IGNORE = { '.gitignore': '.env\nconf/\n*.key\nü.txt\n', 'a.txt': 'one\n' }

it('copies ignored files and folders to agents and checks', async () => {
  const made = await madeRepository(IGNORE)
  await fillFolder(made.folder, { '.env': 'A=1', 'conf/x/y.json': '{}', 'sub/z.key': 'k', 'ü.txt': 'u' })
  const ws = await made.open({ copy: ['.env', 'conf', 'sub/z.key', 'ü.txt'] })
  const { tree, notes } = await ws.startBuild(BUILD)
  expect(notes).toEqual([])
  const { folder } = await ws.acquire(BUILD, TASK, null, 'fresh')
  const checkout = await ws.checkout(tree)
  for (const place of [folder, checkout.folder]) {
    const texts = ['.env', 'conf/x/y.json', 'sub/z.key', 'ü.txt'].map((path) => readFile(join(place, path), 'utf8'))
    expect(await Promise.all(texts)).toEqual(['A=1', '{}', 'k', 'u'])
  }
  checkout.free()
  await writeFile(join(made.folder, '.env'), 'A=2')
  expect(await readFile(join((await ws.checkout(tree)).folder, '.env'), 'utf8')).toBe('A=2')
})

it('says what it does not copy, and why', async () => {
  const made = await madeRepository(IGNORE)
  await fillFolder(made.folder, { 'seen.txt': 's', '.env': 'A=1' })
  await symlink('/etc', join(made.folder, 'etc'))
  await symlink('/etc/passwd', join(made.folder, 'p.key'))
  const copy = [
    'seen.txt',
    'a.txt',
    'missing.key',
    '../out',
    '/etc/passwd',
    '.git/config',
    'etc/passwd',
    'p.key',
    '.env',
  ]
  const ws = await made.open({ copy })
  expect((await ws.startBuild(BUILD)).notes).toEqual([
    'seen.txt is not copied: git does not ignore it; commit it, or add it to .gitignore',
    'a.txt is not copied: git does not ignore it; commit it, or add it to .gitignore',
    'missing.key is not copied: your checkout has no such file',
    '../out is not copied: name a path inside the checkout',
    '/etc/passwd is not copied: name a path inside the checkout',
    '.git/config is not copied: name a path inside the checkout',
    'etc/passwd is not copied: it is, or lies behind, a link',
    'p.key is not copied: it is, or lies behind, a link',
  ])
  const { folder } = await ws.acquire(BUILD, TASK, null, 'fresh')
  expect(copy.filter((path) => existsSync(join(folder, path)))).toEqual(
    ['a.txt', '.git/config', '.env'].filter((path) => copy.includes(path)),
  )
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('one\n')
})

it('writes through no link that an agent left', async () => {
  const made = await madeRepository(IGNORE)
  await fillFolder(made.folder, { '.env': 'A=1', 'conf/x.json': '{}' })
  const ws = await made.open({ copy: ['.env', 'conf'] })
  await ws.startBuild(BUILD)
  const { folder } = await ws.acquire(BUILD, TASK, null, 'fresh')
  const outside = join(made.folder, '..', 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'file'), 'untouched')
  await rm(join(folder, '.env'))
  await symlink(join(outside, 'file'), join(folder, '.env'))
  await rm(join(folder, 'conf'), { recursive: true })
  await symlink(outside, join(folder, 'conf'))
  await ws.acquire(BUILD, TASK, null, 'fresh')
  expect(await readFile(join(outside, 'file'), 'utf8')).toBe('untouched')
  expect(existsSync(join(outside, 'x.json'))).toBe(false)
  expect(await readFile(join(folder, '.env'), 'utf8')).toBe('A=1')
})
