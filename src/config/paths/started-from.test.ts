import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findPlace } from './place.ts'
import { findRepository } from './repository.ts'
import { rememberStart } from './started-from.ts'

it('on the branch of a build that works in place, tasks are those of the branch it was started from', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-place-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const path of ['objects', 'refs']) mkdirSync(join(folder, '.git', path), { recursive: true })
  const on = (branch: string): string => {
    writeFileSync(join(folder, '.git/HEAD'), `ref: refs/heads/${branch}\n`)
    return findPlace(folder, {}).scope.branch
  }
  expect([on('main'), on('ralph/b_1')]).toEqual(['main', 'ralph/b_1'])
  rememberStart(findRepository(folder, {}), 'ralph/b_1', 'feature/größe')
  expect([on('ralph/b_1'), on('ralph/b_2'), on('main')]).toEqual(['feature/größe', 'ralph/b_2', 'main'])
  expect(findPlace(folder, { RALPH_SCOPE_BRANCH: 'said' }).scope.branch).toBe('said')
})
