import { describe, expect, it } from 'vitest'
import { canMove, goodFor, productsBetween } from './setup-products.ts'
import { madeFolder } from '../../../test/rig/folder.ts'
import { takeManifest } from './file-manifest.ts'

const manifest = (...paths: string[]) => new Map(paths.map((path) => [path, '1']))

describe('what was made', () => {
  it('is named by its topmost paths; what was changed is named too', () => {
    const before = new Map([
      ...manifest('src', 'src/a.ts', 'packages', 'packages/a'),
      ['go.sum', 'old'],
      ['b.txt', '1'],
    ])
    const after = new Map([
      ...manifest('src', 'src/a.ts', 'packages', 'packages/a', 'node_modules', 'node_modules/x', 'node_modules/x/i.js'),
      ...manifest('packages/a/node_modules', 'packages/a/node_modules/y'),
      ['go.sum', 'new'],
    ])
    expect(productsBetween(before, after)).toEqual({
      paths: ['node_modules', 'packages/a/node_modules'],
      spoilt: ['b.txt', 'go.sum'],
    })
  })
})

describe('what it is good for', () => {
  it.each<[string, 'any tree' | 'this tree', string[]]>([
    ['nothing in the checkout', 'any tree', []],
    ['packages', 'any tree', ['node_modules', 'packages/a/node_modules']],
    ['a virtual environment and the notes of an editable install', 'any tree', ['.venv', 'src/app.egg-info']],
    ['a build of the sources', 'this tree', ['node_modules', 'dist']],
    ['a build in a package', 'this tree', ['packages/a/dist', 'node_modules']],
    ['generated code', 'this tree', ['src/generated.ts']],
  ])('%s: %s', (_, expected, paths) => {
    expect(goodFor('/nowhere', { paths, spoilt: [] }, [])).toBe(expected)
  })

  it.each<[string, 'any tree' | 'this tree', Record<string, string>]>([
    ['a package from the network', 'any tree', { 'lib/x.dist-info/direct_url.json': '{"url":"https://x/x.whl"}' }],
    [
      'the project itself, linked',
      'any tree',
      { 'lib/app.dist-info/direct_url.json': '{"dir_info": {"editable": true}, "url": "file:///work"}' },
    ],
    [
      'the project itself, copied',
      'this tree',
      { 'lib/app.dist-info/direct_url.json': '{"dir_info":{},"url":"file:///work"}' },
    ],
    ['a folder that yarn copies', 'this tree', { 'yarn.lock': '"lib@file:./lib":\n  version "1.0.0"\n' }],
    ['a copied folder of a workspace', 'this tree', { '.pnpm/a@file+packages+a/node_modules/a/i.js': '' }],
  ])('installed is %s: %s', async (_, expected, files) => {
    const root = await madeFolder(files)
    const installed = [{ root, manifest: await takeManifest(root) }]
    expect(goodFor(root, { paths: ['.venv'], spoilt: [] }, installed)).toBe(expected)
  })
})

describe('whether it can be moved to another checkout', () => {
  it.each<[boolean, string, string[]]>([
    [true, 'npm ci', ['node_modules']],
    [true, 'pnpm install --frozen-lockfile', ['node_modules', 'packages/a/node_modules']],
    [false, 'npm ci && npm run build', ['node_modules']],
    [false, 'uv sync --frozen', ['.venv']],
    [false, 'yarn install', ['.yarn', '.pnp.cjs']],
    [false, 'npm ci', []],
    [false, 'make deps', ['node_modules']],
  ])('%s: %s makes %j', (expected, command, paths) => {
    expect(canMove(command, { paths, spoilt: [] })).toBe(expected)
  })
})
