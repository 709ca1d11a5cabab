import { existsSync } from 'node:fs'
import { appendFile, chmod, mkdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TreeId } from '../../../core/values/id.ts'
import { run } from '../../../system/process/spawn.ts'
import { BUILD, TASK, contentOf, gitIn, madeRepository, markOf } from '../../../../test/rig/git-repository.ts'
import { fillFolder, type Files } from '../../../../test/rig/folder.ts'

async function madeBuild(files?: Files) {
  const made = await madeRepository(files)
  const ws = await made.open()
  const { tree } = await ws.startBuild(BUILD)
  return { made, ws, tree }
}

const PLAIN = { '.gitignore': 'node_modules/\n*.log\n.env\n', 'a.txt': 'one\n', 'src/': '', 'src/b.txt': 'two\n' }

async function shell(folder: string, line: string): Promise<void> {
  const { code } = await run({ argv: ['/bin/sh', '-c', line], cwd: folder, env: { PATH: process.env['PATH'] ?? '' } })
  if (code !== 0) throw new Error(`${line} failed`)
}

describe('a checkout', () => {
  it('holds exactly the tree, in a folder that is nobody else’s', async () => {
    const { made, ws, tree } = await madeBuild()
    const one = await ws.checkout(tree)
    const two = await ws.checkout(tree)
    expect(two.folder).not.toBe(one.folder)
    expect(await contentOf(one.folder)).toEqual(PLAIN)
    expect(one.tree).toBe(tree)
    one.free()
    one.free()
    const three = await ws.checkout(tree)
    expect(three.folder).toBe(one.folder)
    // Git commands of a check find this, and not the user's repository above.
    expect(await gitIn(three.folder, made.env, ['rev-parse', '--show-toplevel', 'HEAD^{tree}'])).toBe(
      `${three.folder}\n${tree}`,
    )
  })

  it.each<[string, (folder: string) => Promise<unknown>]>([
    ['changes a file', (folder) => writeFile(join(folder, 'a.txt'), 'other')],
    [
      'changes a file without changing its size or time',
      async (folder) => {
        const path = join(folder, 'a.txt')
        const { atime, mtime } = await stat(path)
        await writeFile(path, 'eno\n')
        await utimes(path, atime, mtime)
      },
    ],
    [
      'puts another file in its place',
      (folder) => shell(folder, 'cp -p a.txt x && printf "eno\\n" > x && touch -r a.txt x && mv x a.txt'),
    ],
    ['removes a file', (folder) => rm(join(folder, 'a.txt'))],
    ['removes a folder', (folder) => rm(join(folder, 'src'), { recursive: true })],
    ['removes everything', (folder) => shell(folder, 'rm -rf -- * .g*')],
    ['removes the folder itself', (folder) => rm(folder, { recursive: true })],
    ['adds a file', (folder) => fillFolder(folder, { 'src/new.txt': 'n', 'new/new.txt': 'n' })],
    ['adds ignored files', (folder) => fillFolder(folder, { 'x.log': 'l', 'node_modules/m/i.js': 'evil' })],
    ['adds empty folders', (folder) => mkdir(join(folder, 'src/e/m/p/t/y'), { recursive: true })],
    ['adds pipes', (folder) => shell(folder, 'mkfifo pipe src/pipe')],
    ['makes a file a pipe', (folder) => shell(folder, 'rm a.txt && mkfifo a.txt')],
    ['makes a file a folder', (folder) => shell(folder, 'rm a.txt && mkdir a.txt && touch a.txt/x')],
    ['makes a folder a file', (folder) => shell(folder, 'rm -r src && touch src')],
    [
      'makes a folder a link out of it',
      (folder) => shell(folder, 'rm -r src && mkdir ../out && cp a.txt ../out/b.txt && ln -s ../out src'),
    ],
    [
      'makes a file a link',
      (folder) => rm(join(folder, 'a.txt')).then(() => symlink('/etc/passwd', join(folder, 'a.txt'))),
    ],
    ['changes modes', (folder) => chmod(join(folder, 'a.txt'), 0o777).then(() => chmod(join(folder, 'src'), 0o500))],
    ['plants repositories', (folder) => shell(folder, 'git init -q src && git init -q nested && touch nested/x')],
    [
      'poisons the git dir',
      (folder) => appendFile(join(folder, '.git/config'), '[core]\n\tfsmonitor = touch canary\n'),
    ],
    ['replaces the git dir', (folder) => shell(folder, 'rm -rf .git && echo "gitdir: /nowhere" > .git')],
    [
      'ignores everything',
      (folder) => writeFile(join(folder, '.gitignore'), '*\n').then(() => writeFile(join(folder, 'hidden'), '')),
    ],
  ])('is itself again after a check that %s', async (_, spoil) => {
    const { made, ws, tree } = await madeBuild()
    const { folder, free } = await ws.checkout(tree)
    await spoil(folder)
    free()
    const again = await ws.checkout(tree)
    expect(again.folder).toBe(folder)
    expect(await contentOf(folder)).toEqual(PLAIN)
    expect((await stat(join(folder, 'a.txt'))).mode & 0o111).toBe(0)
    expect(await readFile(join(folder, '.git/config'), 'utf8')).not.toContain('fsmonitor')
    expect(await gitIn(folder, made.env, ['status', '--porcelain', '--ignored'])).toBe('')
    expect(existsSync(join(folder, 'canary'))).toBe(false)
  })

  it('keeps only what it is told to', async () => {
    const { ws, tree } = await madeBuild()
    const { folder, free } = await ws.checkout(tree)
    await fillFolder(folder, {
      'node_modules/m.js': '1',
      'pkg/one/node_modules/n.js': '2',
      'pkg/one/x': '3',
      'b.log': '4',
    })
    free()
    await ws.checkout(tree, ['node_modules', 'pkg/one/node_modules', 'not-there'])
    expect(await contentOf(folder)).toEqual({
      ...PLAIN,
      'node_modules/': '',
      'node_modules/m.js': '1',
      'pkg/': '',
      'pkg/one/': '',
      'pkg/one/node_modules/': '',
      'pkg/one/node_modules/n.js': '2',
    })
  })

  it('goes from any tree to any other', async () => {
    const { ws, tree } = await madeBuild()
    const { folder } = await ws.acquire(BUILD, TASK, null, 'fresh')
    const steps = [
      'rm a.txt',
      'rm -r src && echo x > src',
      'rm src && mkdir -p src/b.txt && echo y > src/b.txt/c',
      'ln -s a src/l',
      'rm -r * .gitignore',
    ]
    const trees: TreeId[] = [tree]
    for (const [at, step] of steps.entries()) {
      await shell(folder, step)
      const harvest = await ws.harvest({ folder, build: BUILD, task: TASK, base: '' as never }, markOf(at))
      trees.push(harvest.taken ? harvest.tree : expect.fail(harvest.reason))
    }
    const fresh = new Map<TreeId, Record<string, string>>()
    for (const one of trees) fresh.set(one, await contentOf((await ws.checkout(one)).folder))
    for (const one of trees) {
      for (const other of trees) {
        const first = await ws.checkout(one)
        first.free()
        const second = await ws.checkout(other)
        second.free()
        expect(await contentOf(second.folder)).toEqual(fresh.get(other))
      }
    }
  })

  it.each(['.gitattributes', 'src/.gitattributes'])('gives the very bytes back, whatever %s says', async (name) => {
    const rules = '* text eol=crlf ident filter=x diff=x merge=x working-tree-encoding=UTF-16\n'
    const bytes = Buffer.from('a\r\nb\nc\r$Id: x $ $Id$ \u00e4\xff\xfe\0', 'latin1')
    const { ws, made } = await madeBuild()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(workspace.folder, { [name]: rules, 'src/bytes.txt': bytes, 'src/empty.txt': '' })
    const harvest = await ws.harvest(workspace, markOf())
    const tree = harvest.taken ? harvest.tree : expect.fail(harvest.reason)
    const { folder, free } = await ws.checkout(tree)
    expect(await readFile(join(folder, 'src/bytes.txt'))).toEqual(bytes)
    expect(await contentOf(folder)).toEqual(await contentOf(workspace.folder))
    free()
    expect(await made.engine('cat-file', '-s', `${tree}:src/bytes.txt`)).toBe(String(bytes.length))
    // A rule that comes later changes no file that is there already.
    await fillFolder(workspace.folder, { [name]: '* -text\n' })
    const later = await ws.harvest(workspace, markOf(2))
    const second = await ws.checkout(later.taken ? later.tree : tree)
    expect(await contentOf(second.folder)).toEqual(await contentOf(workspace.folder))
  })
})

