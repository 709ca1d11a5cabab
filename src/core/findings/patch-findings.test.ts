import { describe, expect, it } from 'vitest'
import { type Finding, findingText } from '../fact/finding.ts'
import type { CheckRun } from '../evidence/evidence.ts'
import { type Change, findings, matches, mustBeRead, type Suspect } from './patch-findings.ts'
import type { Versions } from './manifest-findings.ts'

describe('matches', () => {
  it.each([
    ['ralph.toml', 'ralph.toml', true],
    ['sub/ralph.toml', 'ralph.toml', false],
    ['ralphxtoml', 'ralph.toml', false],
    ['.github/workflows/ci.yml', '.github/**', true],
    ['.githubx/ci.yml', '.github/**', false],
    ['src/a.ts', 'src/*.ts', true],
    ['src/deep/a.ts', 'src/*.ts', false],
    ['src/deep/a.ts', 'src/**/*.ts', true],
    ['src/a.ts', 'src/**/*.ts', true],
    ['a/b/secret.pem', '**/*.pem', true],
    ['secret.pem', '**/*.pem', true],
    ['ab.txt', '??.txt', true],
    ['a/b.txt', '???.txt', false],
    ['weird(name)+.txt', 'weird(name)+.txt', true],
    ['line\nbreak/.env', '**/.env', true],
  ])('%j by %j: %s', (path, pattern, expected) => {
    expect(matches(path, pattern)).toBe(expected)
  })
})

const guarded = { protect: { paths: ['infra/**'] }, limits: { filesPerPatch: 2 } }

interface Sketch {
  readonly change?: Change['change']
  readonly from?: string
  readonly removed?: readonly string[]
  readonly added?: readonly string[]
  readonly isBinary?: boolean
  readonly versions?: Versions
}

/** A patch in which every file is one block at line 5. */
function suspect(sketches: Readonly<Record<string, Sketch>>, specs: readonly string[] = []): Suspect {
  const all = Object.entries(sketches)
  const diff = all.map(([path, { removed = [], added = [], isBinary = false }]) =>
    [
      `diff --git a/${path} b/${path}`,
      ...(isBinary ? [`Binary files a/${path} and b/${path} differ`] : []),
      ...(removed.length + added.length === 0 ? [] : [`@@ -5,${removed.length} +5,${added.length} @@`]),
      ...removed.map((text) => `-${text}`),
      ...added.map((text) => `+${text}`),
      '',
    ].join('\n'),
  )
  return {
    files: all.map(([path, { change = 'modified', from }]) => ({
      path,
      change,
      ...(from === undefined ? {} : { from }),
    })),
    diff: diff.join(''),
    isWhole: true,
    contents: new Map(
      all.flatMap(([path, { versions }]) => (versions === undefined ? [] : [[path, versions] as const])),
    ),
    specs,
    task: { type: null, title: 'Work', description: null },
  }
}

function told(found: readonly Finding[]): string[] {
  return found.map((finding) => `${finding.rule} ${findingText(finding)}`)
}

