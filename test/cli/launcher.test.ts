import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const older = olderNode()
const noOlder = older === null ? 'there is no Node older than 24 on PATH outside node_modules/.bin' : null
if (noOlder !== null) console.warn(`The tests with an older Node are skipped: ${noOlder}.`)

const starters = [
  { name: `Node ${process.versions.node}`, node: process.execPath, reason: null },
  { name: 'an older Node, handing over to the own one of the checkout', node: older?.path ?? '', reason: noOlder },
]

// What the launcher starts, cut down to what the launcher can break.
const program = `
const [what, ...rest] = process.argv.slice(2)
if (what === 'exit') process.exitCode = Number(rest[0])
if (what === 'argv') console.log(JSON.stringify({ rest, node: process.versions.node }))
if (what === 'cat') process.stdin.pipe(process.stdout)
if (what === 'die') process.kill(process.pid, rest[0])
if (what === 'wait') {
  const seen = []
  // Ends with the process that started it, so that no test leaves it behind.
  for (const gone of ['end', 'error']) process.stdin.on(gone, () => process.exit(9))
  process.stdin.resume()
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'])
    process.on(signal, () => {
      seen.push(signal)
      console.log('seen ' + signal)
      if (signal !== rest[0]) return
      console.log('all ' + seen.join(' '))
      process.exit(7)
    })
  console.log('ready ' + process.pid + ', started by ' + process.ppid)
}
`

let folder: string
let checkout: string
let installed: string
let unbuilt: string

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph launcher ')))
  checkout = made('checkout', { ownNode: process.execPath, program })
  installed = made('installed', { ownNode: null, program })
  unbuilt = made('unbuilt', { ownNode: null, program: null })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(starters)('ralph started by $name', ({ node, reason }) => {
  it.for([0, 1, 4, 130])('ends with exit code %i of the program', (code, { skip }) => {
    if (reason !== null) skip(reason)
    expect(run(node, checkout, ['exit', String(code)])).toEqual({ status: code, signal: null, stdout: '', stderr: '' })
  })

  it('hands over arguments as they are, to Node 24 or newer', ({ skip }) => {
    if (reason !== null) skip(reason)
    const rest = ['two words', '', '--json', '-n', '3', 'it\'s "$HOME" *', 'größe\n2']
    const { stdout, ...end } = run(node, checkout, ['argv', ...rest])
    expect(JSON.parse(stdout)).toEqual({ rest, node: process.versions.node })
    expect(end).toEqual({ status: 0, signal: null, stderr: '' })
  })

  it('passes standard input through to its end', ({ skip }) => {
    if (reason !== null) skip(reason)
    const input = 'line\n'.repeat(100_000)
    expect(run(node, checkout, ['cat'], input)).toEqual({ status: 0, signal: null, stdout: input, stderr: '' })
  })

  it.for(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)('dies of %s as the program did', (signal, { skip }) => {
    if (reason !== null) skip(reason)
    expect(run(node, checkout, ['die', signal])).toEqual({ status: null, signal, stdout: '', stderr: '' })
  })

  it.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'lets the program answer one %s, sent to the first process only',
    async (signal, { skip }) => {
      if (reason !== null) skip(reason)
      const child = started(node, [join(checkout, 'bin/ralph.js'), 'wait', signal])
      const { stdout, ...end } = await ended(child, [{ when: /ready/, act: () => child.kill(signal) }])
      expect(stdout.replace(/ready.*/, 'ready')).toBe(`ready\nseen ${signal}\nall ${signal}\n`)
      expect(end).toEqual({ status: 7, signal: null, stderr: '' })
    },
  )

  it('lets the program see one Ctrl+C of a terminal once', async ({ skip }) => {
    if (reason !== null) skip(reason)
    if (!hasScript()) skip("there is no util-linux 'script' to make a terminal with")
    const line = `exec '${node}' '${join(checkout, 'bin/ralph.js')}' wait SIGTERM`
    const child = started('script', ['--quiet', '--return', '--command', line, '/dev/null'])
    const { stdout, status } = await ended(child, [
      { when: /ready/, act: () => child.stdin.write('\u0003') },
      // A SIGINT that was passed on as well would be there before this SIGTERM, which takes the same way.
      { when: /seen SIGINT/, act: (text) => process.kill(launcherIn(text, node), 'SIGTERM') },
    ])
    expect(stdout).toContain('all SIGINT SIGTERM')
    expect(status).toBe(7)
  })

  it('says how to build a checkout that is not built', ({ skip }) => {
    if (reason !== null) skip(reason)
    expect(run(node, unbuilt, [])).toEqual({
      status: 1,
      signal: null,
      stdout: '',
      stderr: `Error: Ralph is not built yet; run 'npm install' in ${unbuilt}/\n`,
    })
  })

  it('does not mistake a dependency that is missing for a missing build', ({ skip }) => {
    if (reason !== null) skip(reason)
    const torn = made('torn', { ownNode: process.execPath, program: "import 'no-such-package'" })
    const { status, stderr } = run(node, torn, [])
    expect(status).toBe(1)
    expect(stderr).toContain("Cannot find package 'no-such-package'")
    expect(stderr).not.toContain('npm install')
  })
})

