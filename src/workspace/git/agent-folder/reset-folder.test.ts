import { lstatSync } from 'node:fs'
import { chmod, link, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { contentOf } from '../../../../test/rig/git-repository.ts'
import { removeAll } from '../../../system/remove-all.ts'
import { isReset } from './reset-folder.ts'
import { fillFolder } from '../../../../test/rig/folder.ts'

const WANTED = { HEAD: 'ref: x\n', 'refs/heads/work': 'id\n', 'objects/info/alternates': '/objects\n' }
const files = new Map(Object.entries(WANTED).map(([path, text]) => [path, Buffer.from(text)]))
const EXACTLY = { ...WANTED, 'objects/': '', 'objects/info/': '', 'refs/': '', 'refs/heads/': '' }

async function madeFolder() {
  const root = await mkdtemp(join(tmpdir(), 'ralph-reset-'))
  onTestFinished(() => removeAll(root))
  const folder = join(root, 'dir')
  await fillFolder(folder, WANTED)
  await writeFile(join(root, 'outside'), 'outside\n')
  return { root, folder }
}

type Deed = (folder: string, root: string) => Promise<unknown>

it.each<[string, 'reset' | 'left', Deed]>([
  ['nothing was done', 'reset', async () => {}],
  ['a file says something else', 'reset', (folder) => writeFile(join(folder, 'HEAD'), 'poison')],
  ['a file says as much of something else', 'reset', (folder) => writeFile(join(folder, 'HEAD'), 'ref: y\n')],
  [
    'files came',
    'reset',
    (folder) => fillFolder(folder, { config: 'x', 'hooks/pre-commit': 'x', 'objects/aa/bb': 'x' }),
  ],
  ['a folder came in a folder', 'reset', (folder) => mkdir(join(folder, 'refs/heads/deep/er'), { recursive: true })],
  ['a file went', 'reset', (folder) => rm(join(folder, 'HEAD'))],
  ['a folder went', 'reset', (folder) => rm(join(folder, 'objects'), { recursive: true })],
  [
    'a link took the place of a file',
    'reset',
    (folder, root) => rm(join(folder, 'HEAD')).then(() => symlink(join(root, 'outside'), join(folder, 'HEAD'))),
  ],
  [
    'a link took the place of a folder',
    'reset',
    (folder, root) =>
      rename(join(folder, 'refs'), join(root, 'refs')).then(() => symlink(join(root, 'refs'), join(folder, 'refs'))),
  ],
  [
    'a folder took the place of a file',
    'reset',
    (folder) => rm(join(folder, 'HEAD')).then(() => fillFolder(folder, { 'HEAD/x': 'x' })),
  ],
  [
    'a file took the place of a folder',
    'reset',
    (folder) => rm(join(folder, 'refs'), { recursive: true }).then(() => writeFile(join(folder, 'refs'), 'x')),
  ],
  [
    'a file has a second name outside',
    'reset',
    (folder, root) => rm(join(folder, 'HEAD')).then(() => link(join(root, 'outside'), join(folder, 'HEAD'))),
  ],
  ['a file may be run', 'reset', (folder) => chmod(join(folder, 'HEAD'), 0o4755)],
  ['a file is open to all', 'reset', (folder) => chmod(join(folder, 'HEAD'), 0o666)],
  ['a folder is open to all', 'reset', (folder) => chmod(join(folder, 'refs'), 0o777)],
  ['it is open to all itself', 'left', (folder) => chmod(folder, 0o777)],
  [
    'it is a link itself',
    'left',
    (folder, root) => rename(folder, join(root, 'other')).then(() => symlink(join(root, 'other'), folder)),
  ],
  ['it is gone', 'left', (folder) => rm(folder, { recursive: true })],
  [
    'very much came',
    'left',
    (folder) => fillFolder(folder, Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`many/${at}`, 'x']))),
  ],
])('where %s, the folder is %s', async (_, how, deed) => {
  const { root, folder } = await madeFolder()
  await deed(folder, root)
  expect(isReset(folder, files)).toBe(how === 'reset')
  expect(await readFile(join(root, 'outside'), 'utf8')).toBe('outside\n')
  if (how === 'left') return
  expect(await contentOf(folder)).toEqual(EXACTLY)
  for (const path of Object.keys(EXACTLY)) {
    const { mode, nlink } = lstatSync(join(folder, path))
    expect([path, (mode & 0o7002) === 0, path.endsWith('/') || (nlink === 1 && (mode & 0o100) === 0)]).toEqual([
      path,
      true,
      true,
    ])
  }
})
