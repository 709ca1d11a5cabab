import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { callProgram, placeAt, plainGit } from './plain-git.ts'

function madeRepository() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-plain-git-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, 'project')
  const env = { PATH: process.env['PATH'] ?? '', HOME: root, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (cwd: string, ...args: readonly string[]) => execFileSync('git', args, { cwd, env, encoding: 'utf8' })
  git(root, 'init', '--quiet', '--initial-branch=main', 'project')
  return { root, folder, env, git }
}

it('finds a repository once: one that comes to be in a folder of it is not looked into', async () => {
  const { folder, env, git } = madeRepository()
  const inner = join(folder, 'inner')
  mkdirSync(inner)
  const place = placeAt(inner, env)
  git(inner, 'init', '--quiet', '--initial-branch=evil')
  expect(await plainGit(place, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main')
  expect(await plainGit({ ...place, folder: inner }, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main')
})

it('keeps of the variables of git what speaks of no repository', async () => {
  const { folder, env } = madeRepository()
  const own = {
    ...env,
    GIT_INDEX_FILE: '/elsewhere',
    GIT_NAMESPACE: 'x',
    GIT_SSH_COMMAND: 'ssh -i key',
    GIT_AUTHOR_NAME: 'A',
  }
  const { stdout } = await callProgram(placeAt(folder, own), ['env'])
  const gitLines = stdout.split('\n').filter((line) => line.startsWith('GIT_'))
  expect(gitLines.sort()).toEqual([
    'GIT_AUTHOR_NAME=A',
    'GIT_CONFIG_NOSYSTEM=1',
    `GIT_DIR=${folder}/.git`,
    `GIT_INDEX_FILE=${folder}/.git/index`,
    'GIT_NO_REPLACE_OBJECTS=1',
    `GIT_OBJECT_DIRECTORY=${folder}/.git/objects`,
    'GIT_SSH_COMMAND=ssh -i key',
    `GIT_WORK_TREE=${folder}`,
  ])
})
