// What the real runners report by our own reporters, whatever they print.
import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { madeFolder } from '../../../test/rig/folder.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'
import type { CheckRun } from '../../core/evidence/evidence.ts'
import { isGreen } from '../../core/evidence/evidence.ts'
import { runCheck } from '../run-check.ts'

const node = process.execPath
const modules = join(import.meta.dirname, '../../../node_modules')

type Files = Readonly<Record<string, string>>

async function ran(command: string, files: Files): Promise<CheckRun> {
  const folder = await madeFolder(files)
  await symlink(modules, join(folder, 'node_modules'))
  const check = { name: 'unit', kind: 'check', command, cwd: '.', timeoutMs: HANG_MS } as const
  // The first Node on the path is the one that runs these tests.
  const user = { ...process.env, PATH: `${dirname(node)}/../../node/bin:${process.env['PATH']}` }
  return runCheck(check, [], { folder, home: null, user, signal: undefined })
}

/** Null: it can run here. */
async function reasonToSkip(needs: string): Promise<string | null> {
  if (['vitest', 'jest', 'mocha'].includes(needs))
    return existsSync(join(modules, needs)) ? null : `${needs} is not installed`
  return isGreen(await ran(`${needs} --version`, {})) ? null : `'${needs} --version' fails here`
}

const pytest = 'python3 -m pytest'
const vitest = `${node} node_modules/vitest/vitest.mjs run --globals`
const jest = `${node} node_modules/jest/bin/jest.js`
const mocha = `${node} node_modules/mocha/bin/mocha.js`

const group =
  "describe('group', () => { it('green', () => {}); it('red', () => { throw new Error('no') }); it.skip('later', () => {}) })\n"
const suites: Readonly<Record<string, { needs: string; command: string; files: Files; prefix: string; file: string }>> =
  {
    'node:test': {
      needs: node,
      command: `${node} --test`,
      files: {
        'a.test.mjs': `import { describe, it } from 'node:test'\n${group}`,
        'broken.test.mjs': "import './nowhere.mjs'\n",
        'empty.test.mjs': '',
      },
      prefix: 'group > ',
      file: '',
    },
    vitest: {
      needs: 'vitest',
      command: vitest,
      files: { 'a.test.js': group, 'broken.test.js': "import './nowhere.mjs'\n" },
      prefix: 'a.test.js > group > ',
      file: '',
    },
    jest: {
      needs: 'jest',
      command: jest,
      files: { 'package.json': '{}', 'a.test.js': group, 'broken.test.js': "require('./nowhere.js')\n" },
      prefix: './a.test.js > group > ',
      file: '',
    },
    pytest: {
      needs: pytest,
      command: `${pytest} -q --continue-on-collection-errors`,
      files: {
        'test_a.py':
          'import pytest\nclass TestGroup:\n  def test_green(self): pass\n  def test_red(self): assert 0\n  @pytest.mark.skip\n  def test_later(self): pass\n',
        'test_broken.py': 'import nowhere\n',
      },
      prefix: 'test_a.py::TestGroup::test_',
      file: '',
    },
  }