describe('ralph started by an older Node', () => {
  const needs = (root: string) =>
    `Error: Ralph needs Node 24 or newer and this is Node ${older?.version}; ` +
    `install a newer one, or start it with 'npx -y node@24 ${root}/bin/ralph.js'\n`

  it('says in one sentence what it needs where it finds no newer one', ({ skip }) => {
    if (older === null) return skip(noOlder ?? '')
    const end = { status: 1, signal: null, stdout: '' }
    expect(run(older.path, installed, ['exit', '0'])).toEqual({ ...end, stderr: needs(installed) })
  })

  it('does not start itself for ever where the own Node is too old as well', async ({ skip }) => {
    if (older === null) return skip(noOlder ?? '')
    const root = made('outdated', { ownNode: older.path, program })
    const end = await ended(started(older.path, [join(root, 'bin/ralph.js')]), [])
    expect(end).toEqual({ status: 1, signal: null, stdout: '', stderr: needs(root) })
  })

  it('says what to do where the own Node cannot be started', ({ skip }) => {
    if (older === null) return skip(noOlder ?? '')
    const root = made('foreign', { ownNode: '/dev/null', program })
    const own = join(root, 'node_modules/node/bin/node')
    expect(run(older.path, root, [])).toEqual({
      status: 1,
      signal: null,
      stdout: '',
      stderr: `Error: Ralph cannot start ${own} (spawn ${own} EACCES); run 'npm install' again\n`,
    })
  })
})

it('keeps compiled code beside the program, where the next start finds it', () => {
  const root = made('cached', { ownNode: null, program })
  run(process.execPath, root, ['exit', '0'])
  expect(existsSync(join(root, 'node_modules/.cache/ralph'))).toBe(true)
})

function made(name: string, parts: { ownNode: string | null; program: string | null }): string {
  const root = join(folder, name)
  cpSync(join(import.meta.dirname, '../../bin'), join(root, 'bin'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  if (parts.program !== null) {
    mkdirSync(join(root, 'dist'), { recursive: true })
    writeFileSync(join(root, 'dist/cli.js'), parts.program)
  }
  if (parts.ownNode !== null) {
    mkdirSync(join(root, 'node_modules/node/bin'), { recursive: true })
    rmSync(join(root, 'node_modules/node/bin/node'), { force: true })
    symlinkSync(parts.ownNode, join(root, 'node_modules/node/bin/node'))
  }
  return root
}

function run(node: string, root: string, args: readonly string[], input = '') {
  const script = join(root, 'bin/ralph.js')
  const { status, signal, stdout, stderr } = spawnSync(node, [script, ...args], { input, encoding: 'utf8' })
  return { status, signal, stdout, stderr }
}

/** In a session of its own, which has no terminal and can be ended as a whole. */
function started(command: string, args: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(command, args, { detached: true })
  onTestFinished(() => {
    spawnSync('kill', ['-KILL', '--', `-${child.pid}`])
  })
  return child
}

interface Step {
  readonly when: RegExp
  readonly act: (stdout: string) => void
}

/** The output and the end. Each step runs once, in order, when the output so far matches it. */
async function ended(child: ChildProcessWithoutNullStreams, steps: readonly Step[]) {
  const ahead = [...steps]
  const out = { stdout: '', stderr: '' }
  child.stderr.setEncoding('utf8').on('data', (part: string) => (out.stderr += part))
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    out.stdout += part
    while (ahead[0]?.when.test(out.stdout)) ahead.shift()?.act(out.stdout)
  })
  const [status, signal] = await once(child, 'close')
  return { status, signal, ...out }
}

/** The process that was started: the program's parent where the launcher had to hand over, else the program itself. */
function launcherIn(text: string, node: string): number {
  const [, own, parent] = /ready (\d+), started by (\d+)/.exec(text) ?? []
  return Number(node === process.execPath ? own : parent)
}

function hasScript(): boolean {
  return spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false
}

function olderNode(): { path: string; version: string } | null {
  for (const place of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(place, 'node')
    if (place.endsWith('node_modules/.bin') || !existsSync(path)) continue
    const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1) ?? ''
    if (Number.parseInt(version, 10) < 24) return { path: realpathSync(path), version }
  }
  return null
}
