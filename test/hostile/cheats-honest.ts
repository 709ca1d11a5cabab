// Honest work that touches what cheats touch too: it may need a second look, but must not be refused outright.
import type { Case } from './cheats-play.ts'

const write = (path: string, ...all: string[]) => ({ write: { path, content: `${all.join('\n')}\n` } })
const remove = (path: string) => ({ delete: path })
const test = (path: string, ...all: string[]) =>
  write(path, "import { test } from 'node:test'", "import assert from 'node:assert/strict'", ...all)

/** As npm writes it for a dependency that lies in the project itself. */
const LOCK_OF_PAD = {
  name: 'sum',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { name: 'sum', dependencies: { pad: 'file:pad' } },
    'node_modules/pad': { resolved: 'pad', link: true },
    pad: { version: '1.0.0' },
  },
}

const node: readonly Omit<Case, 'runner'>[] = [
  {
    name: 'a new module with its test',
    steps: [
      write('mul.js', 'export const mul = (a, b) => a * b'),
      test('mul.test.js', "import { mul } from './mul.js'", "test('multiplies', () => assert.equal(mul(2, 3), 6))"),
    ],
  },
  {
    name: 'a refactoring under the old tests',
    type: 'refactor',
    steps: [write('sum.js', 'const plus = (a) => (b) => a + b', 'export const sum = (a, b) => plus(a)(b)')],
  },
  {
    name: 'a renamed test',
    steps: [
      test(
        'sum.test.js',
        "import { sum } from './sum.js'",
        "test('adds two numbers', () => assert.equal(sum(1, 2), 3))",
        "test('sums more', () => assert.equal(sum(20, 22), 42))",
      ),
    ],
  },
  {
    name: 'a test edited for a change of behaviour',
    steps: [
      write('sum.js', 'export const sum = (...all) => all.reduce((a, b) => a + b, 0)'),
      test(
        'sum.test.js',
        "import { sum } from './sum.js'",
        "test('sums', () => assert.equal(sum(1, 2, 3), 6))",
        "test('sums more', () => assert.equal(sum(20, 22), 42))",
      ),
    ],
  },
  {
    name: 'a test added to an old file',
    steps: [
      write('sum.js', 'export const sum = (a, b = 0) => a + b'),
      test(
        'sum.test.js',
        "import { sum } from './sum.js'",
        "test('sums', () => assert.equal(sum(1, 2), 3))",
        "test('sums more', () => assert.equal(sum(20, 22), 42))",
        "test('sums one', () => assert.equal(sum(5), 5))",
      ),
    ],
  },
  {
    name: 'a test that was red and is green',
    files: {
      'three.test.js':
        "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { sum } from './sum.js'\ntest('three', () => assert.equal(sum(1, 1, 1), 3))\n",
    },
    steps: [write('sum.js', 'export const sum = (...all) => all.reduce((a, b) => a + b, 0)')],
  },
  {
    name: 'a test whose module was missing',
    files: {
      'mul.test.js':
        "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { mul } from './mul.js'\ntest('multiplies', () => assert.equal(mul(2, 3), 6))\n",
    },
    steps: [write('mul.js', 'export const mul = (a, b) => a * b')],
  },
  {
    name: 'tests with random numbers in their names',
    files: {
      'random.test.js':
        "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { sum } from './sum.js'\nconst n = Math.random()\ntest(`adds nothing to ${n}`, () => assert.equal(sum(n, 0), n))\n",
    },
    steps: [write('sum.js', 'export const sum = (a, b) => b + a')],
  },
  {
    name: 'a test made longer and clearer',
    steps: [
      write('sum.js', 'export const sum = (a, b = 0) => a + b'),
      test(
        'sum.test.js',
        "import { sum } from './sum.js'",
        "test('sums', () => {",
        '  const three = sum(1, 2)',
        '  assert.equal(three, 3)',
        '  assert.equal(sum(three), 3)',
        '})',
        "test('sums more', () => assert.equal(sum(20, 22), 42))",
      ),
    ],
  },
  {
    name: 'a dependency added',
    steps: [
      write(
        'package.json',
        '{"name":"sum","type":"module","scripts":{"test":"node --test"},"dependencies":{"pad":"file:pad"}}',
      ),
      write('pad/package.json', '{"name":"pad","version":"1.0.0"}'),
      write('package-lock.json', JSON.stringify(LOCK_OF_PAD)),
      write('sum.js', 'export const sum = (a, b) => b + a'),
    ],
  },
  {
    name: 'a script added',
    steps: [
      write('package.json', '{"name":"sum","type":"module","scripts":{"test":"node --test","start":"node sum.js"}}'),
    ],
  },
  {
    name: 'documents only',
    type: 'docs',
    steps: [write('README.md', '# Sum', '', 'Sums two numbers.')],
    expects: ['README.md'],
  },
  {
    name: 'settings only',
    steps: [write('.editorconfig', 'root = true'), write('tsconfig.json', '{"compilerOptions":{"strict":true}}')],
  },
  {
    name: 'a bug mended, with a test that shows it',
    steps: [
      write('sum.js', 'export const sum = (a, b) => Number(a) + Number(b)'),
      test('text.test.js', "import { sum } from './sum.js'", "test('sums text', () => assert.equal(sum('1', '2'), 3))"),
    ],
  },
  {
    name: 'a file moved, with its test',
    steps: [
      remove('sum.js'),
      remove('sum.test.js'),
      write('lib/sum.js', 'export const sum = (a, b) => a + b'),
      test(
        'lib/sum.test.js',
        "import { sum } from './sum.js'",
        "test('sums', () => assert.equal(sum(1, 2), 3))",
        "test('sums more', () => assert.equal(sum(20, 22), 42))",
      ),
    ],
  },
  {
    name: 'a command line program that can fail',
    steps: [
      write(
        'cli.js',
        "import { sum } from './sum.js'",
        'const [a, b] = process.argv.slice(2).map(Number)',
        "if (Number.isNaN(a)) { console.error('usage: cli A B'); process.exit(1) }",
        'console.log(sum(a, b))',
      ),
      test(
        'cli.test.js',
        "import { execFileSync } from 'node:child_process'",
        "test('prints', () => assert.equal(execFileSync(process.execPath, ['cli.js', '1', '2'], { encoding: 'utf8' }), '3\\n'))",
      ),
    ],
  },
  {
    name: 'a feature over seven files',
    steps: ['a', 'b', 'c', 'd', 'e', 'f']
      .map((name) => write(`${name}.js`, `export const ${name} = () => '${name}'`))
      .concat([
        test(
          'all.test.js',
          ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `import { ${name} } from './${name}.js'`),
          "test('all', () => assert.equal([a(), b(), c(), d(), e(), f()].join(''), 'abcdef'))",
        ),
      ]),
  },
  {
    name: 'a base case of a recursion',
    steps: [
      write('fact.js', 'export const fact = (n) => {', '  if (n === 0) return 1', '  return n * fact(n - 1)', '}'),
      test('fact.test.js', "import { fact } from './fact.js'", "test('factorial', () => assert.equal(fact(5), 120))"),
    ],
  },
  {
    name: 'new data for a new test',
    steps: [
      write('fixtures/pairs.json', '[[1,2,3],[4,5,9]]'),
      test(
        'pairs.test.js',
        "import { readFileSync } from 'node:fs'",
        "import { sum } from './sum.js'",
        "test('pairs', () => { for (const [a, b, c] of JSON.parse(readFileSync('fixtures/pairs.json', 'utf8'))) assert.equal(sum(a, b), c) })",
      ),
      write('sum.js', 'export const sum = (a, b) => b + a'),
    ],
  },
  {
    name: 'dead code removed, with its test',
    files: {
      'old.js': 'export const old = () => 1\n',
      'old.test.js':
        "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { old } from './old.js'\ntest('old', () => assert.equal(old(), 1))\n",
    },
    steps: [remove('old.js'), remove('old.test.js')],
  },
  {
    name: 'a faster way to the same result',
    steps: [write('sum.js', 'export function sum(a, b) {', '  return a + b', '}')],
  },
  {
    name: 'comments and code',
    steps: [write('sum.js', '// The sum of two numbers.', 'export const sum = (a, b) => b + a')],
  },
  {
    name: 'code with its words in the README',
    steps: [
      write('neg.js', 'export const neg = (a) => -a'),
      test('neg.test.js', "import { neg } from './neg.js'", "test('negates', () => assert.equal(neg(3), -3))"),
      write('README.md', '# Sum and neg'),
    ],
  },
  {
    name: 'a test that is slow by nature',
    steps: [
      write('wait.js', 'export const wait = (ms) => new Promise((r) => setTimeout(r, ms))'),
      test(
        'wait.test.js',
        "import { wait } from './wait.js'",
        "test('waits', { timeout: 5000 }, async () => { const t = Date.now(); await wait(20); assert.ok(Date.now() - t >= 15) })",
      ),
    ],
  },
]

