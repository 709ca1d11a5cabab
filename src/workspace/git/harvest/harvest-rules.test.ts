import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run } from '../../../system/process/spawn.ts'
import { BUILD, TASK, gitIn, madeRepository, markOf } from '../../../../test/rig/git-repository.ts'
import type { HarvestLimits } from '../repository/harvest-limits.ts'
import { fillFolder, type Files } from '../../../../test/rig/folder.ts'

async function madeFolder(limits: Partial<HarvestLimits> = {}, files?: Files) {
  const made = await madeRepository(files)
  const ws = await made.open({ limits })
  const { tree } = await ws.startBuild(BUILD)
  const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
  return { made, ws, workspace, tree, folder: workspace.folder, harvest: () => ws.harvest(workspace, markOf()) }
}

async function shell(folder: string, line: string): Promise<void> {
  const { code } = await run({ argv: ['/bin/sh', '-c', line], cwd: folder, env: { PATH: process.env['PATH'] ?? '' } })
  if (code !== 0) throw new Error(`${line} failed`)
}

/** 5,000 bytes of path. */
async function dig(folder: string): Promise<void> {
  const script =
    "for (let i = 0; i < 50; i++) { const d = 'd'.repeat(100); require('fs').mkdirSync(d); process.chdir(d) }"
  const { code } = await run({
    argv: [execPath, '-e', `${script} require('fs').writeFileSync('f', '')`],
    cwd: folder,
    env: {},
  })
  if (code !== 0) throw new Error('digging failed')
}

describe('names that are taken', () => {
  it.each([
    'plain.txt',
    'with space.txt',
    'quote\'s "and" more.txt',
    '-leading-dash',
    '--output=x',
    'back\\slash',
    '$(touch canary)',
    '*?[x]',
    ':(exclude)a.txt',
    ':!a.txt',
    '日本/ünïcode.txt',
    '.hidden',
    'a.gitx/b',
    'sp\u00a0ce',
  ])('%s', async (name) => {
    const { made, folder, harvest, ws } = await madeFolder()
    await fillFolder(folder, { [name]: 'content' })
    const harvested = await harvest()
    const tree = harvested.taken ? harvested.tree : expect.fail(harvested.reason)
    const names = (await made.engine('ls-tree', '-r', '-z', '--name-only', tree)).split('\0')
    expect(names.sort()).toEqual(['', '.gitignore', 'a.txt', 'src/b.txt', name].sort())
    const { folder: checked, free } = await ws.checkout(tree)
    expect(await gitIn(checked, made.env, ['status', '--porcelain'])).toBe('')
    free()
  })
})

