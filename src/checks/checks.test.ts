import { chmod, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TreeId } from '../core/values/id.ts'
import type { Check, CheckFolder, Checks } from './check.ts'
import { openChecks } from './checks.ts'
import { isThere } from './setup/folders.ts'
import { namesIn } from '../system/files.ts'
import { fillFolder, madeFolder } from '../../test/rig/folder.ts'
import { setupOf } from '../../test/rig/setup.ts'
import { HANG_MS } from '../../test/rig/hang.ts'

// A stand-in for npm that installs what the lockfile says, and notes that it did.
const npm = `#!/bin/sh
echo "$PWD" >> "$(dirname "$0")/installs"
[ -e package-lock.json ] || { echo "no lockfile"; exit 1; }
rm -rf node_modules && mkdir -p node_modules/lib && cp package-lock.json node_modules/lib/index.txt
mkdir -p "$HOME/.npm" && echo noise > "$HOME/.npm/log" && echo kept > "$HOME/.config"
`

interface ChecksRig {
  readonly checks: Checks
  readonly reopened: () => Checks
  readonly cacheFolder: string
  readonly checkout: (files?: Readonly<Record<string, string>>, tree?: string) => Promise<CheckFolder>
  readonly installs: () => Promise<number>
}

async function openRig(): Promise<ChecksRig> {
  const root = await madeFolder({ 'bin/npm': npm })
  await chmod(join(root, 'bin/npm'), 0o755)
  const cacheFolder = join(root, 'cache')
  const open = (): Checks => openChecks({ cacheFolder, env: { PATH: `${root}/bin:/usr/bin:/bin` } })
  let made = 0
  return {
    checks: open(),
    reopened: open,
    cacheFolder,
    checkout: async (files = { 'package-lock.json': 'v1' }, tree = `tree ${made}`) => {
      made += 1
      const folder = join(root, `checkouts/${made}`)
      await fillFolder(folder, { 'src/a.js': '', ...files })
      return { folder, tree: tree as TreeId }
    },
    installs: async () => (await readFile(join(root, 'bin/installs'), 'utf8').catch(() => '')).split('\n').length - 1,
  }
}

const checkOf = (command: string, changes: Partial<Check> = {}): Check => ({
  name: 'unit',
  kind: 'check',
  command,
  timeoutMs: HANG_MS,
  cwd: '.',
  ...changes,
})

async function said(checks: Checks, checkout: CheckFolder, command: string): Promise<string> {
  const run = await checks.run(checkout, checkOf(command), [])
  return `${run.exit}: ${run.outputTail.trim()}`
}

/** Prepares, runs, and gives back. */
async function used(checks: Checks, checkout: CheckFolder, setup: string, command: string): Promise<string> {
  const prepared = await checks.prepare(checkout, setupOf(setup))
  if (!prepared.ok) return `setup: ${prepared.run.outputTail.trim()}`
  const text = await said(checks, checkout, command)
  await checks.release(checkout)
  return text
}

const SEE = 'cat node_modules/lib/index.txt'

