import {
  appendFile,
  chmod,
  link,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isThere } from './folders.ts'
import { madeFolder } from '../../../test/rig/folder.ts'
import { readManifest, restoreManifest, takeManifest, writtenManifest } from './file-manifest.ts'

async function packages(): Promise<string> {
  const folder = await madeFolder({ 'a/index.js': 'one', 'a/b/c.js': 'two', 'tab\tand\nline.js': '' })
  await symlink('index.js', join(folder, 'a/link'))
  await mkdir(join(folder, 'empty'))
  return folder
}

describe('a stock', () => {
  it('is the same after it was written down, and after the folder was moved', async () => {
    const folder = await packages()
    const manifest = readManifest(writtenManifest(await takeManifest(folder)))
    await rename(folder, `${folder}-moved`)
    const result = await restoreManifest(`${folder}-moved`, manifest)
    await rename(`${folder}-moved`, folder)
    expect(result).toBe('same')
    expect([...manifest.keys()].sort()).toEqual([
      'a',
      'a/b',
      'a/b/c.js',
      'a/index.js',
      'a/link',
      'empty',
      'tab\tand\nline.js',
    ])
  })

  it('of an empty folder is written and read', () => {
    expect(readManifest(writtenManifest(new Map()))).toEqual(new Map())
  })

  it('leaves out what is skipped, with all below it', async () => {
    const folder = await packages()
    expect([...(await takeManifest(folder, (path) => path === 'a')).keys()].sort()).toEqual([
      'empty',
      'tab\tand\nline.js',
    ])
  })

  it('loses what was added, and is the same', async () => {
    const folder = await packages()
    const manifest = await takeManifest(folder)
    await mkdir(join(folder, '.cache/deep'), { recursive: true })
    await writeFile(join(folder, '.cache/deep/x'), '')
    await writeFile(join(folder, 'a/new.js'), 'evil')
    expect(await restoreManifest(folder, manifest)).toBe('same')
    expect([await isThere(join(folder, '.cache')), await isThere(join(folder, 'a/new.js'))]).toEqual([false, false])
    expect(await readFile(join(folder, 'a/index.js'), 'utf8')).toBe('one')
  })

  it.each<[string, (folder: string) => Promise<unknown>]>([
    ['a line was added', (folder) => appendFile(join(folder, 'a/index.js'), ';evil()')],
    [
      'a file of the same length was put in its place, with the old times',
      async (folder) => {
        const { atime, mtime } = await stat(join(folder, 'a/index.js'))
        await writeFile(join(folder, 'a/index.js'), 'two')
        await utimes(join(folder, 'a/index.js'), atime, mtime)
      },
    ],
    ['a file is gone', (folder) => rm(join(folder, 'a/b/c.js'))],
    ['a folder is gone', (folder) => rm(join(folder, 'empty'), { recursive: true })],
    ['a file can be run', (folder) => chmod(join(folder, 'a/index.js'), 0o755)],
    ['a folder can be written by all', (folder) => chmod(join(folder, 'a'), 0o777)],
    [
      'a link leads elsewhere',
      async (folder) => {
        await rm(join(folder, 'a/link'))
        await symlink('/tmp', join(folder, 'a/link'))
      },
    ],
    [
      'a file has a second name, by which it can be written',
      (folder) => link(join(folder, 'a/index.js'), join(folder, 'back-door')),
    ],
    [
      'a file became a folder',
      async (folder) => {
        await rm(join(folder, 'a/index.js'))
        await mkdir(join(folder, 'a/index.js'))
      },
    ],
  ])('is changed where %s', async (_, change) => {
    const folder = await packages()
    const manifest = await takeManifest(folder)
    await change(folder)
    expect(await restoreManifest(folder, manifest)).toBe('changed')
  })
})
