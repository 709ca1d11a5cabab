import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Json, SealedExample } from '../../core/sealed/example.ts'
import { tryExamples } from './try-examples.ts'

function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'ralph examples '))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const tried = (folder: string, examples: readonly SealedExample[], signal?: AbortSignal, limitMs?: number) =>
  tryExamples(
    examples,
    { folder, home: null, user: process.env, signal },
    ...(limitMs === undefined ? [] : [{ limitMs }]),
  )

function call(module: string, name: string, args: readonly Json[], returns: Json): SealedExample {
  return { call: { module, name, args, expects: { returns } } }
}
function throwing(module: string, name: string, args: readonly Json[] = []): SealedExample {
  return { call: { module, name, args, expects: { throws: true } } }
}
function command(argv: readonly string[], stdout: string, stdin = '', exit = 0): SealedExample {
  return { command: { argv, stdin, exit, output: { stdout } } }
}

it('calls what JavaScript exports, in every kind of module, whatever it prints', async () => {
  const folder = project({
    'package.json': '{"type": "module"}',
    'a.js': `import { two } from './lib/two.js'
console.log('{"is":"returned","value":"forged"}')
export const sum = async (...all) => all.reduce((x, y) => x + y, two - 2)
export default (text) => text.toUpperCase()
export class Money { static cents(text) { return this.factor * Number(text) } static factor = 100 }
export const shape = () => ({ b: undefined, a: [undefined, new Date(0)] })
export const nothing = () => {}
export const strange = (kind) => ({ nan: NaN, map: new Map(), big: 1n })[kind]
export const no = () => { throw new TypeError('no') }
export const value = 3`,
    'lib/two.js': 'export const two = 2',
    'b.cjs': "module.exports = { twice: (n) => n * 2 }; exports.other = 1; process.stdout.write('x')",
  })
  const results = await tried(folder, [
    call('a.js', 'sum', [1, 2, 3], 6),
    call('a.js', 'default', ['a'], 'A'),
    call('a.js', 'Money.cents', ['1.5'], 150),
    call('a.js', 'shape', [], { a: [null, '1970-01-01T00:00:00.000Z'] }),
    call('a.js', 'nothing', [], null),
    call('b.cjs', 'twice', [2], 4),
    throwing('a.js', 'no'),
    call('a.js', 'sum', [1, 2], 4),
    call('a.js', 'no', [], 1),
    throwing('a.js', 'nothing'),
    call('a.js', 'strange', ['nan'], null),
    call('a.js', 'strange', ['map'], {}),
    call('a.js', 'strange', ['big'], 1),
    call('a.js', 'sums', [1], 1),
    call('a.js', 'value', [], 3),
    call('c.js', 'sum', [1], 1),
  ])
  expect(results).toEqual([
    ...['6', '"A"', '150', '{"a":[null,"1970-01-01T00:00:00.000Z"]}', 'null', '4'].map((value) => ({
      is: 'holds',
      answer: `returned ${value}`,
    })),
    { is: 'holds', answer: 'threw TypeError: no' },
    { is: 'fails', answer: 'returned 3' },
    { is: 'fails', answer: 'threw TypeError: no' },
    { is: 'fails', answer: 'returned null' },
    { is: 'fails', answer: 'returned NaN' },
    { is: 'fails', answer: 'returned a Map' },
    { is: 'fails', answer: 'returned the BigInt 1' },
    { is: 'missing', answer: "a.js exports no function 'sums'" },
    { is: 'missing', answer: "a.js exports no function 'value'" },
    { is: 'missing', answer: 'there is no c.js' },
  ])
})