describe('a folder for a reader', () => {
  it('says what was changed, and is made anew', async () => {
    const { ws, tree } = await madeBuild()
    const first = await ws.readOnlyCheckout(tree)
    expect(await first.giveBack()).toEqual([])
    const second = await ws.readOnlyCheckout(tree)
    expect(second.folder).toBe(first.folder)
    await fillFolder(second.folder, { 'a.txt': 'x', 'new ü.txt': 'y', 'z.log': 'ignored', '.ralph-scratchpad.md': 'z' })
    await rm(join(second.folder, 'src'), { recursive: true })
    expect([...(await second.giveBack())].sort()).toEqual(['a.txt', 'new ü.txt', 'src/b.txt'])
    const third = await ws.readOnlyCheckout(tree)
    expect(await contentOf(third.folder)).toEqual(PLAIN)
    await rm(third.folder, { recursive: true })
    expect(await third.giveBack()).toEqual(['the folder itself'])
  })

  it('is never one that checks run in', async () => {
    const { ws, tree } = await madeBuild()
    const checkout = await ws.checkout(tree)
    checkout.free()
    const readOnly = await ws.readOnlyCheckout(tree)
    await readOnly.giveBack()
    expect((await ws.checkout(tree)).folder).toBe(checkout.folder)
    expect(readOnly.folder).not.toBe(checkout.folder)
  })
})

