import { execPath } from 'node:process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isGreen } from '../../core/evidence/evidence.ts'
import { endingOf } from '../../core/evidence/run-ending.ts'
import { isThere } from '../setup/folders.ts'
import { madeFolder } from '../../../test/rig/folder.ts'
import { runCheck } from '../run-check.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'

const modules = join(import.meta.dirname, '../../../node_modules')

async function namesBy(command: string, files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'ralph preload '))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'project'))
  await symlink(modules, join(folder, 'project/node_modules'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'project', name), text)
  const check = { name: 'unit', kind: 'check', command, cwd: '.', timeoutMs: HANG_MS } as const
  const place = { folder: join(folder, 'project'), home: null, user: process.env, signal: undefined }
  const run = await runCheck(check, [], place)
  return { exit: run.exit, tests: run.tests, names: run.names }
}

describe('runners are asked to name their tests', () => {
  it('vitest, called through its link', async () => {
    const files = {
      'package.json': '{"type": "module"}',
      'a.test.js': "import { it } from 'vitest'\nit('one', () => {})\nit.skip('two', () => {})\n",
    }
    const found = await namesBy(`PATH=${join(execPath, '..')}:$PATH node_modules/.bin/vitest run`, files)
    expect(found).toEqual({
      exit: 0,
      tests: { source: 'vitest', run: 1, failed: 0, skipped: 1 },
      names: { passed: ['a.test.js > one'], failed: [], skipped: ['a.test.js > two'] },
    })
  })

  it('node:test, which does so by itself, also where tests hold tests', async () => {
    const test =
      "const t = require('node:test')\nt('outer', async (x) => { await x.test('inner', () => {}) })\nt('other', () => {})\n"
    const found = await namesBy(`${execPath} --test`, { 'a.test.js': test })
    expect(found).toMatchObject({
      exit: 0,
      names: { passed: ['outer > inner', 'outer', 'other'], failed: [], skipped: [] },
    })
  })

  it('pytest, however quiet', async ({ skip }) => {
    const found = await namesBy('python3 -m pytest -q', { 'test_a.py': 'def test_one(): assert 1 + 1 == 2\n' })
    if (found.tests === null) skip('pytest is not installed')
    expect(found).toMatchObject({ exit: 0, names: { passed: ['test_a.py::test_one'], failed: [], skipped: [] } })
  })

  it('a reporter that the project asks for stays', async () => {
    const files = {
      'package.json': '{"type": "module"}',
      'a.test.js': "import { it } from 'vitest'\nit('one', () => {})\n",
    }
    const found = await namesBy(`${execPath} node_modules/vitest/vitest.mjs run --reporter=default`, files)
    expect(found).toEqual({
      exit: 0,
      tests: { source: 'vitest', run: 1, failed: 0, skipped: 0 },
      names: { passed: ['a.test.js > one'], failed: [], skipped: [] },
    })
  })
})

describe('what is loaded into every Node program', () => {
  const place = { home: null, user: process.env, signal: undefined }
  const check = (command: string) => ({ name: 'unit', kind: 'check', command, cwd: '.', timeoutMs: HANG_MS }) as const
  const run = async (command: string) => runCheck(check(command), [], { folder: await madeFolder(), ...place })
  const path = `"$(echo "$NODE_OPTIONS" | sed 's/^--require "\\([^"]*\\)".*/\\1/')"`

  it.each<[string, string]>([
    ['written over', `chmod u+w ${path}; echo 'process.exit(0)' > ${path}`],
    ['written over and put right again', `cp ${path} kept; chmod u+w ${path}; echo 1 > ${path}; cat kept > ${path}`],
    ['replaced', `cp ${path} kept; mv -f kept ${path}`],
    ['removed', `rm -f ${path}`],
  ])('is worth nothing once a check has changed it: %s', async (_, command) => {
    const found = await run(command)
    expect(found).toMatchObject({ how: 'exited', exit: 0, rewrote: ['ralph-test-names.cjs'] })
    expect([isGreen(found), endingOf(found)]).toEqual([false, 'void'])
  })

  it('is another file for each run, and none of an earlier one is left', async () => {
    const [one, two] = [await run(`echo ${path}`), await run(`echo ${path}`)]
    expect([isGreen(one), isGreen(two), one.outputTail === two.outputTail]).toEqual([true, true, false])
    expect(one.outputTail.trim()).toMatch(/\/ralph-test-names\.cjs$/)
    expect(await isThere(one.outputTail.trim())).toBe(false)
  })
})