describe('findings', () => {
  it.each<[string, Readonly<Record<string, Sketch>>, readonly string[]]>([
    ['ordinary code', { 'src/a.ts': { removed: ['a'], added: ['b'] } }, []],
    [
      'a new test',
      { 'src/a.test.ts': { change: 'added', added: ["it('adds', () => expect(add(1, 2)).toBe(3))"] } },
      [],
    ],
    [
      'a test more in a file of tests',
      {
        'src/a.test.ts': {
          added: ["it('adds zero', () => {", '  const sum = add(1, 0)', '  expect(sum).toBe(1)', '})'],
        },
      },
      [],
    ],
    [
      'a test more, and a mock for all of them',
      { 'src/a.test.ts': { added: ["vi.mock('./add.ts')", "it('adds zero', () => expect(add(1, 0)).toBe(1))"] } },
      ['testEdited src/a.test.ts: a test file that existed before was edited'],
    ],
    [
      'a function put in the place of another',
      { 'src/a.test.js': { added: ['  math.add = () => 3'] } },
      ['testEdited src/a.test.js: a test file that existed before was edited'],
    ],
    [
      'a test more where a name can be given another meaning',
      { 'test_a.py': { added: ['def test_more():', '    assert add(1, 0) == 1'] } },
      ['testEdited test_a.py: a test file that existed before was edited'],
    ],
    [
      'a new test that says where it does not apply',
      { 'src/a.test.ts': { change: 'added', added: ["it.skipIf(isWindows)('links', () => {})"] } },
      [],
    ],
    [
      'an old test that need not run any more',
      { 'src/a.test.ts': { removed: ["it('links', () => {})"], added: ["it.skipIf(isCi)('links', () => {})"] } },
      [
        'testEdited src/a.test.ts: a test file that existed before was edited',
        'testSwitchedOff src/a.test.ts:5: a test was switched off or narrowed to itself',
      ],
    ],
    ['a page about agents', { 'docs/agents.md': { added: ['text'] } }, []],
    [
      'what agents obey',
      { 'packages/a/AGENTS.md': { added: ['text'] }, 'agents.md': { added: ['text'] } },
      ['packages/a/AGENTS.md', 'agents.md'].map(
        (path) => `agentSettings ${path}: what tells or steers coding agents changed, which later sessions would obey`,
      ),
    ],
    [
      'scripts that are new',
      {
        'package.json': {
          versions: {
            base: '{"scripts": {"build": "tsc"}}',
            now: '{"scripts": {"build": "tsc", "demo": "node demo.js", "pretest": "true", "lint": "true"}}',
          },
        },
      },
      [
        'script package.json:1: a command of the project changed: scripts.pretest',
        'script package.json:1: a command of the project changed: scripts.lint',
      ],
    ],
    [
      'a secret that is none',
      { 'a.test.ts': { change: 'added', added: ["const token = { accessToken: 'dummy-token-0001' }"] } },
      [],
    ],
    [
      'documents',
      { 'README.md': { added: ['it.skip'] }, 'docs/a.md': { change: 'added', added: ['sys.exit(0)'] } },
      [],
    ],
    ['a new empty file', { 'pkg/__init__.py': { change: 'added' } }, []],
    ['nothing', {}, ['nothingChanged nothing was changed, and the task is said to be done']],
    ['many files', { 'a.ts': {}, 'b.ts': {}, 'c.ts': {} }, ['manyFiles 3 files changed; more than 2 is unusual']],
    ['a protected path', { 'infra/x/main.tf': {} }, ['protected infra/x/main.tf: a protected path was touched']],
    [
      'a protected path that was renamed away',
      { 'other/main.tf': { change: 'renamed', from: 'infra/main.tf' } },
      ['protected infra/main.tf: a protected path was touched'],
    ],
    [
      'a deleted test',
      { 'test/a.test.js': { change: 'deleted', removed: ['assert(a)'] } },
      ['testRemoved test/a.test.js: a test file that existed before was deleted'],
    ],
    [
      'a test renamed so that it no longer runs',
      { 'test/a.txt': { change: 'renamed', from: 'test/a.test.js' } },
      ['testRemoved test/a.txt: the test file test/a.test.js was renamed to something that is no test'],
    ],
    [
      'a test moved',
      { 'test/b.test.js': { change: 'renamed', from: 'test/a.test.js' } },
      [
        'testEdited test/b.test.js: the test file test/a.test.js that existed before was renamed to this, or replaced by it',
      ],
    ],
    [
      'an assertion made weaker',
      { 'a.test.ts': { removed: ['  expect(add(2, 2)).toBe(4)'], added: ['  expect(add(2, 2)).toBeDefined()'] } },
      [
        'testEdited a.test.ts: a test file that existed before was edited',
        'assertionWeakened a.test.ts:5: an exact assertion gave way to a weaker one',
      ],
    ],
    [
      'a bound made looser',
      { 'a.test.ts': { removed: ['expect(x).toBeCloseTo(1, 6)'], added: ['expect(x).toBeCloseTo(1, 1)'] } },
      [
        'testEdited a.test.ts: a test file that existed before was edited',
        'toleranceLoosened a.test.ts:5: a bound was changed: how exact, how long or how much is wanted',
      ],
    ],
    [
      'a test switched off in a new file',
      { 'a.test.ts': { change: 'added', added: ['import x', "it.skip('x', () => {})"] } },
      ['testSwitchedOff a.test.ts:6: a test was switched off or narrowed to itself'],
    ],
    [
      'a snapshot',
      { 'src/__snapshots__/a.test.ts.snap': { removed: ['a'], added: ['b'] } },
      ['snapshotEdited src/__snapshots__/a.test.ts.snap: expected output that existed before was changed'],
    ],
    [
      'settings of the runner, with a lower threshold',
      { 'vitest.config.ts': { removed: ['lines: 90,'], added: ['lines: 10,'] } },
      [
        'runnerConfig vitest.config.ts: a setting of a test runner, type checker or linter changed, which can change what is checked',
        'toleranceLoosened vitest.config.ts:5: a bound was changed: how exact, how long or how much is wanted',
      ],
    ],
    [
      'a hook in conftest.py',
      { 'conftest.py': { change: 'added', added: ['def pytest_runtest_makereport(item, call):'] } },
      [
        'runnerConfig conftest.py: a setting of a test runner, type checker or linter changed, which can change what is checked',
        'runnerPatched conftest.py:5: a hook of the test runner can rewrite results',
      ],
    ],
    [
      '.npmrc',
      { '.npmrc': { change: 'added', added: ['script-shell=/bin/true'] } },
      ['packageTool .npmrc: a setting of the package manager changed, which can replace what runs'],
    ],
    [
      'an end that passes for success',
      { 'src/a.js': { added: ['process.exit(0)'] } },
      ['exitCall src/a.js:5: the process is ended from within as if all were well'],
    ],
    [
      'code that git does not show',
      { 'src/a.test.js': { isBinary: true } },
      [
        'testEdited src/a.test.js: a test file that existed before was edited',
        'unreadable src/a.test.js: git does not show its change as text, so nobody can look at it',
      ],
    ],
    ['an image', { 'logo.png': { isBinary: true, change: 'added' } }, []],
    [
      'a secret',
      { 'notes.txt': { added: ['', '-----BEGIN RSA PRIVATE KEY-----'] } },
      ['secret notes.txt:6: it looks like a private key'],
    ],
    [
      'package.json: scripts, runner, dependencies and what is none of these',
      {
        'package.json': {
          versions: {
            base: '{"version": "1.0.0", "scripts": {"test": "node --test"}, "dependencies": {}}',
            now: '{"version": "2.0.0",\n"scripts": {"test": "exit 0"},\n"jest": {"bail": true},\n"dependencies": {"x": "1"}}',
          },
        },
      },
      [
        'script package.json:2: a command of the project changed: scripts.test',
        'runnerConfig package.json:3: a setting of a test runner, type checker or linter changed: jest.bail',
        'dependency package.json:4: what the project depends on changed: dependencies.x',
      ],
    ],
    [
      'package.json that cannot be read',
      { 'package.json': { versions: { base: '{}', now: '{' } } },
      ['script package.json: it cannot be read, so nobody can say what it runs'],
    ],
    [
      'package.json of a new project',
      { 'package.json': { change: 'added', versions: { base: null, now: '{"scripts":{"test":"x"}}' } } },
      [],
    ],
    [
      'pyproject.toml: only sections that judge',
      {
        'pyproject.toml': {
          versions: {
            base: '[project]\nname = "a"\n[tool.pytest.ini_options]\naddopts = ""\n',
            now: '[project]\nname = "b"\n[tool.pytest.ini_options]\naddopts = "--deselect x"\n',
          },
        },
      },
      [
        'runnerConfig pyproject.toml:3: a setting of a test runner, type checker or linter changed: tool.pytest.ini_options',
      ],
    ],
  ])('%s', (_, sketches, expected) => {
    expect(told(findings(suspect(sketches), guarded))).toEqual(expected)
  })

  it('tells of an edited spec and of a diff that was cut', () => {
    const cut = { ...suspect({ 'PLAN.md': { added: ['x'] } }, ['PLAN.md']), isWhole: false }
    expect(told(findings(cut, guarded))).toEqual([
      'unreadable the patch is too long to be looked at as a whole',
      'specEdited PLAN.md: the text that the work is judged by was edited',
    ])
  })

  it.each([
    ['.github/workflows/ci.yml', 'ci'],
    ['.gitattributes', 'gitSettings'],
    ['.gitmodules', 'gitSettings'],
    ['packages/a/tsconfig.build.json', 'runnerConfig'],
    ['eslint.config.js', 'runnerConfig'],
    ['.eslintrc.json', 'runnerConfig'],
    ['package-lock.json', 'lockfile'],
    ['sub/Cargo.lock', 'lockfile'],
    ['requirements-dev.txt', 'lockfile'],
    ['Makefile', 'script'],
    ['.claude/settings.json', 'agentSettings'],
    ['CLAUDE.md', 'agentSettings'],
    ['ralph.toml', 'agentSettings'],
    ['.mcp.json', 'agentSettings'],
    ['.husky/pre-commit', 'ci'],
    ['CODEOWNERS', 'ci'],
  ] as const)('%s is of kind %s', (path, rule) => {
    expect(
      findings(suspect({ [path]: { change: 'added', added: ['x'] } }), guarded).map((found) => found.rule),
    ).toEqual([rule])
  })

  it.each([
    'vitest.config.ts',
    'jest.config.js',
    '.mocharc.yml',
    'test/mocha.opts',
    'pytest.ini',
    '.pytest.toml',
    'tests/conftest.py',
    'sitecustomize.py',
    'tox.ini',
    'spec/support/jasmine.mjs',
    '.config/nextest.toml',
  ])('%s is a setting of a runner, new or not', (path) => {
    const rules = (change: Change['change']): string[] =>
      findings(suspect({ [path]: { change, added: ['x'] } }), guarded).map(({ rule }) => rule)
    expect([rules('added'), rules('modified')]).toEqual([['runnerConfig'], ['runnerConfig']])
  })

  it.each<[string, Versions, readonly string[]]>([
    [
      'setup.cfg',
      { base: null, now: '[metadata]\nname = a\n[tool:pytest]\naddopts = --deselect test_a.py\n' },
      [
        'runnerConfig setup.cfg:3: a setting of a test runner, type checker or linter is new, and tests ran before without it: tool:pytest',
      ],
    ],
    [
      'pyproject.toml',
      { base: null, now: '[tool.pytest.ini_options]\naddopts = "-k none"\n' },
      [
        'runnerConfig pyproject.toml:1: a setting of a test runner, type checker or linter is new, and tests ran before without it: tool.pytest.ini_options',
      ],
    ],
    [
      'test/package.json',
      { base: null, now: '{"jest": {"testMatch": []}}' },
      [
        'runnerConfig test/package.json:1: a setting of a test runner, type checker or linter is new, and tests ran before without it: jest.testMatch',
      ],
    ],
    [
      'packages/new/package.json',
      {
        base: null,
        now: '{"name": "new", "type": "module", "bin": {"x": "x.js"}, "scripts": {"test": "node --test"}}',
      },
      [],
    ],
    ['crates/new/Cargo.toml', { base: null, now: '[package]\nname = "new"\n[lib]\npath = "a.rs"\n[[bin]]\n' }, []],
  ])('a new %s where tests ran before', (path, versions, expected) => {
    const patch = suspect({ [path]: { change: 'added', versions } })
    const tests = { source: 'x', run: 0, failed: 1, skipped: 0 }
    expect([told(findings(patch, guarded, [{ tests } as CheckRun])), findings(patch, guarded)]).toEqual([expected, []])
  })

  it('takes a patch of comments for nothing, unless words are what the task asks for', () => {
    const patch = suspect({ 'src/a.ts': { added: ['// Adds.'] } })
    const asked = { ...patch, task: { ...patch.task, title: 'Add a comment to a.ts' } }
    expect([told(findings(patch, guarded)), findings(asked, guarded)]).toEqual([
      ['nothingChanged only comments were changed'],
      [],
    ])
  })

  it('reads manifests whole, other files not', () => {
    const paths = ['package.json', 'sub/package.json', 'pyproject.toml', 'Cargo.toml', 'src/a.ts', 'my-package.json']
    expect(paths.filter((path) => mustBeRead({ path, change: 'modified' }))).toEqual(paths.slice(0, 4))
    expect(mustBeRead({ path: 'package.json', change: 'deleted' })).toBe(false)
  })
})