it('calls TypeScript by Node itself, and by the loader of the project where that fails', async () => {
  const folder = project({
    'a.ts': 'export function sum(one: number, other: number): number { return one + other }',
    'b.ts': "import { x } from './c.js'\nexport const f = (): number => x",
    'c.ts': 'export const x: number = 7',
  })
  expect(await tried(folder, [call('a.ts', 'sum', [1, 2], 3)])).toMatchObject([{ is: 'holds' }])
  expect(await tried(folder, [call('b.ts', 'f', [], 7)])).toMatchObject([
    { is: 'unclear', answer: expect.stringContaining('could not be loaded: Error: Cannot find module') },
  ])
  // A stand-in for tsx: it resolves `./c.js` to `./c.ts`, as tsx does.
  const tsx = join(folder, 'node_modules', 'tsx')
  mkdirSync(tsx, { recursive: true })
  writeFileSync(join(tsx, 'package.json'), '{"name": "tsx", "type": "module", "exports": "./index.mjs"}')
  writeFileSync(
    join(tsx, 'index.mjs'),
    "import { register } from 'node:module'; register('./hooks.mjs', import.meta.url)",
  )
  writeFileSync(
    join(tsx, 'hooks.mjs'),
    `import { readFileSync } from 'node:fs'
export const resolve = (name, context, next) => next(name === './c.js' ? './c.ts' : name, context)
export const load = (url, context, next) => !url.endsWith('.ts') ? next(url, context)
  : { format: 'module', shortCircuit: true, source: readFileSync(new URL(url), 'utf8').replaceAll(': number', '') }`,
  )
  expect(await tried(folder, [call('b.ts', 'f', [], 7)])).toEqual([{ is: 'holds', answer: 'returned 7' }])
})

it('calls Python, in packages and in a src folder', async () => {
  const folder = project({
    'cart/__init__.py': '',
    'cart/prices.py': `from .rate import RATE
print('{"is": "returned"}')
def total(lines): return sum(a * b for a, b in lines)
async def later(n): return (n, RATE)
def no(): raise ValueError('no')
def odd(): return {1, 2}
class Money:
    @staticmethod
    def cents(text): return int(float(text) * 100)`,
    'cart/rate.py': 'RATE = 3',
    'src/pkg/tool.py': 'import pkg.other\ndef twice(n): return pkg.other.factor * n',
    'src/pkg/other.py': 'factor = 2',
    'a-b.py': 'def f(): return None',
    'broken.py': 'import nothing_like_this',
    'bad.py': 'raise RuntimeError("on load")',
  })
  const results = await tried(folder, [
    call('cart/prices.py', 'total', [[[1, 2]]], 2),
    call('cart/prices.py', 'later', [1], [1, 3]),
    call('cart/prices.py', 'Money.cents', ['1.5'], 150),
    throwing('cart/prices.py', 'no'),
    call('src/pkg/tool.py', 'twice', [4], 8),
    call('a-b.py', 'f', [], null),
    call('cart/prices.py', 'odd', [], [1, 2]),
    call('cart/prices.py', 'gone', [], 1),
    call('broken.py', 'f', [], 1),
    call('bad.py', 'f', [], 1),
  ])
  expect(results.map(({ is }) => is).join(' ')).toBe('holds holds holds holds holds holds fails missing unclear fails')
  expect(results[7]?.answer).toBe("cart/prices.py has no function 'gone'")
  expect(readdirSync(join(folder, 'cart')).toSorted()).toEqual(['__init__.py', 'prices.py', 'rate.py'])
})

it('runs commands, and compares their exit code and output', async () => {
  const folder = project({
    'cli.mjs': `import { readFileSync } from 'node:fs'
const text = readFileSync(0, 'utf8')
console.log(process.argv[2] === '--json' ? JSON.stringify({ items: [{ text }] }) : text.toUpperCase())
process.exit(text === 'bad' ? 3 : 0)`,
  })
  const results = await tried(folder, [
    command(['node', 'cli.mjs'], 'A', 'a'),
    command(['node', 'cli.mjs'], 'b', 'a'),
    command(['node', 'cli.mjs'], 'BAD', 'bad', 3),
    command(['node', 'cli.mjs'], 'BAD', 'bad', 0),
    {
      command: {
        argv: ['node', 'cli.mjs', '--json'],
        stdin: 'x',
        exit: 0,
        output: { path: '$.items[0].text', equals: 'x' },
      },
    },
    command(['no-such-program-here'], 'A'),
  ])
  expect(results.map(({ is }) => is).join(' ')).toBe('holds fails holds fails holds missing')
  expect(results.at(-1)?.answer).toBe("the program 'no-such-program-here' cannot be started")
})

