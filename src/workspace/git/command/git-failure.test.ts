import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RalphError } from '../../../core/error/error.ts'
import { startGit } from './git.ts'
import { failureOf } from './git-failure.ts'
import { isEnough } from './git-version.ts'
import { BUILD, madeRepository } from '../../../../test/rig/git-repository.ts'

it.each([
  ['error: unable to write loose object file: No space left on device\nfatal: x', 'GIT_DISK_FULL', true],
  ["fatal: Unable to create '/r/index.lock': File exists.\n\nAnother git process", 'GIT_LOCKED', true],
  [
    'error: inflate: data stream error (incorrect header check)\nfatal: loose object 12 is corrupt',
    'GIT_DAMAGED',
    false,
  ],
  ['fatal: unable to read tree (4b825dc642cb6eb9a060e54bf8d69288fbee4904)', 'GIT_DAMAGED', false],
  ['error: Could not read 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nfatal: bad object x', 'GIT_DAMAGED', false],
  ['fatal: packfile ./objects/pack/pack-1.pack cannot be accessed', 'GIT_DAMAGED', false],
  ['warning: well\nfatal: something else', 'GIT_FAILED', false],
  ['', 'GIT_FAILED', false],
])('%j is %s', (stderr, code, retryable) => {
  const error = failureOf('read-tree', '/r', stderr, 'exit code 128')
  expect({ code: error.code, retryable: error.retryable }).toEqual({ code, retryable })
  expect(error.message).toMatch(/^[^\n{}]+$/)
})

it.each([
  ['git version 2.38.0', true],
  ['git version 2.39.5 (Apple Git-154)', true],
  ['git version 3.0.0', true],
  ['git version 2.37.9', false],
  ['git version 1.99', false],
])('%s: new enough is %s', (words, isNewEnough) => expect(isEnough(words)).toBe(isNewEnough))

describe('a failure of git itself', () => {
  const codeOf = async (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: unknown) => (error instanceof RalphError ? error.code : String(error)),
    )

  it('says that git is missing', async () => {
    const made = await madeRepository()
    expect(await codeOf(made.open({ env: { PATH: '/nowhere' } }))).toBe('GIT_NOT_STARTED')
  })

  it('says that git is too old', async () => {
    const made = await madeRepository()
    const bin = join(made.folder, 'bin')
    await mkdir(bin)
    await writeFile(join(bin, 'git'), '#!/bin/sh\necho git version 2.30.2\n')
    await chmod(join(bin, 'git'), 0o755)
    await expect(made.open({ env: { PATH: `${bin}:/bin:/usr/bin` } })).rejects.toThrow(
      'git version 2.30.2 is too old; install git 2.38 or newer',
    )
  })

  it('says that the repository is damaged, and goes on when it is mended', async () => {
    const made = await madeRepository()
    const ws = await made.open()
    const { tree } = await ws.startBuild(BUILD)
    const blob = await made.git('rev-parse', 'HEAD:a.txt')
    const path = join(made.state, 'repo.git', 'objects', blob.slice(0, 2), blob.slice(2))
    const whole = await readFile(path)
    await chmod(path, 0o644)
    await writeFile(path, 'rubbish')
    expect(await codeOf(ws.checkout(tree))).toBe('GIT_DAMAGED')
    await writeFile(path, whole)
    const { folder, free } = await ws.checkout(tree)
    expect((await readdir(folder)).sort()).toEqual(['.git', '.gitignore', 'a.txt', 'src'])
    free()
  })

  it('names the verb and what git said', async () => {
    const made = await madeRepository()
    const git = startGit(made.env)
    await expect(
      git.engine(['-c', 'a.b=c', 'cat-file', '-p', 'nothing'], { gitDir: join(made.folder, '.git') }),
    ).rejects.toThrow('git cat-file failed: Not a valid object name nothing')
  })
})
