import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../../test/arbitraries/refusal.ts'
import { branchOf, findRepository, originOf } from './repository.ts'

let root: string

const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always']
const git = (folder: string, ...args: string[]) =>
  execFileSync('git', [...who, ...args], { cwd: join(root, folder), env, encoding: 'utf8', stdio: 'pipe' }).trim()

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph repository ')))
  mkdirSync(join(root, 'main/src/deep'), { recursive: true })
  mkdirSync(join(root, 'main/src/.git'))
  git('main', 'init', '--quiet', '--initial-branch=trunk')
  git('main', 'commit', '--quiet', '--allow-empty', '--message', 'first')
  git('main', 'worktree', 'add', '--quiet', '-b', 'feature/über', join(root, 'linked'))
  git('main', 'worktree', 'add', '--quiet', '--detach', join(root, 'detached'))
  git('main', 'clone', '--quiet', '--bare', join(root, 'main'), join(root, 'bare.git'))
  git('main', 'clone', '--quiet', join(root, 'bare.git'), join(root, 'outer'))
  git('outer', 'submodule', '--quiet', 'add', join(root, 'bare.git'), 'sub')
  git(
    'outer',
    'clone',
    '--quiet',
    '--separate-git-dir',
    join(root, 'apart'),
    join(root, 'bare.git'),
    join(root, 'split'),
  )
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('findRepository', () => {
  it.each([
    'main',
    'main/src/deep',
    'main/.git',
    'linked',
    'detached',
    'bare.git',
    'bare.git/refs',
    'outer/sub',
    'split',
  ])('finds in %s what git finds', (folder) => {
    const at = join(root, folder)
    const found = findRepository(at, {})
    expect({ ...found, branch: branchOf(found) }).toEqual({
      gitDir: git(folder, 'rev-parse', '--absolute-git-dir'),
      commonDir: resolve(at, git(folder, 'rev-parse', '--git-common-dir')),
      branch: git(folder, 'rev-parse', '--abbrev-ref', 'HEAD'),
    })
  })

  it.each(['main/.git', 'linked/.git', 'bare.git'])('goes by GIT_DIR to %s', (gitDir) => {
    expect(findRepository(root, { GIT_DIR: gitDir })).toEqual(
      findRepository(join(root, gitDir.replace('/.git', '')), {}),
    )
  })

  it('goes by GIT_COMMON_DIR, from the folder one is in', () => {
    expect(findRepository(join(root, 'linked'), { GIT_COMMON_DIR: '../bare.git' }).commonDir).toBe(
      join(root, 'bare.git'),
    )
  })

  it.each([
    ['no repository', '.', {}],
    ['no such folder', 'nowhere', {}],
    ['a GIT_DIR that is none', 'main', { GIT_DIR: 'src' }],
  ])('refuses %s', (_, folder, given) => {
    expect(refused(() => findRepository(join(root, folder), given))?.[0]).toBe('NOT_A_REPOSITORY')
  })

  it('refuses to guess the branch where HEAD is not a plain file', () => {
    const folder = join(root, 'reftable')
    git('main', 'init', '--quiet', folder)
    writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/.invalid\n')
    const repository = findRepository(folder, {})
    expect(refused(() => branchOf(repository))?.[0]).toBe('BRANCH_UNREADABLE')
  })
})

describe('originOf', () => {
  it.each([
    ['git@github.com:acme/api.git', 'github.com/acme/api'],
    ['https://github.com/acme/api.git', 'github.com/acme/api'],
    ['https://user:secret@github.com/acme/api', 'github.com/acme/api'],
    ['https://github.com/acme/api.git/', 'github.com/acme/api'],
    ['ssh://git@github.com/acme/api', 'github.com/acme/api'],
    ['ssh://git@example.org:2222/acme/api.git', 'example.org/2222/acme/api'],
    ['file:///srv/my repos/api.git', '/srv/my repos/api'],
    ['/srv/api.git', '/srv/api'],
    ['../api', '../api'],
  ])('%s is %s', (url, name) => {
    const folder = join(root, 'named')
    git('main', 'init', '--quiet', folder)
    for (const [remote, address] of [
      ['upstream', 'https://example.org/x'],
      ['origin', url],
      ['later', 'https://example.org/y'],
    ] as const)
      git('named', 'remote', 'add', remote, address)
    expect(originOf(findRepository(folder, {}))).toBe(name)
    rmSync(folder, { recursive: true })
  })

  it('is null without a remote of that name', () => {
    expect(originOf(findRepository(join(root, 'main'), {}))).toBeNull()
  })
})