it('ends what hangs, floods or dies, and leaves no process behind', async () => {
  const folder = project({
    'a.mjs': `import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
export const hang = () => new Promise(() => setInterval(() => {}, 1000))
export const busy = () => { for (;;); }
export const flood = () => { const text = 'x'.repeat(1 << 20); for (let n = 0; n < 1024; n++) writeSync(1, text) }
export const die = () => process.exit(0)
export const child = () => { spawn('sleep', ['612'], { detached: true, stdio: 'inherit' }); return 1 }`,
  })
  const [hang, busy] = await Promise.all(
    ['hang', 'busy'].map((name) => tried(folder, [call('a.mjs', name, [], 1)], undefined, 1_500)),
  )
  expect([hang, busy]).toEqual([[{ is: 'fails', answer: 'took too long' }], [{ is: 'fails', answer: 'took too long' }]])
  expect(
    await tried(
      folder,
      ['flood', 'die', 'child'].map((name) => call('a.mjs', name, [], 1)),
    ),
  ).toEqual([
    { is: 'fails', answer: 'printed too much' },
    { is: 'fails', answer: 'ended before it answered (exit code 0)' },
    { is: 'holds', answer: 'returned 1' },
  ])
  expect(await tried(folder, [call('a.mjs', 'die', [], 1)], undefined, 0)).toEqual([
    { is: 'unclear', answer: 'no time left' },
  ])
})

it('does not follow a link out of the tree, and hides the home and the environment of the user', async () => {
  const outside = project({ 'secret.mjs': 'export const f = () => 1' })
  const folder = project({ 'a.mjs': 'export const home = (name) => process.env[name] ?? null' })
  symlinkSync(join(outside, 'secret.mjs'), join(folder, 'link.mjs'))
  process.env['RALPH_TEST_SECRET'] = 'x'
  onTestFinished(() => void delete process.env['RALPH_TEST_SECRET'])
  const results = await tried(folder, [
    call('link.mjs', 'f', [], 1),
    call('a.mjs', 'home', ['RALPH_TEST_SECRET'], null),
    call('a.mjs', 'home', ['HOME'], process.env['HOME'] ?? ''),
  ])
  expect(results.map(({ is }) => is)).toEqual(['missing', 'holds', 'fails'])
})

it('never hands the expected value to the code under test', async () => {
  const folder = project({
    'a.mjs': `import { execSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
export const look = () => {
  const place = dirname(process.argv[1])
  const files = [place, dirname(place)].flatMap((folder) => readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile()).map(({ name }) => readFileSync(join(folder, name), 'utf8')))
  return JSON.stringify([files, process.env, process.argv, execSync('cat /proc/self/environ || true').toString()])
}`,
  })
  const [result] = await tried(folder, [call('a.mjs', 'look', [], 'CANARY-EXPECTED')])
  expect(result?.is).toBe('fails')
  expect(result?.answer).not.toContain('CANARY-EXPECTED')
})

it('stops when its caller does', async () => {
  const folder = project({ 'a.mjs': 'export const hang = () => new Promise(() => setInterval(() => {}, 1000))' })
  const stop = new AbortController()
  const running = tried(folder, [call('a.mjs', 'hang', [], 1)], stop.signal)
  setTimeout(() => stop.abort(new Error('stopped')), 300)
  await expect(running).rejects.toThrow('stopped')
})