describe('a setup', () => {
  it('runs once for a lockfile, and what it made moves from checkout to checkout', async () => {
    const { checks, checkout, installs } = await openRig()
    const [one, two] = [await checkout(), await checkout()]
    expect(await used(checks, one, 'npm ci', SEE)).toBe('0: v1')
    expect(await isThere(join(one.folder, 'node_modules'))).toBe(false)
    expect(await used(checks, two, 'npm ci', SEE)).toBe('0: v1')
    expect(await used(checks, one, 'npm ci', SEE)).toBe('0: v1')
    expect(await installs()).toBe(1)
  })

  it('is remembered by the next process', async () => {
    const { checks, reopened, checkout, installs } = await openRig()
    await used(checks, await checkout(), 'npm ci', SEE)
    expect(await used(reopened(), await checkout(), 'npm ci', SEE)).toBe('0: v1')
    expect(await installs()).toBe(1)
  })

  it('runs again for another lockfile, and both are kept', async () => {
    const { checks, checkout, installs } = await openRig()
    const [one, two] = [await checkout(), await checkout({ 'package-lock.json': 'v2' })]
    for (const [place, version] of [
      [one, 'v1'],
      [two, 'v2'],
      [one, 'v1'],
      [two, 'v2'],
    ] as const)
      expect(await used(checks, place, 'npm ci', SEE)).toBe(`0: ${version}`)
    expect(await installs()).toBe(2)
  })

  it('runs for each checkout that is in use at the same time', async () => {
    const { checks, checkout, installs } = await openRig()
    const places = [await checkout(), await checkout()]
    for (const round of [1, 2]) {
      await Promise.all(places.map((place) => checks.prepare(place, setupOf('npm ci'))))
      expect([round, await Promise.all(places.map((place) => said(checks, place, SEE)))]).toEqual([
        round,
        ['0: v1', '0: v1'],
      ])
      await Promise.all(places.map((place) => checks.release(place)))
    }
    expect(await installs()).toBe(2)
  })

  it('that fails is a red run, and tried again', async () => {
    const { checks, checkout, installs } = await openRig()
    const place = await checkout({})
    const prepared = await checks.prepare(place, setupOf('npm ci'))
    expect(prepared).toMatchObject({
      ok: false,
      run: { name: 'setup', exit: 1, how: 'exited', outputTail: 'no lockfile\n' },
    })
    await checks.prepare(place, setupOf('npm ci'))
    expect(await installs()).toBe(2)
  })

  it('that changes the tree is refused', async () => {
    const { checks, checkout } = await openRig()
    const prepared = await checks.prepare(await checkout(), setupOf('npm ci && echo v9 > package-lock.json'))
    expect(prepared).toMatchObject({
      ok: false,
      run: {
        exit: 0,
        report: {
          ok: false,
          errors: [
            'the setup command changed package-lock.json, but the tree must stay as it is: use a command that installs what the lockfile says and writes to nothing else (npm ci, uv sync --frozen)',
          ],
        },
      },
    })
  })

  it('shares its home with the checks, and the home is clean again for the next', async () => {
    const { checks, checkout } = await openRig()
    const look = 'ls -A "$HOME"; touch "$HOME/left"'
    expect(await used(checks, await checkout(), 'npm ci', look)).toBe('0: .config')
    expect(await used(checks, await checkout(), 'npm ci', look)).toBe('0: .config')
  })

  it('is not needed where there is none', async () => {
    const { checks, checkout } = await openRig()
    const place = await checkout()
    expect(await checks.prepare(place, null)).toEqual({ ok: true })
    expect(await said(checks, place, 'echo fine')).toBe('0: fine')
    await checks.release(place)
  })

  it('is ended with its signal', async () => {
    const { checks, checkout } = await openRig()
    const stop = new AbortController()
    const preparing = checks.prepare(await checkout(), setupOf('sleep 60'), stop.signal)
    setTimeout(() => stop.abort(new Error('enough')), 100)
    await expect(preparing).rejects.toThrow('enough')
  })
})

describe('what a check does to its dependencies', () => {
  it.each<[string, string, number]>([
    ['a cache is removed', 'mkdir -p node_modules/.vite && echo x > node_modules/.vite/deps', 1],
    ['a planted package is removed', 'mkdir -p node_modules/evil && echo x > node_modules/evil/index.js', 1],
    ['a changed file costs a new setup', 'echo evil > node_modules/lib/index.txt', 2],
    [
      'a file changed behind the back of its times costs a new setup',
      'touch -r node_modules/lib/index.txt t; printf v2 > node_modules/lib/index.txt; touch -r t node_modules/lib/index.txt',
      2,
    ],
    ['a deleted file costs a new setup', 'rm node_modules/lib/index.txt', 2],
    ['a deleted folder costs a new setup', 'rm -rf node_modules', 2],
    ['a folder replaced by a link costs a new setup', 'mv node_modules other && ln -s other node_modules', 2],
    ['a changed home costs a new setup', 'echo evil > "$HOME/.config"', 2],
  ])('%s: the next tree does not see it', async (_, spoil, runs) => {
    const { checks, checkout, installs } = await openRig()
    expect(await used(checks, await checkout(), 'npm ci', spoil)).toMatch(/^0: /)
    expect(await used(checks, await checkout(), 'npm ci', `${SEE}; ls -A node_modules; cat "$HOME/.config"`)).toBe(
      '0: v1lib\nkept',
    )
    expect(await installs()).toBe(runs)
  })
})

