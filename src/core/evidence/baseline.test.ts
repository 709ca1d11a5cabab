import { describe, expect, it } from 'vitest'
import { type Baseline, judgeBaseline } from './baseline.ts'
import type { CheckRun } from './evidence.ts'

const NPM = ['package.json', 'src/a.js']
const YOUNG = ['README.md', 'ralph.toml', 'docs/plan.md']

function run(more: Partial<CheckRun> = {}): CheckRun {
  return {
    name: 'unit',
    kind: 'check',
    checkHash: 'c',
    argv: ['/bin/sh', '-c', 'npm test'],
    exit: 0,
    how: 'exited',
    durationMs: 3_000,
    tests: null,
    names: null,
    outputDigest: 'sha256:0',
    outputTail: '',
    report: null,
    cached: false,
    ...more,
  }
}

const tests = (count: number, failed = 0) => ({ source: 'node:test', run: count, failed, skipped: 0 })
const red = (exit: number, outputTail: string, command = 'npm test'): CheckRun =>
  run({ exit, outputTail, argv: ['/bin/sh', '-c', command] })
const setup = (exit: number, outputTail: string, more: Partial<CheckRun> = {}): CheckRun =>
  run({ name: 'setup', step: 'setup', exit, outputTail, ...more })

function judged(runs: readonly CheckRun[], more: Partial<Baseline> = {}) {
  return judgeBaseline({ on: 'HEAD', runs, setup: null, setupMs: null, files: NPM, ...more })
}
const NPM_CI: Partial<Baseline> = { setup: 'npm ci' }

describe('what starts agents', () => {
  it.each<[string, readonly CheckRun[], Partial<Baseline>, string, string[]]>([
    [
      'green, with tests',
      [run({ tests: tests(42) })],
      { setup: 'npm ci', setupMs: 12_300 },
      'setup ok (12 s), unit: 42 tests green (3 s)',
      [],
    ],
    ['green, one test', [run({ tests: tests(1), durationMs: 120 })], {}, 'unit: 1 test green (0.1 s)', []],
    ['green, without a count', [run({ name: 'lint' })], {}, 'lint: green (3 s)', []],
    ['green, and nothing to run', [run({ tests: tests(0) })], {}, 'unit has no tests to run yet', []],
    [
      'red tests',
      [run({ name: 'lint' }), run({ exit: 1, tests: tests(42, 3) })],
      {},
      'lint: green (3 s), unit is red on HEAD: 3 tests fail',
      ['unit'],
    ],
    ['one red test', [run({ exit: 1, tests: tests(2, 1) })], {}, 'unit is red on HEAD: 1 test fails', ['unit']],
    ['red without a count', [red(2, 'src/a.ts(1,1): error TS2322: no')], {}, 'unit is red on HEAD (exit 2)', ['unit']],
    ['a crash', [run({ how: 'signalled', exit: null })], {}, 'unit is red on HEAD (killed by a signal)', ['unit']],
    ['a flood', [run({ how: 'flooded', exit: null })], {}, 'unit is red on HEAD (it prints too much)', ['unit']],
    [
      'a validator without files',
      [run({ tests: tests(1) }), run({ kind: 'validator', name: 'html', how: 'notNeeded', exit: null })],
      {},
      'unit: 1 test green (3 s)',
      [],
    ],
    [
      'tests that look for a program themselves',
      [run({ exit: 127, outputTail: 'sh: 1: ffmpeg: not found', tests: tests(9, 1) })],
      {},
      'unit is red on HEAD: 1 test fails',
      ['unit'],
    ],
  ])('%s', (_, runs, more, summary, names) => {
    expect(judged(runs, more)).toEqual({ is: 'goOn', summary, red: names })
  })

  const NOTHING = 'unit has nothing to run yet'
  it.each<[string, CheckRun, readonly string[]]>([
    ['no manifest', red(254, 'npm error Could not read package.json: Error: ENOENT'), YOUNG],
    ['no script', red(1, 'npm error Missing script: "test"'), NPM],
    ['a tool that npx would install', red(1, 'npm error npx canceled due to missing packages', 'npx vitest'), NPM],
    ['no crate', red(101, 'error: could not find `Cargo.toml` in `/tmp/x`', 'cargo test'), YOUNG],
    ['a script of the project', red(127, '/bin/sh: 1: ./scripts/test.sh: not found', './scripts/test.sh'), YOUNG],
    ['no folder', run({ how: 'notStarted', exit: null, outputTail: 'packages/a is no folder of the tree' }), YOUNG],
  ])('a new project that has nothing to run yet: %s', (_, one, files) => {
    expect(judged([one], { files })).toEqual({ is: 'goOn', summary: NOTHING, red: [] })
  })

  it.each<[string, CheckRun]>([
    ['no lockfile', setup(1, 'npm error The `npm ci` command can only install with an existing package-lock.json or')],
    [
      'no lockfile, said before pages of usage',
      setup(1, 'npm error   --foreground-scripts', {
        cause: ['npm error The `npm ci` command can only install with an existing package-lock.json or'],
      }),
    ],
    [
      'no requirements',
      setup(1, "ERROR: Could not open requirements file: [Errno 2] No such file: 'requirements.txt'"),
    ],
  ])('a new project that has nothing to install yet: %s', (_, one) => {
    expect(judged([one], { ...NPM_CI, files: YOUNG })).toEqual({
      is: 'goOn',
      summary: 'the setup has nothing to install yet: this is a new project',
      red: [],
    })
  })

  it('what a setup could bring to a Python project', () => {
    const missing = red(1, '/usr/bin/python3: No module named pytest', 'python3 -m pytest')
    expect(judged([missing], { setup: 'pip install .', setupMs: 1_000 })).toMatchObject({
      is: 'goOn',
      summary: `setup ok (1 s), ${NOTHING}`,
    })
  })
})

