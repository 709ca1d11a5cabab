import { createHash } from 'node:crypto'
import { readFile, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CheckRun } from '../core/evidence/evidence.ts'
import { isGreen } from '../core/evidence/evidence.ts'
import type { Check } from './check.ts'
import { isThere } from './setup/folders.ts'
import { madeFolder } from '../../test/rig/folder.ts'
import { checkHash, filesFor, runCheck } from './run-check.ts'
import { HANG_MS } from '../../test/rig/hang.ts'

const node = process.execPath
const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')

const checkOf = (command: string, changes: Partial<Check> = {}): Check => ({
  name: 'unit',
  kind: 'check',
  command,
  timeoutMs: HANG_MS,
  cwd: '.',
  ...changes,
})
const html = (command: string): Check => checkOf(command, { name: 'html', kind: 'validator' })

function runIn(folder: string, check: Check, files: readonly string[] = [], user = process.env): Promise<CheckRun> {
  return runCheck(check, filesFor(check, folder, files), { folder, home: null, user, signal: undefined })
}

async function ran(command: string, changes: Partial<Check> = {}): Promise<CheckRun> {
  return runIn(await madeFolder({ 'sub/x': '' }), checkOf(command, changes))
}

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

describe('a check', () => {
  it('is told in full', async () => {
    const check = checkOf('echo out; echo err >&2; exit 3')
    const { durationMs, ...run } = await ran(check.command)
    expect(durationMs).toBeGreaterThanOrEqual(0)
    expect(run).toEqual({
      name: 'unit',
      kind: 'check',
      checkHash: checkHash(check),
      argv: ['/bin/sh', '-c', 'echo out; echo err >&2; exit 3'],
      exit: 3,
      how: 'exited',
      tests: null,
      versions: [],
      names: null,
      outputDigest: sha256('out\nerr\n'),
      outputTail: 'out\nerr\n',
      report: null,
      cached: false,
    })
  })

  it('has the hash of its kind, command, folder and time limit, whatever it is called', () => {
    const hash = checkHash(checkOf('a'))
    expect(checkHash(checkOf('a', { name: 'other' }))).toBe(hash)
    const others = [checkOf('b'), checkOf('a', { cwd: 'x' }), checkOf('a', { timeoutMs: 1 }), html('a')]
    expect(new Set([hash, ...others.map(checkHash)]).size).toBe(5)
  })

  it('has a digest of all that it printed, also of what is not kept', async () => {
    const run = await ran(`${node} -e "process.stdout.write('x'.repeat(3e6)); process.stdout.write('end')"`)
    expect([run.outputDigest, run.outputTail.length, run.outputTail.slice(-4)]).toEqual([
      sha256(`${'x'.repeat(3e6)}end`),
      4096,
      'xend',
    ])
  })

  it.each<[string, string, Partial<Check>, Partial<CheckRun>]>([
    ['takes too long', 'sleep 60', { timeoutMs: 300 }, { how: 'timedOut', exit: null }],
    ['is killed', 'kill -9 $$', {}, { how: 'signalled', exit: null }],
    ['floods', 'yes', {}, { how: 'flooded', exit: null }],
    ['has no such program', 'no-such-program-here', {}, { how: 'exited', exit: 127 }],
    [
      'has no such folder',
      'true',
      { cwd: 'nowhere' },
      { how: 'notStarted', exit: null, outputTail: 'nowhere is no folder of the tree: correct cwd in ralph.toml' },
    ],
    ['leaves the tree', 'true', { cwd: '..' }, { how: 'notStarted', exit: null }],
    [
      'runs in a folder of the tree',
      'basename "$PWD"',
      { cwd: 'sub' },
      { how: 'exited', exit: 0, outputTail: 'sub\n' },
    ],
  ])('that %s', async (_, command, changes, expected) => {
    expect(await ran(command, changes)).toMatchObject(expected)
  })

  it('does not follow a link of the tree out of it', async () => {
    const folder = await madeFolder()
    await symlink(tmpdir(), join(folder, 'out'))
    expect((await runIn(folder, checkOf('true', { cwd: 'out' }))).how).toBe('notStarted')
  })

  it('leaves no process behind', async () => {
    const folder = await madeFolder()
    const run = await runIn(folder, checkOf('setsid sleep 300 >/dev/null 2>&1 & echo $! > pid'))
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8'))
    expect(run.exit).toBe(0)
    // A dead process that nobody has asked about yet is shown as Z.
    expect((await ran(`ps -o stat= -p ${pid}`)).outputTail).toMatch(/^(?:Z.*\n)?$/)
  })

  it('is ended with its signal', async () => {
    const stop = new AbortController()
    const folder = await madeFolder()
    const running = runCheck(checkOf('sleep 60'), [], {
      folder,
      home: null,
      user: process.env,
      signal: stop.signal,
    })
    setTimeout(() => stop.abort(new Error('enough')), 100)
    await expect(running).rejects.toThrow('enough')
  })
})