describe('what a setup made', () => {
  it('stays with its checkout where it cannot be moved, as a virtual environment', async () => {
    const { checks, checkout } = await openRig()
    const setup = 'mkdir .venv && echo "$PWD" > .venv/where && echo ran >> ../venvs'
    const [one, two] = [await checkout(), await checkout()]
    for (const place of [one, two, one, two])
      expect(await used(checks, place, setup, 'cat .venv/where')).toBe(`0: ${place.folder}`)
    expect((await readFile(join(one.folder, '../venvs'), 'utf8')).split('\n').length - 1).toBe(2)
  })

  it('is for one tree only where it was built from it', async () => {
    const { checks, checkout } = await openRig()
    const setup = 'mkdir dist && cp src/a.js dist/a.js'
    const place = await checkout({ 'package-lock.json': 'v1', 'src/a.js': 'old' }, 'tree A')
    expect(await used(checks, place, setup, 'cat dist/a.js')).toBe('0: old')
    await writeFile(join(place.folder, 'src/a.js'), 'new')
    const next = { ...place, tree: 'tree B' as TreeId }
    expect(await used(checks, next, setup, 'cat dist/a.js')).toBe('0: new')
  })

  it('is not laid over what the tree has, nor behind a link of it', async () => {
    const { checks, checkout, installs } = await openRig()
    await used(checks, await checkout(), 'npm ci', SEE)
    const own = await checkout({ 'package-lock.json': 'v1', 'node_modules/own.txt': 'own' })
    await checks.prepare(own, setupOf('npm ci'))
    expect(await installs()).toBe(2)
  })

  it('is taken back from a checkout that was never released', async () => {
    const { checks, reopened, checkout, installs } = await openRig()
    const place = await checkout()
    await checks.prepare(place, setupOf('npm ci'))
    expect(await used(reopened(), place, 'npm ci', SEE)).toBe('0: v1')
    expect(await installs()).toBe(1)
  })

  it('is forgotten where such a checkout was emptied, and made anew', async () => {
    const { checks, reopened, cacheFolder, checkout, installs } = await openRig()
    const place = await checkout()
    await checks.prepare(place, setupOf('npm ci'))
    await rm(join(place.folder, 'node_modules'), { recursive: true })
    expect(await used(reopened(), place, 'npm ci', SEE)).toBe('0: v1')
    const [key = ''] = await namesIn(join(cacheFolder, 'outfits'))
    expect([await installs(), (await namesIn(join(cacheFolder, 'outfits', key))).length]).toEqual([2, 1])
  })

  it('is not taken where its record is torn', async () => {
    const { checks, cacheFolder, checkout, installs } = await openRig()
    await used(checks, await checkout(), 'npm ci', SEE)
    const [key = ''] = await namesIn(join(cacheFolder, 'outfits'))
    const [id = ''] = await namesIn(join(cacheFolder, 'outfits', key))
    await writeFile(join(cacheFolder, 'outfits', key, id, 'stock.0'), 'torn')
    expect(await used(checks, await checkout(), 'npm ci', SEE)).toBe('0: v1')
    await writeFile(join(cacheFolder, 'outfits', key, 'x'), 'no folder')
    expect(await used(checks, await checkout(), 'npm ci', SEE)).toBe('0: v1')
    expect(await installs()).toBe(2)
  })
})

