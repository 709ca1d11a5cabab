import { describe, expect, it } from 'vitest'
import { madeFolder } from '../../../test/rig/folder.ts'
import { packageToolOf } from './package-tool.ts'
import { projectFiles } from './project-files.ts'

describe('packageToolOf', () => {
  it.each([
    [null, [], ['npm test', 'npm run lint', 'npx tsc', 'npm install', 'npm ci', null]],
    [
      null,
      ['package-lock.json'],
      ['npm test', 'npm run lint', 'npx tsc', 'npm install', 'npm ci', 'package-lock.json'],
    ],
    [
      null,
      ['pnpm-lock.yaml', 'package-lock.json'],
      [
        'pnpm run test',
        'pnpm run lint',
        'pnpm exec tsc',
        'pnpm install',
        'pnpm install --frozen-lockfile',
        'pnpm-lock.yaml',
      ],
    ],
    [
      'pnpm@9.1.0+sha512.abc',
      ['package-lock.json'],
      ['pnpm run test', 'pnpm run lint', 'pnpm exec tsc', 'pnpm install', 'pnpm install --frozen-lockfile', null],
    ],
    [
      null,
      ['yarn.lock'],
      ['yarn run test', 'yarn run lint', 'yarn run tsc', 'yarn install', 'yarn install --frozen-lockfile', 'yarn.lock'],
    ],
    [
      'yarn@1.22.22',
      ['yarn.lock'],
      ['yarn run test', 'yarn run lint', 'yarn run tsc', 'yarn install', 'yarn install --frozen-lockfile', 'yarn.lock'],
    ],
    [
      'yarn@4.5.0',
      ['yarn.lock'],
      ['yarn run test', 'yarn run lint', 'yarn run tsc', 'yarn install', 'yarn install --immutable', 'yarn.lock'],
    ],
    [
      null,
      ['yarn.lock', '.yarnrc.yml'],
      ['yarn run test', 'yarn run lint', 'yarn run tsc', 'yarn install', 'yarn install --immutable', 'yarn.lock'],
    ],
    [
      null,
      ['bun.lockb'],
      ['bun run test', 'bun run lint', 'bunx tsc', 'bun install', 'bun install --frozen-lockfile', 'bun.lockb'],
    ],
    ['unknown@1', [], ['npm test', 'npm run lint', 'npx tsc', 'npm install', 'npm ci', null]],
    ['toString', [], ['npm test', 'npm run lint', 'npx tsc', 'npm install', 'npm ci', null]],
  ])('declared %s with %j', async (declared, names, expected) => {
    const folder = await madeFolder(Object.fromEntries(names.map((name) => [name, ''])))
    const tool = await packageToolOf(projectFiles(folder), declared)
    const { run, exec, install, frozenInstall, lockfile } = tool
    expect([run('test'), run('lint'), exec('tsc'), install, frozenInstall, lockfile]).toEqual(expected)
  })
})
