import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { madeFolder } from '../../../test/rig/folder.ts'
import { projectFiles } from './project-files.ts'

describe('projectFiles', () => {
  it('reads texts, and takes what is no readable text file of sane size as not there', async () => {
    const folder = await madeFolder({ 'a.txt': '\uFEFFa', 'b/c.txt': 'c', 'big.txt': Buffer.alloc(1024 * 1024 + 1) })
    await symlink('/dev/zero', join(folder, 'zero.txt'))
    await symlink('gone', join(folder, 'gone.txt'))
    const { text } = projectFiles(folder)
    const paths = ['a.txt', 'b/c.txt', 'none.txt', 'b', 'big.txt', 'zero.txt', 'gone.txt', 'a.txt/x']
    expect(await Promise.all(paths.map(text))).toEqual(['a', 'c', null, null, null, null, null, null])
  })

  it('lists names and folders in order, links and missing ones left out', async () => {
    const folder = await madeFolder({ 'z/1': '', 'a/1': '', f: '' })
    await mkdir(join(folder, 'm'))
    await symlink('a', join(folder, 'link'))
    const files = projectFiles(folder)
    expect(await files.names('.')).toEqual(['a', 'f', 'link', 'm', 'z'])
    expect(await files.names('none')).toEqual([])
    expect(await files.folders()).toEqual(['a', 'm', 'z'])
    expect(await Promise.all(['f', 'a', 'none'].map(files.has))).toEqual([true, false, false])
  })
})