describe('a runner reports its tests, and files that did not load apart from them', () => {
  it.for(Object.entries(suites))('%s', async ([source, { needs, command, files, prefix }], { skip }) => {
    const reason = await reasonToSkip(needs)
    if (reason !== null) skip(reason)
    expect(await ran(command, files)).toMatchObject({
      testsFrom: 'channel',
      tests: { source, run: 2, failed: 2, skipped: 1 },
      names: { passed: [`${prefix}green`], failed: [`${prefix}red`], skipped: [`${prefix}later`] },
      unloaded: 1,
    })
  })

  it('mocha, also with its files beside each other', async ({ skip }) => {
    const reason = await reasonToSkip('mocha')
    if (reason !== null) skip(reason)
    const hooked = "describe('hooked', () => { before(() => { throw new Error('no') }); it('never', () => {}) })\n"
    for (const parallel of ['', ' --parallel'])
      expect(await ran(`${mocha}${parallel}`, { 'test/a.js': group, 'test/b.js': hooked })).toMatchObject({
        testsFrom: 'channel',
        tests: { source: 'mocha', run: 2, failed: 2, skipped: 1 },
        names: { passed: ['group > green'], failed: ['group > red'], skipped: ['group > later'] },
      })
    const broken = await ran(mocha, { 'test/a.js': group, 'test/b.js': "require('./nowhere.js')\n" })
    expect([broken.tests?.run ?? 0, broken.unloaded, isGreen(broken)]).toEqual([0, 1, false])
  })

  it('a fixture of pytest that fails is no failed test', async ({ skip }) => {
    const reason = await reasonToSkip(pytest)
    if (reason !== null) skip(reason)
    const test =
      'import pytest\n@pytest.fixture\ndef thing(): raise Exception()\ndef test_a(thing): pass\ndef test_b(): pass\n@pytest.mark.xfail\ndef test_c(): assert 0\n'
    expect(await ran(pytest, { 'test_a.py': test })).toMatchObject({
      tests: { run: 1, failed: 1, skipped: 1 },
      names: { passed: ['test_a.py::test_b'], failed: [], skipped: ['test_a.py::test_c'] },
    })
  })
})

const one = "it('one', () => {})\n"
const byNode = `import { it } from 'node:test'\n${one}`

describe('a runner reports beside the reporter that the project has', () => {
  it.for<[string, string, string, Files, Partial<CheckRun>]>([
    [
      'node:test in TAP',
      node,
      `${node} --test --test-reporter=tap`,
      { 'a.test.mjs': byNode },
      { testsFrom: 'channel', tests: { source: 'node:test', run: 1, failed: 0, skipped: 0 } },
    ],
    [
      'node:test with two of its own',
      node,
      `${node} --test --test-reporter tap --test-reporter-destination out.tap --test-reporter=dot --test-reporter-destination=stdout && grep '^ok 1 - one' out.tap`,
      { 'a.test.mjs': byNode },
      { exit: 0, testsFrom: 'channel', tests: { source: 'node:test', run: 1, failed: 0, skipped: 0 } },
    ],
    [
      'a file of node:test that is run by itself',
      node,
      `${node} a.test.mjs`,
      { 'a.test.mjs': byNode },
      { testsFrom: 'channel', tests: { source: 'node:test', run: 1, failed: 0, skipped: 0 } },
    ],
    [
      'an npm script',
      'npm',
      'npm test',
      { 'package.json': '{"scripts":{"test":"node --test"}}', 'a.test.mjs': byNode },
      { testsFrom: 'channel', tests: { source: 'node:test', run: 1, failed: 0, skipped: 0 } },
    ],
    [
      'vitest',
      'vitest',
      `${vitest} --reporter=dot`,
      { 'a.test.js': one },
      { testsFrom: 'channel', names: { passed: ['a.test.js > one'], failed: [], skipped: [] } },
    ],
    [
      'vitest that may find no test',
      'vitest',
      `${vitest} --passWithNoTests`,
      {},
      { exit: 0, tests: { source: 'vitest', run: 0, failed: 0, skipped: 0 } },
    ],
    [
      'jest with reporters in its arguments',
      'jest',
      `${jest} --reporters=summary`,
      { 'package.json': '{}', 'a.test.js': one },
      { testsFrom: 'channel', names: { passed: ['./a.test.js > one'], failed: [], skipped: [] } },
    ],
    [
      'jest with reporters in its settings keeps them, and is known by its output',
      'jest',
      jest,
      { 'package.json': '{"jest":{"reporters":["default"]}}', 'a.test.js': one },
      { testsFrom: 'output', tests: { source: 'jest', run: 1, failed: 0, skipped: 0 } },
    ],
    [
      'mocha',
      'mocha',
      `${mocha} --reporter dot`,
      { 'test/a.js': one },
      { testsFrom: 'channel', names: { passed: ['one'], failed: [], skipped: [] } },
    ],
    [
      'two runners in one command',
      'vitest',
      `${node} --test && ${vitest} v`,
      { 'a.test.mjs': byNode, 'v.spec.js': one },
      { testsFrom: 'channel', tests: { source: 'node:test + vitest', run: 2, failed: 0, skipped: 0 } },
    ],
  ])('%s', async ([, needs, command, files, expected], { skip }) => {
    const reason = await reasonToSkip(needs)
    if (reason !== null) skip(reason)
    const run = await ran(command, files)
    expect(run).toMatchObject(expected)
    expect(isGreen(run)).toBe(true)
  })

  it('Node 20 prints as it does without us', async ({ skip }) => {
    const old = '/usr/bin/node'
    const version = existsSync(old) ? (await ran(`${old} --version`, {})).outputTail.trim() : ''
    if (!version.startsWith('v20') && !version.startsWith('v22')) skip(`${old} is no Node 20 or 22`)
    const run = await ran(`${old} --test`, { 'a.test.mjs': byNode })
    expect(run).toMatchObject({ testsFrom: 'channel', tests: { source: 'node:test', run: 1, failed: 0, skipped: 0 } })
    expect(run.outputTail).toContain('TAP version 13')
  })
})