describe('what is refused', () => {
  it.each<[string, (folder: string) => Promise<unknown>, string]>([
    [
      'a nested repository',
      (folder) => fillFolder(folder, { 'app/x.txt': '1' }).then(() => shell(folder, 'git init --quiet app')),
      'app/ is a git repository of its own; delete app/.git so that its files can be taken',
    ],
    [
      'an empty nested repository',
      (folder) => shell(folder, 'git init --quiet app'),
      'app/ is a git repository of its own; delete app/.git so that its files can be taken',
    ],
    [
      'a line break in a name',
      (folder) => writeFile(join(folder, 'a\nb'), ''),
      String.raw`the name "a\nb" holds control characters; rename it`,
    ],
    [
      'a name that is no UTF-8',
      (folder) => writeFile(Buffer.concat([Buffer.from(`${folder}/x`), Buffer.from([0xff])]), ''),
      'the name "x\ufffd" is not UTF-8; rename it',
    ],
    [
      'a pipe in the place of a file',
      (folder) => shell(folder, 'rm a.txt && mkfifo a.txt'),
      'a.txt is a named pipe, not a file; delete it',
    ],
    [
      'a link to an absolute path',
      (folder) => symlink('/etc/passwd', join(folder, 'link')),
      'the link link leads to /etc/passwd, out of this folder; link to something inside, or delete it',
    ],
    [
      'a link out of the folder',
      (folder) => symlink('../../x', join(folder, 'src', 'link')),
      'the link src/link leads to ../../x, out of this folder; link to something inside, or delete it',
    ],
    [
      'a link that leaves through another',
      (folder) => symlink('src/../../x', join(folder, 'link')),
      'the link link leads to src/../../x, out of this folder; link to something inside, or delete it',
    ],
    [
      'a link into the git dir',
      (folder) => symlink('.git/config', join(folder, 'link')),
      'the link link leads into a git folder; delete it',
    ],
    [
      'a tracked file that became such a link',
      (folder) => rm(join(folder, 'a.txt')).then(() => symlink('/etc', join(folder, 'a.txt'))),
      'the link a.txt leads to /etc, out of this folder; link to something inside, or delete it',
    ],
    [
      'a file that is too large, though it takes no room',
      (folder) => writeFile(join(folder, 'big'), '').then(() => truncate(join(folder, 'big'), 10_000_000_000)),
      'big has 10,000,000,000 bytes, more than the 50,000,000 allowed for a file; delete or git-ignore it',
    ],
    [
      'a git dir by another name',
      (folder) => fillFolder(folder, { '.GIT/config': 'x' }),
      '.GIT/config has the name of a git folder in its path; rename it',
    ],
    [
      'a path that is too deep',
      (folder) => fillFolder(folder, { [`${'d/'.repeat(65)}f`]: 'x' }),
      `${'d/'.repeat(65)}f lies more than 64 folders deep; move it up`,
    ],
    ['a folder too deep for any system call', (folder) => dig(folder), 'the folder'],
    ['a link called .gitmodules', (folder) => symlink('a.txt', join(folder, '.gitmodules')), '.gitmodules'],
  ])('%s', async (_, spoil, reason) => {
    const { folder, harvest, tree } = await madeFolder()
    await spoil(folder)
    const refused = await harvest()
    expect(refused).toEqual({ taken: false, reason: expect.stringContaining(reason) })
    expect(refused).toMatchObject({ reason: /^[^\n]+$/ })
    // The agent does as it is told, and all is well.
    await shell(folder, 'rm -rf .GIT ddd* && git clean -ffdxq && git checkout --quiet -f work -- .')
    expect(await harvest()).toEqual({ taken: true, tree })
  })

  it.each<[string, Partial<HarvestLimits>, Files, string]>([
    [
      'too many files',
      { files: 2 },
      { x: '1', y: '2', z: '3' },
      'more than 2 files changed; delete or git-ignore what was generated',
    ],
    [
      'too much together',
      { totalBytes: 9 },
      { x: '12345', y: '12345' },
      'the changed files have 10 bytes, more than the 9 allowed; delete or git-ignore what was generated',
    ],
    ['too long a path', { pathBytes: 4 }, { '12345': '' }, 'the path 12345 is longer than 4 bytes; shorten it'],
  ])('%s', async (_, limits, files, reason) => {
    const { folder, harvest } = await madeFolder(limits)
    await fillFolder(folder, files)
    expect(await harvest()).toEqual({ taken: false, reason })
  })

  it('says what is wrong in one sentence, however much it is', async () => {
    const { folder, harvest } = await madeFolder({ fileBytes: 0 })
    await fillFolder(folder, Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, 'x'])))
    const refused = await harvest()
    expect(refused).toMatchObject({ taken: false, reason: /^f\d+ has 1 bytes.*; and 45 more of this kind$/ })
  })
})