describe('a result', () => {
  it('is made anew each time: what was green or red before is not taken from anywhere', async () => {
    const { checks, reopened, checkout } = await openRig()
    const place = await checkout()
    for (const command of ['echo ran >> ../ran; echo fine', 'echo ran >> ../ran; exit 1']) {
      const runs = [await checks.run(place, checkOf(command), []), await reopened().run(place, checkOf(command), [])]
      expect(runs.map(({ cached }) => cached)).toEqual([false, false])
    }
    expect(await readFile(join(place.folder, '../ran'), 'utf8')).toBe('ran\n'.repeat(4))
  })

  it('depends on tree, check, time limit, setup, files that it is given, tools and colours, and on nothing else', async () => {
    const { checks, reopened, cacheFolder } = await openRig()
    const tree = 'tree' as TreeId
    const check = checkOf('true # {files}', { kind: 'validator' })
    const key = checks.keyOf(tree, check, null, ['a.html', 'b.html'])
    expect(reopened().keyOf(tree, { ...check, name: 'renamed' }, null, ['b.html', 'a.html'])).toBe(key)
    const whole = checkOf('true')
    expect(checks.keyOf(tree, whole, null, ['a.html'])).toBe(checks.keyOf(tree, whole, null, []))
    const elsewhere = (env: Record<string, string>): Checks => openChecks({ cacheFolder, env })
    const others = [
      checks.keyOf('another' as TreeId, check, null, ['a.html', 'b.html']),
      checks.keyOf(tree, { ...check, command: 'true && true # {files}' }, null, ['a.html', 'b.html']),
      checks.keyOf(tree, { ...check, timeoutMs: 1000 }, null, ['a.html', 'b.html']),
      checks.keyOf(tree, check, setupOf('npm ci'), ['a.html', 'b.html']),
      checks.keyOf(tree, check, setupOf('npm ci', 'off'), ['a.html', 'b.html']),
      checks.keyOf(tree, check, null, ['a.html']),
      elsewhere({ PATH: '/bin:/usr/bin' }).keyOf(tree, check, null, ['a.html', 'b.html']),
      elsewhere({ PATH: '/bin:/usr/bin', NO_COLOR: '1' }).keyOf(tree, check, null, ['a.html', 'b.html']),
    ]
    expect(new Set([key, ...others]).size).toBe(others.length + 1)
  })
})

describe('a real npm', () => {
  it('installs once, offline, and what it installed works in the next checkout', async (context) => {
    const env = { PATH: process.env['PATH'] }
    const root = await madeFolder({
      'dep/package.json': '{"name":"dep","version":"1.0.0","main":"i.js"}',
      'dep/i.js': 'module.exports = 41',
    })
    const checks = openChecks({ cacheFolder: join(root, 'cache'), env })
    const tree = (name: string): CheckFolder => ({ folder: join(root, name), tree: name as TreeId })
    await mkdir(join(root, 'one'))
    const packed = await checks.run(tree('one'), checkOf('npm pack ../dep --silent && tar tzf dep-1.0.0.tgz'), [])
    if (packed.exit === 127) context.skip('npm or tar is not installed')
    await fillFolder(root, {
      'one/package.json': '{"name":"app","version":"1.0.0","dependencies":{"dep":"file:dep-1.0.0.tgz"}}',
      'one/a.js': 'console.log(require("dep") + 1)',
    })
    const locked = await checks.run(tree('one'), checkOf('npm install --package-lock-only --offline'), [])
    expect(locked.outputTail).not.toMatch(/error/)
    await cp(join(root, 'one'), join(root, 'two'), { recursive: true })
    expect(await used(checks, tree('one'), 'npm ci --offline', 'node a.js')).toBe('0: 42')
    await rename(join(root, 'dep'), join(root, 'gone'))
    expect(await used(checks, tree('two'), 'npm ci --offline', 'node a.js')).toBe('0: 42')
    const [key = ''] = await namesIn(join(root, 'cache/outfits'))
    expect((await namesIn(join(root, 'cache/outfits', key))).length).toBe(1)
  })
})