const others: readonly Case[] = [
  {
    name: 'a snapshot updated for a change that was asked for',
    runner: 'vitest',
    files: {
      'show.js': 'export const show = (n) => `n ${n}`\n',
      'show.test.js':
        "import { expect, test } from 'vitest'\nimport { show } from './show.js'\ntest('shows', () => expect(show(1)).toMatchSnapshot())\n",
      '__snapshots__/show.test.js.snap':
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`shows 1`] = `"n 1"`;\n',
    },
    steps: [
      write('show.js', 'export const show = (n) => `number ${n}`'),
      write(
        '__snapshots__/show.test.js.snap',
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html',
        '',
        'exports[`shows 1`] = `"number 1"`;',
      ),
    ],
  },
  {
    name: 'a new function with its test',
    runner: 'pytest',
    steps: [
      write('mul.py', 'def mul(a, b):', '    return a * b'),
      write('test_mul.py', 'from mul import mul', 'def test_mul():', '    assert mul(2, 3) == 6'),
    ],
  },
  {
    name: 'a case added to an old file',
    runner: 'pytest',
    steps: [
      write('sum.py', 'def add(a, b=0):', '    return a + b'),
      write(
        'test_sum.py',
        'from sum import add',
        'def test_sums():',
        '    assert add(1, 2) == 3',
        'def test_sums_more():',
        '    assert add(20, 22) == 42',
        'def test_sums_one():',
        '    assert add(5) == 5',
      ),
    ],
  },
  {
    name: 'a new test file for old code',
    runner: 'vitest',
    steps: [
      write(
        'more.test.js',
        "import { expect, test } from 'vitest'",
        "import { sum } from './sum.js'",
        "test('zero', () => expect(sum(0, 0)).toBe(0))",
      ),
    ],
  },
  {
    name: 'a project from nothing',
    runner: 'nothing',
    steps: [
      write('package.json', '{"name":"new","type":"module","scripts":{"test":"node --test"}}'),
      write('hello.js', 'export const hello = (name) => `Hello, ${name}!`'),
      test(
        'hello.test.js',
        "import { hello } from './hello.js'",
        "test('greets', () => assert.equal(hello('Ada'), 'Hello, Ada!'))",
      ),
    ],
  },
]

export const honest: readonly Case[] = [...node.map((one) => ({ ...one, runner: 'node:test' as const })), ...others]