describe('what is taken as it is', () => {
  it('links within the folder, also in circles', async () => {
    const { made, folder, harvest } = await madeFolder()
    await symlink('../a.txt', join(folder, 'src', 'up'))
    await symlink('loop', join(folder, 'loop'))
    await symlink('src/nothing', join(folder, 'dangling'))
    const harvested = await harvest()
    const tree = harvested.taken ? harvested.tree : expect.fail(harvested.reason)
    expect(await made.engine('ls-tree', '-r', tree)).toMatch(/120000 .*dangling\n120000 .*loop\n.*\n120000 .*src\/up/)
  })

  it('files where folders were, and folders where files and links were', async () => {
    const { made, folder, harvest } = await madeFolder()
    await shell(folder, 'rm -r src a.txt && echo now-a-file > src && mkdir a.txt && echo inside > a.txt/b')
    const first = await harvest()
    expect(await made.engine('ls-tree', '-r', '--name-only', first.taken ? first.tree : '')).toBe(
      '.gitignore\na.txt/b\nsrc',
    )
    await shell(folder, 'rm src && mkdir -p src/b.txt && echo deep > src/b.txt/c && rm -r a.txt && ln -s src a.txt')
    const second = await harvest()
    expect(await made.engine('ls-tree', '-r', '--name-only', second.taken ? second.tree : '')).toBe(
      '.gitignore\na.txt\nsrc/b.txt/c',
    )
    await shell(folder, 'rm -r src a.txt && mkdir a.txt && ln -s a.txt src && echo src >> .gitignore')
    const third = await harvest()
    expect(await made.engine('ls-tree', '-r', '--name-only', third.taken ? third.tree : '')).toBe('.gitignore')
  })

  it('new files beside a git dir that was planted in a tracked folder', async () => {
    const { made, folder, harvest } = await madeFolder()
    await shell(folder, 'git init --quiet src && echo new > src/new.txt')
    const harvested = await harvest()
    expect(await made.engine('ls-tree', '-r', '--name-only', harvested.taken ? harvested.tree : '')).toBe(
      '.gitignore\na.txt\nsrc/b.txt\nsrc/new.txt',
    )
  })

  it('the mode of a file', async () => {
    const { made, folder, harvest } = await madeFolder()
    await shell(folder, 'chmod +x a.txt')
    const harvested = await harvest()
    expect(await made.engine('ls-tree', harvested.taken ? harvested.tree : '', 'a.txt')).toMatch(/^100755/)
  })

  it('no pipe and no socket that is not in the way of a file', async () => {
    const { folder, harvest, tree } = await madeFolder()
    await shell(folder, 'mkfifo pipe')
    const server = createServer().listen(join(folder, 'socket'))
    onTestFinished(() => void server.close())
    expect(await harvest()).toEqual({ taken: true, tree })
  })

  it('no scratchpad and no copied file, whatever the ignore rules say', async () => {
    const made = await madeRepository()
    await fillFolder(made.folder, { '.env': 'SECRET=1' })
    const ws = await made.open({ copy: ['.env'] })
    const { tree } = await ws.startBuild(BUILD)
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(workspace.folder, {
      '.ralph-scratchpad.md': 'x',
      '.ralph/scratchpads/1.md': 'x',
      '.gitignore': '!*\n',
    })
    const harvested = await ws.harvest(workspace, markOf())
    const names = await made.engine('ls-tree', '-r', '--name-only', harvested.taken ? harvested.tree : '')
    expect(names).toBe('.gitignore\na.txt\nsrc/b.txt')
    expect(harvested).not.toEqual({ taken: true, tree })
  })

  it('a submodule that an agent has filled or removed', async () => {
    const made = await madeRepository()
    await mkdir(join(made.folder, 'sub'))
    await made.git('update-index', '--add', '--cacheinfo', `160000,${await made.git('rev-parse', 'HEAD')},sub`)
    await made.git('commit', '--quiet', '--message', 'with a submodule')
    const ws = await made.open()
    const { tree } = await ws.startBuild(BUILD)
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await shell(workspace.folder, 'git init --quiet sub && echo x > sub/file')
    expect(await ws.harvest(workspace, markOf())).toEqual({ taken: true, tree })
    await rm(join(workspace.folder, 'sub'), { recursive: true })
    expect(await ws.harvest(workspace, markOf())).toEqual({ taken: true, tree })
    expect(dirname(workspace.folder)).toBe(join(made.state, 'workspaces'))
  })
})
