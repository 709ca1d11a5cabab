// Runs that stop at their first red test, or run only some test files, with the real runners.
import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { madeFolder } from '../../../test/rig/folder.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'
import type { CheckRun } from '../../core/evidence/evidence.ts'
import { isGreen } from '../../core/evidence/evidence.ts'
import type { RunOptions } from '../check.ts'
import { runCheck } from '../run-check.ts'

const node = process.execPath
const modules = join(import.meta.dirname, '../../../node_modules')

interface Project {
  readonly command: string
  /** Null: it is part of Node, or a program on PATH. */
  readonly package: string | null
  readonly needs?: string
  /** Two files: the first has a green and a red test, the second as well. */
  readonly files: Readonly<Record<string, string>>
  readonly second: string
  /** What stays of the four tests where the run stops at the first red one. */
  readonly stopped: number
}

const byIt = (first: string) => `${first}it('a', () => {})\nit('b', () => { throw new Error('no') })\n`

const projects: Readonly<Record<string, Project>> = {
  vitest: {
    command: `${node} node_modules/vitest/vitest.mjs run --globals --no-file-parallelism`,
    package: 'vitest',
    files: { 'one.test.js': byIt(''), 'two.test.js': byIt('') },
    second: 'two.test.js',
    stopped: 2,
  },
  jest: {
    command: `${node} node_modules/jest/bin/jest.js --runInBand`,
    package: 'jest',
    files: { 'package.json': '{}', 'one.test.js': byIt(''), 'two.test.js': byIt('') },
    second: 'two.test.js',
    stopped: 2,
  },
  mocha: {
    command: `${node} node_modules/mocha/bin/mocha.js`,
    package: 'mocha',
    files: { 'test/one.js': byIt(''), 'test/two.js': byIt('') },
    second: 'test/two.js',
    stopped: 2,
  },
  'node:test': {
    command: `${node} --test --test-concurrency=1`,
    package: null,
    files: {
      'one.test.mjs': byIt("import { it } from 'node:test'\n"),
      'two.test.mjs': byIt("import { it } from 'node:test'\n"),
    },
    second: 'two.test.mjs',
    stopped: 2,
  },
  pytest: {
    command: 'python3 -m pytest -q',
    package: null,
    needs: 'python3 -m pytest --version',
    files: {
      'test_one.py': 'def test_a(): pass\ndef test_b(): assert 0\n',
      'test_two.py': 'def test_a(): pass\ndef test_b(): assert 0\n',
    },
    second: 'test_two.py',
    stopped: 2,
  },
  'go test': {
    command: 'go test ./...',
    package: null,
    needs: 'go version',
    files: {
      'go.mod': 'module example.com/m\n\ngo 1.19\n',
      'a_test.go':
        'package m\n\nimport "testing"\n\nfunc TestA(t *testing.T) { t.Fatal("no") }\nfunc TestB(t *testing.T) {}\n',
    },
    second: 'a_test.go',
    stopped: 1,
  },
}

async function ran(project: Project, options: RunOptions, command = project.command): Promise<CheckRun> {
  const folder = await madeFolder(project.files)
  if (project.package !== null) await symlink(modules, join(folder, 'node_modules'))
  const check = { name: 'unit', kind: 'check', command, cwd: '.', timeoutMs: HANG_MS } as const
  return runCheck(check, [], { folder, home: null, user: process.env, signal: undefined }, options)
}

const isMissing = async ({ package: name, needs }: Project): Promise<string | null> => {
  if (name !== null) return existsSync(join(modules, name)) ? null : `${name} is not installed`
  if (needs === undefined) return null
  const tool = await ran({ command: needs, package: null, files: {}, second: '', stopped: 0 }, {})
  return isGreen(tool) ? null : `'${needs}' fails here`
}

describe.for(Object.entries(projects))('%s', ([name, project]) => {
  it('stops at its first red test', async ({ skip }) => {
    const missing = await isMissing(project)
    if (missing !== null) skip(missing)
    const run = await ran(project, { stopAtFirstRed: true })
    expect([isGreen(run), run.tests?.run]).toEqual([false, project.stopped])
  })

  it('is narrowed to some files', async ({ skip }) => {
    const missing = await isMissing(project)
    if (missing !== null) skip(missing)
    if (name === 'go test') skip('go test runs packages, not files')
    const run = await ran(project, { only: [project.second, 'gone.test.js'] })
    expect([run.narrowed, run.tests?.run, run.unloaded]).toEqual([true, 2, undefined])
  })

  it('runs whole where none of the files is there', async ({ skip }) => {
    const missing = await isMissing(project)
    if (missing !== null) skip(missing)
    if (name === 'go test') skip('go test runs packages, not files')
    const run = await ran(project, { only: ['gone.test.js'] })
    expect([run.narrowed, run.tests?.run]).toEqual([undefined, 4])
  })
})

describe('a run', () => {
  it.each<[string, keyof typeof projects, (command: string) => string]>([
    ['vitest', 'vitest', (command) => `${command} one`],
    ['node:test', 'node:test', (command) => `${command} one.test.mjs`],
    ['pytest', 'pytest', (command) => `${command} test_one.py`],
  ])('whose command names its tests is not narrowed: %s', async (name, key, command) => {
    const project = projects[key] as Project
    const run = await ran(project, { only: [project.second] }, command(project.command))
    expect([name, run.narrowed, run.tests?.run]).toEqual([name, undefined, 2])
  })

  it('has the shorter of the two deadlines', async () => {
    const project = projects['node:test'] as Project
    expect((await ran(project, { timeoutMs: 300 }, 'sleep 60')).how).toBe('timedOut')
  })

  it('of pytest works where the command has its own path of modules', async ({ skip }) => {
    const project = projects['pytest'] as Project
    const missing = await isMissing(project)
    if (missing !== null) skip(missing)
    const run = await ran(project, {}, 'PYTHONPATH=src python3 -m pytest -q')
    expect([run.exit, run.tests?.run]).toEqual([1, 4])
  })
})
