import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fillFolder, madeFolder } from '../../../test/rig/folder.ts'
import { setupOf } from '../../../test/rig/setup.ts'
import { setupKey } from './setup-key.ts'

const files = {
  'package.json': '{"scripts":{"prepare":"node scripts/prepare.mjs","test":"node scripts/test.mjs"}}',
  'package-lock.json': '{"lockfileVersion":3}',
  'packages/a/package.json': '{"scripts":{"postinstall":"sh ./after.sh"}}',
  'scripts/prepare.mjs': 'one',
  'scripts/test.mjs': 'one',
  'setup.sh': 'npm ci',
  'src/index.ts': 'one',
  'node_modules/x/package.json': '{}',
}

describe('the key of a setup', () => {
  it.each<[string, 'same' | 'other', Record<string, string>]>([
    ['nothing', 'same', {}],
    ['a lockfile', 'other', { 'package-lock.json': '{"lockfileVersion":2}' }],
    ['a manifest', 'other', { 'package.json': '{}' }],
    ['a new manifest in a package', 'other', { 'packages/b/package.json': '{}' }],
    ['a script that the install runs', 'other', { 'scripts/prepare.mjs': 'two' }],
    ['a script that the command runs', 'other', { 'setup.sh': 'npm ci --ignore-scripts' }],
    ['a setting of the package manager', 'other', { '.npmrc': 'registry=https://x' }],
    ['the version of a tool', 'other', { '.python-version': '3.12' }],
    ['code', 'same', { 'src/index.ts': 'two' }],
    ['a script that only the tests run', 'same', { 'scripts/test.mjs': 'two' }],
    ['what was installed', 'same', { 'node_modules/x/package.json': '{"a":1}' }],
  ])('changes with %s: %s', async (_, expected, changes) => {
    const folder = await madeFolder(files)
    const before = await setupKey(folder, setupOf('sh ./setup.sh'), ['node 24'])
    await fillFolder(folder, changes)
    expect((await setupKey(folder, setupOf('sh ./setup.sh'), ['node 24'])) === before ? 'same' : 'other').toBe(expected)
  })

  it('changes with the command and the tools, not with the folder', async () => {
    const [one, other] = [await madeFolder(files), await madeFolder(files)]
    const key = await setupKey(one, setupOf('npm ci'), ['node 24'])
    expect(await setupKey(other, setupOf('npm ci'), ['node 24'])).toBe(key)
    expect(await setupKey(one, setupOf('npm install'), ['node 24'])).not.toBe(key)
    expect(await setupKey(one, setupOf('npm ci'), ['node 26'])).not.toBe(key)
  })

  it('looks at links, never through them, and never outside', async () => {
    const folder = await madeFolder(files)
    const outside = await madeFolder({ 'package-lock.json': 'a', x: 'a' })
    await rm(join(folder, 'package-lock.json'))
    await symlink(join(outside, 'package-lock.json'), join(folder, 'package-lock.json'))
    await symlink(outside, join(folder, 'packages/link'))
    const key = await setupKey(folder, setupOf(`sh ${outside}/x ../x`), [])
    await fillFolder(outside, { 'package-lock.json': 'b', x: 'b' })
    expect(await setupKey(folder, setupOf(`sh ${outside}/x ../x`), [])).toBe(key)
  })
})
