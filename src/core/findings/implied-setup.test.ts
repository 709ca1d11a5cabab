import { describe, expect, it } from 'vitest'
import { impliedSetup, isLockStale } from './implied-setup.ts'

const withDependency = '{"dependencies": {"lib": "1"}}'

describe('the setup that a tree implies', () => {
  it.each<[string | undefined, readonly string[], string | null]>([
    [undefined, [], null],
    ['no JSON', [], null],
    ['{"name": "x"}', ['package-lock.json'], null],
    [withDependency, [], 'npm install --no-package-lock --no-audit --no-fund'],
    ['{"devDependencies": {"lib": "1"}}', ['package-lock.json'], 'npm ci'],
    [withDependency, ['pnpm-lock.yaml'], 'pnpm install --frozen-lockfile'],
    [withDependency, ['yarn.lock'], null],
  ])('of %j with %j is %s', (manifest, files, command) => {
    expect(impliedSetup(manifest, (file) => files.includes(file))).toBe(command)
  })
})

describe('a lockfile', () => {
  const lock = (root: object): string => JSON.stringify({ lockfileVersion: 3, packages: { '': root } })
  it.each<[string, string, boolean]>([
    [withDependency, lock({ name: 'x', dependencies: { lib: '1' } }), false],
    ['{"dependencies": {"b": "2", "a": "1"}}', lock({ dependencies: { a: '1', b: '2' } }), false],
    ['{"scripts": {}}', lock({}), false],
    [withDependency, lock({}), true],
    [withDependency, lock({ dependencies: { lib: '2' } }), true],
    [withDependency, lock({ devDependencies: { lib: '1' } }), true],
    ['{}', lock({ dependencies: { lib: '1' } }), true],
    [withDependency, 'torn', true],
  ])('for %s: %s is stale: %s', (manifest, lockfile, isStale) => {
    expect(isLockStale(manifest, lockfile)).toBe(isStale)
  })
})
