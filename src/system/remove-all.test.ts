import { chmod, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { expect, it, onTestFinished } from 'vitest'
import { run } from './process/spawn.ts'
import { removeAll } from './remove-all.ts'

async function madeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-remove-'))
  onTestFinished(() => removeAll(folder))
  return folder
}

it('removes 3,000 folders within each other', async () => {
  const folder = await madeFolder()
  const dig = "for (let i = 0; i < 3000; i++) { require('fs').mkdirSync('deep'); process.chdir('deep') }"
  const { code } = await run({ argv: [execPath, '-e', dig], cwd: folder, env: {} })
  expect(code).toBe(0)
  await removeAll(join(folder, 'deep'))
  expect(await readdir(folder)).toEqual([])
})

it('removes what may not be written, and names that are no text', async () => {
  const folder = await madeFolder()
  const inner = Buffer.concat([Buffer.from(`${folder}/x`), Buffer.from([0xff, 0xfe])])
  await mkdir(inner)
  await writeFile(Buffer.concat([inner, Buffer.from('/f')]), 'f')
  await chmod(inner, 0)
  await removeAll(inner)
  expect(await readdir(folder)).toEqual([])
})

it('removes a link, not what it leads to; and minds nothing that is not there', async () => {
  const folder = await madeFolder()
  await mkdir(join(folder, 'kept'))
  await writeFile(join(folder, 'kept', 'f'), 'f')
  await symlink('kept', join(folder, 'link'))
  await removeAll(join(folder, 'link'))
  await removeAll(join(folder, 'nothing'))
  expect(await readFile(join(folder, 'kept', 'f'), 'utf8')).toBe('f')
  expect(await readdir(folder)).toEqual(['kept'])
})
