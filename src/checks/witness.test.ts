import { execPath } from 'node:process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCheck } from './run-check.ts'
import { namingVariables } from './witness.ts'

const modules = join(import.meta.dirname, '../../node_modules')

async function namesBy(command: string, files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'ralph witness '))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'project'))
  await symlink(modules, join(folder, 'project/node_modules'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'project', name), text)
  const naming = await namingVariables(join(folder, 'cache'))
  const check = { name: 'unit', kind: 'check', command, cwd: '.', timeoutMs: 60_000 } as const
  const place = { folder: join(folder, 'project'), home: null, user: process.env, naming, signal: undefined }
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
    expect(found).toMatchObject({ exit: 0, names: { passed: ['outer > inner', 'other'], failed: [], skipped: [] } })
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
    expect(found).toEqual({ exit: 0, tests: { source: 'vitest', run: 1, failed: 0, skipped: 0 }, names: null })
  })
})
