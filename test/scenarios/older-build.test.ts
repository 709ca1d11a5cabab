// A build of an earlier version goes on in this one. The fixture is a checkout of version 0.1 (schema 6) in which a
// build has one task merged with its evidence, one waiting for a human and one to do.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scratch } from '../rig/scratch.ts'

const FIXTURE = join(import.meta.dirname, '../fixtures/older-build/half-finished.tgz')

function olderCheckout() {
  const made = scratch()
  rmSync(made.folder, { recursive: true, force: true })
  mkdirSync(made.folder)
  execFileSync('tar', ['-xzf', FIXTURE, '-C', made.folder])
  const scenario = join(made.root, 'scenario.json')
  renameSync(join(made.folder, 'scenario.json'), scenario)
  const play = (change: (text: string) => string): void =>
    writeFileSync(scenario, change(readFileSync(scenario, 'utf8')))
  return { ...made, play }
}

it('its commits are still proved, since their notes are read as they were written', () => {
  const made = olderCheckout()
  const { code, stdout } = made.ralph(['verify'])
  expect(stdout).toContain('1 commit: every one is proved.')
  expect(code).toBe(0)
})

it('its build goes on to its end, and ships', () => {
  const made = olderCheckout()
  expect(made.ralph(['status']).stdout).toMatch(/1 of 3 tasks done, 1 waiting for you, 1 to do/)

  // The agent now writes a test that its code passes.
  made.play((text) => text.replace('assert.equal(three(), 2)', 'assert.equal(three(), 1)'))
  expect(made.ralph(['retry', 'three']).code).toBe(0)
  const built = made.ralph(['build'])
  expect(built.stderr).toContain('Going on with build')
  expect(built.code).toBe(0)
  expect(made.ralph(['verify']).stdout).toContain('3 commits: every one is proved.')

  expect(made.ralph(['ship']).code).toBe(0)
  expect(made.git('log', '--format=%s', 'main').split('\n')).toEqual(
    expect.arrayContaining(['feat: Add two', 'feat: Add three', 'feat: Add four', 'start']),
  )
})