describe('the files of a checkout that a check changed', () => {
  it.each<[string, (folder: string) => Promise<unknown>, readonly string[]]>([
    ['nothing', () => Promise.resolve(), []],
    ['a file with other content', (folder) => writeFile(join(folder, 'a.txt'), 'other'), ['a.txt']],
    [
      'a file with other content of the same size and time',
      async (folder) => {
        const path = join(folder, 'a.txt')
        const { atime, mtime } = await stat(path)
        await writeFile(path, 'eno\n')
        await utimes(path, atime, mtime)
      },
      ['a.txt'],
    ],
    [
      'the same content, written again',
      (folder) => shell(folder, 'cp a.txt x && mv x a.txt && touch src/b.txt && rm -f x'),
      [],
    ],
    ['a deleted file', (folder) => rm(join(folder, 'src/b.txt')), ['src/b.txt']],
    ['a link in the place of a file', (folder) => shell(folder, 'rm a.txt && ln -s src/b.txt a.txt'), ['a.txt']],
    [
      'a folder in the place of a file',
      (folder) => shell(folder, 'rm a.txt && mkdir a.txt && touch a.txt/x'),
      ['a.txt'],
    ],
    [
      'new files, ignored and not',
      (folder) => shell(folder, 'mkdir -p node_modules/x && touch node_modules/x/y b.log new.txt'),
      [],
    ],
    ['the folder itself', (folder) => rm(folder, { recursive: true }), ['.gitignore', 'a.txt', 'src/b.txt']],
  ])('%s', async (_, change, expected) => {
    const { ws, tree } = await madeBuild()
    const checkout = await ws.checkout(tree)
    await change(checkout.folder)
    expect((await checkout.changedFiles()).toSorted()).toEqual(expected)
    await checkout.restoreFiles(expected)
    expect(await checkout.changedFiles()).toEqual([])
    expect(await contentOf(checkout.folder)).toMatchObject(PLAIN)
    checkout.free()
  })

  it('has names in any writing', async () => {
    const { ws, tree } = await madeBuild({ 'ä b.txt': 'x\n' })
    const checkout = await ws.checkout(tree)
    await writeFile(join(checkout.folder, 'ä b.txt'), 'y\n')
    expect(await checkout.changedFiles()).toEqual(['ä b.txt'])
    await checkout.restoreFiles(['ä b.txt'])
    expect(await readFile(join(checkout.folder, 'ä b.txt'), 'utf8')).toBe('x\n')
  })
})