describe('what stops before any agent is started', () => {
  it.each<[string, CheckRun, readonly string[], string]>([
    ['of a script', red(127, '\n> test\n> vitst run\n\nsh: 1: vitst: not found\n'), NPM, 'vitst'],
    ['dash', red(127, '/bin/sh: 1: cargo: not found', 'cargo test'), ['Cargo.toml'], 'cargo'],
    ['bash', red(127, '/bin/sh: line 1: cargo: command not found', 'cargo test'), ['Cargo.toml'], 'cargo'],
    ['bash of old', red(127, 'sh: cargo: command not found', 'cargo test'), ['Cargo.toml'], 'cargo'],
    ['zsh', red(127, 'zsh: command not found: cargo', 'cargo test'), ['Cargo.toml'], 'cargo'],
    ['env', red(127, 'env: ‘python9’: No such file or directory', './run.py'), ['setup.py'], 'python9'],
    ['in a new project, where no task could bring it', red(127, 'sh: 1: pytest: not found', 'pytest'), YOUNG, 'pytest'],
    [
      'behind make',
      red(2, 'make: vitst: No such file or directory\nmake: *** [Makefile:2: test] Error 127', 'make test'),
      ['Makefile'],
      'vitst',
    ],
    ['behind pnpm', red(1, 'sh: 1: vitst: not found\n ELIFECYCLE  Test failed.', 'pnpm test'), NPM, 'vitst'],
    ['a file that is not there', red(127, 'sh: 1: node_modules/.bin/jest: not found'), NPM, 'node_modules/.bin/jest'],
    ['that nobody names', red(127, '', 'run-them-all'), NPM, 'run-them-all'],
    [
      'of a Python without a setup',
      red(1, '/usr/bin/python3: No module named pytest', 'python3 -m pytest -q'),
      ['pyproject.toml'],
      'pytest',
    ],
  ])('a program that is missing: %s', (_, one, files, program) => {
    const verdict = judged([run({ name: 'lint' }), one], { files })
    expect(verdict).toMatchObject({
      is: 'stop',
      error: expect.stringContaining(`unit cannot run on HEAD, since the program '${program}' was not found`),
      fix: `Install '${program}' where PATH or the setup finds it, or correct what calls it.`,
    })
  })

  it('says it in the lines that matter', () => {
    expect(judged([red(127, '\n> test\n> vitst run\n\nsh: 1: vitst: not found\n')])).toMatchObject({
      error: "unit cannot run on HEAD, since the program 'vitst' was not found:\n  sh: 1: vitst: not found",
    })
  })

  it.each<[string, CheckRun, readonly string[], string]>([
    [
      'a lockfile that does not fit',
      setup(1, 'npm error   --foreground-scripts', {
        cause: ['npm error code EUSAGE', 'npm error Missing: vitest@3 from lock file'],
      }),
      NPM,
      "the setup, 'npm ci', fails on HEAD (exit 1):\n  npm error code EUSAGE\n  npm error Missing: vitest@3 from lock file",
    ],
    [
      'no lockfile beside a manifest',
      setup(1, 'npm error The `npm ci` command can only install with an existing package-lock.json or'),
      NPM,
      "the setup, 'npm ci', fails on HEAD (exit 1):\n  npm error The `npm ci` command can only install with an existing package-lock.json or",
    ],
    [
      'whatever a new project says',
      setup(1, 'no network'),
      YOUNG,
      "the setup, 'npm ci', fails on HEAD (exit 1):\n  no network",
    ],
    [
      'one that changes the tree',
      setup(0, '', { report: { ok: false, errors: ['the setup command changed a.js'], normalizedHtml: null } }),
      NPM,
      "the setup, 'npm ci', fails on HEAD:\n  the setup command changed a.js",
    ],
    [
      'its program is missing',
      setup(127, 'sh: 1: npm: not found'),
      YOUNG,
      "setup cannot run on HEAD, since the program 'npm' was not found:\n  sh: 1: npm: not found",
    ],
  ])('a setup that fails: %s', (_, one, files, error) => {
    expect(judged([one], { ...NPM_CI, files })).toMatchObject({ is: 'stop', error })
  })

  it('a folder that a project which has begun does not have', () => {
    const one = run({ how: 'notStarted', exit: null, outputTail: 'packges is no folder of the tree' })
    expect(judged([one])).toEqual({
      is: 'stop',
      error: 'unit cannot be started on HEAD:\n  packges is no folder of the tree',
      fix: 'Correct unit in ralph.toml.',
    })
  })
})

describe('what the machine cut short, each time it was tried', () => {
  it.each<[string, CheckRun, Partial<Baseline>, string]>([
    [
      'a check that takes too long',
      run({ how: 'timedOut', exit: null, durationMs: 600_000 }),
      {},
      'unit ran into its time limit on HEAD twice, after 600 s each',
    ],
    [
      'a setup that takes too long',
      setup(0, '', { how: 'timedOut', exit: null, durationMs: 1_200_000 }),
      NPM_CI,
      'setup ran into its time limit on HEAD twice, after 1200 s each',
    ],
    [
      'a setup that is killed',
      setup(0, '', { how: 'signalled', exit: null }),
      NPM_CI,
      "the setup, 'npm ci', fails on HEAD (killed by a signal)",
    ],
  ])('%s', (_, one, more, error) => {
    expect(judged([one], more)).toMatchObject({ is: 'stop', error })
  })
})
