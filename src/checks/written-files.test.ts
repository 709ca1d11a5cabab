import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BUILD, madeRepository } from '../../test/rig/git-repository.ts'
import { madeFolder } from '../../test/rig/folder.ts'
import { HANG_MS } from '../../test/rig/hang.ts'
import type { Check } from './check.ts'
import { openChecks } from './checks.ts'

const checkOf = (command: string, writes?: readonly string[]): Check => ({
  name: 'unit',
  kind: 'check',
  command,
  timeoutMs: HANG_MS,
  cwd: '.',
  ...(writes === undefined ? {} : { writes }),
})

async function opened() {
  const repository = await madeRepository({ 'a.txt': 'one\n', 'gen/b.txt': 'two\n', '.gitignore': '*.log\n' })
  const workspaces = await repository.open()
  const { tree } = await workspaces.startBuild(BUILD)
  const checks = openChecks({ cacheFolder: await madeFolder(), env: process.env })
  const checkout = await workspaces.checkout(tree)
  await checks.prepare(checkout, null)
  return { checks, checkout }
}

const REWRITES = 'echo x > a.txt; rm gen/b.txt; touch x.log new.txt'

it('a check that rewrites files of the tree is told which, and the next one sees the tree', async () => {
  const { checks, checkout } = await opened()
  const run = await checks.run(checkout, checkOf(REWRITES), [])
  expect([run.exit, run.wrote, run.wroteAllowed]).toEqual([0, ['a.txt', 'gen/b.txt'], undefined])
  expect(await checks.run(checkout, checkOf('cat a.txt gen/b.txt; ls x.log'), [])).toMatchObject({
    exit: 0,
    outputTail: 'one\ntwo\nx.log\n',
  })
})

it('files that a check may write are listed apart, and restored as well', async () => {
  const { checks, checkout } = await opened()
  const run = await checks.run(checkout, checkOf(REWRITES, ['gen/**']), [])
  expect([run.wrote, run.wroteAllowed]).toEqual([['a.txt'], ['gen/b.txt']])
  expect(await readFile(join(checkout.folder, 'gen/b.txt'), 'utf8')).toBe('two\n')
})

it('a check that writes the same bytes again has written nothing', async () => {
  const { checks, checkout } = await opened()
  const run = await checks.run(checkout, checkOf('cp a.txt x && cat x > a.txt && touch gen/b.txt && rm x'), [])
  expect([run.exit, 'wrote' in run, 'wroteAllowed' in run]).toEqual([0, false, false])
})
