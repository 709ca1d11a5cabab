import { chmod, mkdir, readdir, rmdir, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isThere } from './setup/folders.ts'
import { withTempHome, type TempHome } from './temp-home.ts'

describe('a home and a temporary folder for a check', () => {
  it('are empty, their user’s alone, and no other check’s, before it or after', async () => {
    const roots: string[] = []
    for (const round of [1, 2])
      await withTempHome(async ({ root, home, temporary }) => {
        expect([round, await readdir(home), await readdir(temporary)]).toEqual([round, [], []])
        expect((await stat(root)).mode & 0o777).toBe(0o700)
        roots.push(root)
      })
    expect(new Set(roots).size).toBe(2)
  })

  it.each<[string, (tempHome: TempHome) => Promise<unknown>]>([
    ['nothing', async () => {}],
    ['a file in the home', ({ home }) => writeFile(join(home, '.npmrc'), '')],
    ['a folder in the temporary one', ({ temporary }) => mkdir(join(temporary, 'x'))],
    ['a file beside the two', ({ root }) => writeFile(join(root, 'x'), '')],
    ['other rights', ({ home }) => chmod(home, 0o500)],
    ['none where one was', ({ temporary }) => rmdir(temporary)],
    ['a link in the place of one', ({ home }) => rmdir(home).then(() => symlink(dirname(home), home))],
  ])('are removed where %s is left', async (_, leave) => {
    const root = await withTempHome(async (tempHome) => {
      await leave(tempHome)
      return tempHome.root
    })
    expect(await isThere(root)).toBe(false)
  })

  it('are removed where the work fails', async () => {
    let root = ''
    const failing = withTempHome(async (tempHome) => {
      root = tempHome.root
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await isThere(root)).toBe(false)
  })
})
