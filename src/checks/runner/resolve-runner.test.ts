// Which runner a check really starts, and what that shows up: with real packages and programs.
import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fillFolder, madeFolder } from '../../../test/rig/folder.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'
import type { CheckRun } from '../../core/evidence/evidence.ts'
import { isGreen } from '../../core/evidence/evidence.ts'
import { runnerFindings } from '../../core/test-output/runner-identity.ts'
import type { TreeId } from '../../core/values/id.ts'
import { openChecks } from '../checks.ts'
import { openFileDigests } from './file-digests.ts'

const node = process.execPath
const modules = join(import.meta.dirname, '../../../node_modules')
const TREE = 'tree' as TreeId

async function ran(folder: string, command: string, path = process.env['PATH'] ?? ''): Promise<CheckRun> {
  const checks = openChecks({ cacheFolder: await madeFolder(), env: { ...process.env, PATH: path } })
  const check = { name: 'unit', kind: 'check', command, cwd: '.', timeoutMs: HANG_MS } as const
  return checks.run({ folder, tree: TREE }, check, [])
}

const sha256 = async (file: string): Promise<string> =>
  `sha256:${createHash('sha256')
    .update(await readFile(file))
    .digest('hex')}`

/** node:test and its first line, as an imitation prints them. */
const SUMMARY = '✔ one (1ms)\nℹ tests 1\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n'
const IMITATION = `#!/bin/sh\ncat <<'END'\n${SUMMARY}END\n`

async function program(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), text)
  await chmod(join(folder, name), 0o755)
}

const byNode = { 'a.test.mjs': "import { it } from 'node:test'\nit('one', () => {})\n" }

describe('the runner of a check', () => {
  it('is the package behind the script, with the integrity of the lockfile', async () => {
    const lock = JSON.stringify(
      {
        packages: {
          'node_modules/other': { integrity: 'sha512-no' },
          'node_modules/vitest': { version: '5.1.0', integrity: 'sha512-yes' },
        },
      },
      null,
      2,
    )
    const folder = await madeFolder({
      'package.json': '{"scripts":{"test":"vitest run --globals"}}',
      'package-lock.json': lock,
      'a.test.js': "it('one', () => {})\n",
    })
    await symlink(modules, join(folder, 'node_modules'))
    const run = await ran(folder, 'npm test')
    const { version } = JSON.parse(await readFile(join(modules, 'vitest/package.json'), 'utf8')) as { version: string }
    expect(run).toMatchObject({ runner: { name: 'vitest', version, digest: 'sha512-yes' }, testsFrom: 'channel' })
    expect(isGreen(run)).toBe(true)
  })

  it('is the program on the path, by the digest of its file', async () => {
    // A program of a package is not looked for on the path, so it has a link elsewhere.
    const bin = await madeFolder()
    await symlink(node, join(bin, 'node'))
    const run = await ran(await madeFolder(byNode), 'node --test', `${bin}:${process.env['PATH']}`)
    const digest = await sha256(node)
    expect(run.runner).toMatchObject({ name: 'node:test', digest })
    expect(run.runner?.version?.replace('v', '')).toBe(process.versions.node)
    expect(run.toolchain).toEqual([{ program: 'node', digest }])
  })

  it('is not known where the command does not show it', async () => {
    expect('runner' in (await ran(await madeFolder(), 'echo vitest'))).toBe(false)
  })

  it('is another one where the patch puts something in its place', async () => {
    const files = { 'package.json': '{"scripts":{"test":"vitest run"}}' }
    const base = await madeFolder(files)
    await symlink(modules, join(base, 'node_modules'))
    const forged = await madeFolder(files)
    await program(join(forged, 'node_modules/.bin'), 'vitest', IMITATION)
    const [then, now] = [await ran(base, 'npm test'), await ran(forged, 'npm test')]
    expect(runnerFindings([then], [now])[0]?.what).toMatch(/^it runs another vitest than on the base: /)
  })
})

describe('a summary that no runner reported is no test', () => {
  const claim = 'its output counts 1 test, but'
  it('of a program earlier on the path', async () => {
    const bin = await madeFolder()
    await program(bin, 'node', IMITATION)
    const run = await ran(await madeFolder(byNode), 'node --test', `${bin}:${process.env['PATH']}`)
    expect([run.exit, run.tests?.run, isGreen(run)]).toEqual([0, 0, false])
    expect(run.contradiction).toBe(`${claim} node:test reported none: look for what prints them`)
  })

  it('of a program in the place of a package', async () => {
    const folder = await madeFolder({ 'package.json': '{"scripts":{"test":"vitest run"}}' })
    await program(join(folder, 'node_modules/.bin'), 'vitest', IMITATION)
    const run = await ran(folder, 'npm test')
    expect([run.exit, run.tests?.run, isGreen(run), run.contradiction?.startsWith(claim)]).toEqual([0, 0, false, true])
  })

  it('of a script that is no runner counts as output, and says so', async () => {
    const folder = await madeFolder()
    await fillFolder(folder, { 'run.sh': IMITATION })
    expect(await ran(folder, 'sh run.sh')).toMatchObject({ exit: 0, tests: { run: 1 }, testsFrom: 'output' })
  })
})

describe('the digest of a file', () => {
  it('is made anew when the file changes', async () => {
    const digests = openFileDigests()
    const folder = await madeFolder({ a: 'one' })
    const first = await digests(join(folder, 'a'))
    expect([first, await digests(join(folder, 'a'))]).toEqual([await sha256(join(folder, 'a')), first])
    await writeFile(join(folder, 'a'), 'two')
    expect(await digests(join(folder, 'a'))).toBe(await sha256(join(folder, 'a')))
    expect(await digests(join(folder, 'gone'))).toBeNull()
  })
})