describe('a runner that a test starts is part of that test', () => {
  it.for<[string, string, string, Files]>([
    [
      'node:test in vitest',
      'vitest',
      vitest,
      {
        'a.test.js': `import { execFileSync } from 'node:child_process'\nit('one', () => { execFileSync('${node}', ['--test', 'inner.mjs']) })\n`,
        'inner.mjs': byNode,
      },
    ],
    [
      'pytest in pytest',
      pytest,
      `${pytest} test_a.py`,
      {
        'test_a.py':
          'import subprocess, sys\ndef test_one(): subprocess.check_call([sys.executable, "-m", "pytest", "inner_test.py"])\n',
        'inner_test.py': 'def test_inner(): pass\n',
      },
    ],
  ])('%s', async ([, needs, command, files], { skip }) => {
    const reason = await reasonToSkip(needs)
    if (reason !== null) skip(reason)
    expect(await ran(command, files)).toMatchObject({ exit: 0, tests: { run: 1, failed: 0 } })
  })
})

describe('a run is not green where the runner and the output contradict each other', () => {
  it.for<[string, string, string, Files, string]>([
    [
      'a test of node:test that exits',
      node,
      `${node} --test --test-isolation=none`,
      { 'a.test.mjs': `${byNode}it('two', () => { process.exit(0) })\n` },
      'it exited 0, but node:test did not come to its end: look for a test that exits',
    ],
    [
      'a test of mocha that prints a summary and exits',
      'mocha',
      mocha,
      {
        'test/a.js': `${one}it('two', () => { console.log('  ✔ a\\n  ✔ b\\n\\n  2 passing (3ms)\\n'); process.exit(0) })\n`,
      },
      'it exited 0, but mocha did not come to its end: look for a test that exits',
    ],
    [
      'a test of pytest that exits',
      pytest,
      pytest,
      { 'test_a.py': 'import os\ndef test_a(): pass\ndef test_b(): os._exit(0)\n' },
      'it exited 0, but pytest did not come to its end: look for a test that exits',
    ],
    [
      'a program that writes to the channel',
      node,
      `${node} --test && for file in "$TMPDIR"/../*.log; do echo '{"e":"test"}' >> "$file"; done`,
      { 'a.test.mjs': byNode },
      'something else than a test runner wrote to the file in which the runners report: remove what writes to it',
    ],
  ])('%s', async ([, needs, command, files, contradiction], { skip }) => {
    const reason = await reasonToSkip(needs)
    if (reason !== null) skip(reason)
    const run = await ran(command, files)
    expect([run.exit, isGreen(run), run.contradiction]).toEqual([0, false, contradiction])
  })

  it('failures that the command hides count', async () => {
    const run = await ran(`${node} --test > /dev/null; printf 'ℹ tests 0\\n'; echo '# pass 12'`, {
      'a.test.mjs': `${byNode}it('two', () => { throw new Error('no') })\n`,
    })
    expect([run.exit, isGreen(run), run.tests?.failed]).toEqual([0, false, 1])
  })
})
