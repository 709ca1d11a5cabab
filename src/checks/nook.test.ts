import { chmod, mkdir, readdir, rmdir, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isThere } from './folders.ts'
import { madeFolder } from './made-folder.ts'
import { giveBackNook, type Nook, takeNook } from './nook.ts'

/** For this test alone, nooks are made in a folder of its own. */
async function ownTemp(): Promise<void> {
  const before = process.env['TMPDIR']
  onTestFinished(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  })
  process.env['TMPDIR'] = await madeFolder()
}

describe('a home and a temporary folder for a check', () => {
  it('are empty, their user’s alone, and the next check’s where nothing was left in them', async () => {
    await ownTemp()
    const nook = takeNook()
    expect([await readdir(nook.home), await readdir(nook.temporary)]).toEqual([[], []])
    expect((await stat(nook.root)).mode & 0o777).toBe(0o700)
    expect(takeNook().root).not.toBe(nook.root)
    await giveBackNook(nook)
    expect(takeNook()).toEqual(nook)
  })

  it.each<[string, (nook: Nook) => Promise<void>]>([
    ['a file in the home', ({ home }) => writeFile(join(home, '.npmrc'), '')],
    ['a folder in the temporary one', ({ temporary }) => mkdir(join(temporary, 'x'))],
    ['a file beside the two', ({ root }) => writeFile(join(root, 'x'), '')],
    ['other rights', ({ home }) => chmod(home, 0o777)],
    ['none where one was', ({ temporary }) => rmdir(temporary)],
    ['a link in the place of one', ({ home }) => rmdir(home).then(() => symlink(dirname(home), home))],
  ])('are removed where %s is left', async (_, leave) => {
    await ownTemp()
    const nook = takeNook()
    await leave(nook)
    await giveBackNook(nook)
    expect(await isThere(nook.root)).toBe(false)
    expect(takeNook().root).not.toBe(nook.root)
  })

  it('are not given to another check after somebody came back to them', async () => {
    await ownTemp()
    const nook = takeNook()
    await giveBackNook(nook)
    await writeFile(join(nook.home, '.npmrc'), 'script-shell=/bin/true')
    expect(takeNook().root).not.toBe(nook.root)
  })
})