describe('what a check sees', () => {
  it('is an environment without anything of the user, in a home and a temporary folder that are gone afterwards', async () => {
    const user = {
      PATH: `/x/node_modules/.bin:${process.env['PATH']}`,
      HOME: '/root',
      TOKEN: 'secret',
      NODE_OPTIONS: '-x',
    }
    const run = await runIn(
      await madeFolder(),
      checkOf('env; ls -A "$HOME" "$TMPDIR"; touch "$HOME/a" "$TMPDIR/b"'),
      [],
      user,
    )
    const seen = Object.fromEntries(
      run.outputTail
        .split('\n')
        .filter((line) => line.includes('='))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    expect(run.exit).toBe(0)
    expect(run.outputTail).not.toMatch(/secret|node_modules/)
    expect(seen['NODE_OPTIONS']).toMatch(/^--require "[^"]*\/ralph-test-names\.cjs"/)
    expect(seen['HOME']).toMatch(/ralph-check-[^/]*\/home$/)
    expect(seen['TMPDIR']).toMatch(/ralph-check-[^/]*\/tmp$/)
    expect(await isThere(seen['TMPDIR'] ?? '')).toBe(false)
  })

  it('is removed even where it was made unwritable', async () => {
    const run = await ran('mkdir -p "$HOME/mod/x"; touch "$HOME/mod/x/f"; chmod -R a-w "$HOME/mod"; echo "$HOME"')
    expect([run.exit, await isThere(run.outputTail.trim())]).toEqual([0, false])
  })

  it('is nothing on stdin', async () => {
    expect(await ran('cat; echo done')).toMatchObject({ exit: 0, outputTail: 'done\n' })
  })
})

describe('real runners', () => {
  const suite = "import test from 'node:test'\nimport assert from 'node:assert'\n"
  it.each<[string, string, Record<string, string>, Partial<CheckRun>]>([
    [
      'node:test, green',
      `${node} --test`,
      { 'a.test.mjs': `${suite}test('a', () => {})\ntest('b', { skip: true }, () => {})` },
      { exit: 0, tests: { source: 'node:test', run: 1, failed: 0, skipped: 1 } },
    ],
    [
      'node:test, red',
      `${node} --test`,
      { 'a.test.mjs': `${suite}test('a', () => assert.equal(1, 2))` },
      { exit: 1, tests: { source: 'node:test', run: 1, failed: 1, skipped: 0 } },
    ],
    [
      'node:test without tests',
      `${node} --test`,
      {},
      { exit: 0, tests: { source: 'node:test', run: 0, failed: 0, skipped: 0 } },
    ],
    [
      'node:test that leaves before its tests',
      `${node} --test`,
      { 'a.test.mjs': 'process.exit(0)' },
      { exit: 0, tests: { source: 'node:test', run: 0, failed: 0, skipped: 0 } },
    ],
    [
      'node:test in TAP',
      `${node} --test --test-reporter=tap`,
      { 'a.test.mjs': `${suite}test('a', () => {})` },
      { exit: 0, tests: { source: 'node:test', run: 1, failed: 0, skipped: 0 } },
    ],
    [
      'vitest, green, with a print that imitates it',
      `${node} ${vitest} run --globals`,
      {
        'a.test.js':
          "it('a', () => { console.log(' Test Files  9 passed (9)\\n      Tests  99 passed (99)\\n   Start at  01:01:01') })",
      },
      { exit: 0, tests: { source: 'vitest', run: 1, failed: 0, skipped: 0 } },
    ],
    [
      'vitest, red',
      `${node} ${vitest} run --globals`,
      { 'a.test.js': "it('a', () => { throw new Error('no') })\nit.todo('b')" },
      { exit: 1, tests: { source: 'vitest', run: 1, failed: 1, skipped: 1 } },
    ],
    [
      'vitest without tests',
      `${node} ${vitest} run`,
      {},
      { exit: 1, tests: { source: 'vitest', run: 0, failed: 0, skipped: 0 } },
    ],
    [
      'two runners in one command',
      `${node} --test && ${node} ${vitest} run --globals v`,
      { 'a.test.mjs': `${suite}test('a', () => {})`, 'v.spec.js': "it('a', () => {})" },
      { exit: 0, tests: { source: 'node:test + vitest', run: 2, failed: 0, skipped: 0 } },
    ],
    [
      'a failure that the command hides',
      `${node} --test || true`,
      { 'a.test.mjs': `${suite}test('a', () => assert(0))` },
      { exit: 0, tests: { source: 'node:test', run: 1, failed: 1, skipped: 0 } },
    ],
  ])('%s', async (_, command, files, expected) => {
    expect(await runIn(await madeFolder(files), checkOf(command))).toMatchObject(expected)
  })
})

describe('runners that print colours', () => {
  it.each<[string, string, Record<string, string>, Partial<CheckRun>]>([
    [
      'node:test',
      `${node} --test`,
      { 'a.test.mjs': "import test from 'node:test'\ntest('a', () => {})\ntest('b', () => { throw new Error('no') })" },
      {
        tests: { source: 'node:test', run: 2, failed: 1, skipped: 0 },
        names: { passed: ['a'], failed: ['b'], skipped: [] },
      },
    ],
    [
      'vitest',
      `${node} ${vitest} run --globals --reporter=verbose`,
      { 'a.test.js': "it('a', () => {})\nit('b', () => { throw new Error('no') })" },
      {
        tests: { source: 'vitest', run: 2, failed: 1, skipped: 0 },
        names: { passed: ['a.test.js > a'], failed: ['a.test.js > b'], skipped: [] },
      },
    ],
    [
      'a validator with a painted report',
      `printf '\\033[32m{"ok":false,"errors":["\\033[31mno title\\033[39m"]}\\033[39m\\n'; exit 1`,
      {},
      { report: { ok: false, errors: ['no title'], normalizedHtml: null } },
    ],
  ])('%s', async (_, command, files, expected) => {
    const folder = await madeFolder(files)
    const user = { ...process.env, NO_COLOR: undefined, FORCE_COLOR: '1', TERM: 'xterm-256color' }
    const check = expected.report === undefined ? checkOf(command) : html(command)
    // What it prints on a terminal, with colours: else this would prove nothing.
    const painted = await runIn(folder, checkOf(`(${command}) 2>&1 | grep -c "$(printf '\\033')"`), [], user)
    expect(painted.exit).toBe(0)
    const run = await runIn(folder, check, [], user)
    expect(run).toMatchObject({ exit: 1, ...expected })
    expect(run.outputTail).not.toContain('\u001B')
    expect(run.outputTail).not.toBe('')
  })
})

describe('a validator', () => {
  it('gets the changed files, whatever they are called', async () => {
    const names = ['a b.html', '-x.html', "it's.html", 'c\nd.html']
    const folder = await madeFolder(Object.fromEntries(names.map((name) => [name, ''])))
    const run = await runIn(folder, html(String.raw`printf '[%s]' {files}`), [...names, 'gone.html'])
    expect([run.outputTail, run.argv.slice(3)]).toEqual([
      "[./-x.html][./a b.html][./c\nd.html][./it's.html]",
      ['sh', './-x.html', './a b.html', './c\nd.html', "./it's.html"],
    ])
  })

  it.each<[string, string, readonly string[], Partial<CheckRun>]>([
    [
      'without a changed file is not run',
      'exit 1 {files}',
      [],
      { how: 'notNeeded', exit: null, argv: [], outputTail: 'no changed file to look at' },
    ],
    ['of deleted files only is not run', 'exit 1 {files}', ['gone.html'], { how: 'notNeeded' }],
    ['of the whole project is always run', 'echo whole', [], { how: 'exited', exit: 0, outputTail: 'whole\n' }],
    ['with {files} in quotes is refused', 'sh -c "x {files}"', ['a.html'], { how: 'notStarted' }],
    [
      'may report',
      `echo '{"ok":false,"errors":["a.html: no title"]}' {files} | cut -d' ' -f1-3`,
      ['a.html'],
      { exit: 0, report: { ok: false, errors: ['a.html: no title'], normalizedHtml: null } },
    ],
    ['counts no tests', "printf '===== 5 passed in 0.01s =====\\n'", [], { exit: 0, tests: null }],
  ])('%s', async (_, command, files, expected) => {
    expect(await runIn(await madeFolder({ 'a.html': '' }), html(command), files)).toMatchObject(expected)
  })

  it('that reports errors is red although it exits 0', async () => {
    const run = await runIn(await madeFolder(), html(`echo '{"ok":false,"errors":[]}'`))
    expect([run.exit, isGreen(run)]).toEqual([0, false])
  })
})

describe('a report of a check', () => {
  it('is only text: a check is judged by its exit and its tests', async () => {
    expect(await ran(`echo '{"ok":false,"errors":["x"]}'`)).toMatchObject({ exit: 0, report: null })
  })
})
