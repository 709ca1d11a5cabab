// An agent's folder is hostile: nothing in it runs in the engine, and nothing reaches the engine's or the user's
// repository except through a harvest.
import { existsSync } from 'node:fs'
import { appendFile, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { taskIn } from '../../src/core/builds/commit-message.ts'
import type { TaskId } from '../../src/core/values/id.ts'
import { run } from '../../src/system/process/spawn.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { BUILD, TASK, gitIn, madeRepository, markOf, messageFor, type MadeRepository } from '../rig/git-repository.ts'
import { fillFolder } from '../rig/folder.ts'

interface Scene {
  readonly folder: string
  readonly gitDir: string
  /** A shell command that leaves a trace. */
  readonly strike: string
  readonly made: MadeRepository
}

const HOOKS = [
  'pre-commit',
  'post-commit',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'post-merge',
  'pre-auto-gc',
  'fsmonitor-watchman',
  'pre-receive',
  'update',
  'post-update',
]

async function shell(folder: string, line: string): Promise<void> {
  const { code } = await run({ argv: ['/bin/sh', '-c', line], cwd: folder, env: { PATH: process.env['PATH'] ?? '' } })
  if (code !== 0) throw new Error(`${line} failed`)
}

async function plantHooks(folder: string, strike: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of HOOKS) await writeFile(join(folder, name), `#!/bin/sh\n${strike}\n`, { mode: 0o755 })
}

const ATTACKS: readonly [string, (scene: Scene) => Promise<unknown>][] = [
  [
    'a monitor in its config',
    ({ gitDir, strike }) => appendFile(join(gitDir, 'config'), `[core]\n\tfsmonitor = "${strike};false"\n`),
  ],
  ['hooks', ({ gitDir, strike }) => plantHooks(join(gitDir, 'hooks'), strike)],
  [
    'hooks elsewhere',
    async ({ folder, gitDir, strike }) => {
      await plantHooks(join(folder, 'hooks'), strike)
      await appendFile(join(gitDir, 'config'), '[core]\n\thooksPath = hooks\n')
    },
  ],
  [
    'filters',
    async ({ folder, gitDir, strike }) => {
      await writeFile(join(folder, '.gitattributes'), '* filter=evil\n')
      const filter = `\tclean = "${strike};cat"\n\tsmudge = "${strike};cat"\n\tprocess = "${strike}"\n\trequired = true\n`
      await appendFile(join(gitDir, 'config'), `[filter "evil"]\n${filter}`)
    },
  ],
  [
    'diff and merge drivers',
    async ({ folder, gitDir, strike }) => {
      await writeFile(join(folder, '.gitattributes'), '* diff=evil merge=evil\n')
      await mkdir(join(gitDir, 'info'), { recursive: true })
      await writeFile(join(gitDir, 'info', 'attributes'), '* diff=evil merge=evil\n')
      const drivers = `[diff]\n\texternal = "${strike}"\n[diff "evil"]\n\ttextconv = "${strike};cat"\n\tcommand = "${strike}"\n[merge "evil"]\n\tdriver = "${strike};true"\n`
      await appendFile(join(gitDir, 'config'), drivers)
    },
  ],
  [
    'everything else that a config can run',
    ({ gitDir, strike }) =>
      appendFile(
        join(gitDir, 'config'),
        `[core]\n\tpager = "${strike}"\n\teditor = "${strike}"\n\tsshCommand = "${strike}"\n\taskPass = "${strike}"\n\tworktree = /\n[gpg]\n\tprogram = "${strike}"\n[credential]\n\thelper = "!${strike}"\n[alias]\n\tstatus = "!${strike}"\n[uploadpack]\n\tpackObjectsHook = "${strike}"\n[include]\n\tpath = /etc/passwd\n`,
      ),
  ],
  [
    'a git file that leads to an evil repository',
    async ({ folder, gitDir, strike, made }) => {
      const evil = join(made.folder, '..', 'evil')
      await mkdir(evil)
      await gitIn(evil, made.env, ['init', '--quiet'])
      await appendFile(join(evil, '.git', 'config'), `[core]\n\tfsmonitor = "${strike}"\n\tworktree = ${folder}\n`)
      await rm(gitDir, { recursive: true })
      await writeFile(gitDir, `gitdir: ${join(evil, '.git')}\n`)
    },
  ],
  [
    'a link in the place of its git dir',
    async ({ gitDir, strike, made }) => {
      const evil = join(made.folder, '..', 'evil.git')
      await gitIn(made.folder, made.env, ['init', '--quiet', '--bare', evil])
      await appendFile(join(evil, 'config'), `[core]\n\tfsmonitor = "${strike}"\n`)
      await rm(gitDir, { recursive: true })
      await symlink(evil, gitDir)
    },
  ],
  [
    'a common dir elsewhere',
    async ({ gitDir, strike, made }) => {
      const evil = join(made.folder, '..', 'evil.git')
      await gitIn(made.folder, made.env, ['init', '--quiet', '--bare', evil])
      await appendFile(join(evil, 'config'), `[core]\n\tfsmonitor = "${strike}"\n`)
      await writeFile(join(gitDir, 'commondir'), evil)
    },
  ],
  [
    'a monitor in a repository within a tracked folder',
    async ({ folder, strike, made }) => {
      await gitIn(join(folder, 'src'), made.env, ['init', '--quiet'])
      await appendFile(join(folder, 'src', '.git', 'config'), `[core]\n\tfsmonitor = "${strike}"\n`)
    },
  ],
  [
    'a submodule with an update command',
    async ({ folder, gitDir, strike }) => {
      await writeFile(
        join(folder, '.gitmodules'),
        `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "${strike}"\n\tbranch = x\n`,
      )
      await appendFile(
        join(gitDir, 'config'),
        `[submodule "x"]\n\turl = ext::sh -c "${strike}"\n\tupdate = "!${strike}"\n\tactive = true\n`,
      )
    },
  ],
  [
    'objects borrowed from elsewhere',
    async ({ gitDir, made }) => {
      const other = join(made.folder, '..', 'other')
      await mkdir(other)
      await gitIn(other, made.env, ['init', '--quiet'])
      await writeFile(join(other, 'secret'), 'secret')
      await gitIn(other, made.env, ['add', 'secret'])
      await gitIn(other, made.env, ['commit', '--quiet', '--message', 'secret'])
      await writeFile(join(gitDir, 'objects', 'info', 'alternates'), join(other, '.git', 'objects'))
      await writeFile(join(gitDir, 'refs', 'heads', 'work'), await gitIn(other, made.env, ['rev-parse', 'HEAD']))
      await symlink(join(other, '.git', 'objects', 'pack'), join(gitDir, 'objects', 'ab'))
    },
  ],
  [
    'pipes and rubbish where git keeps things',
    async ({ gitDir }) => {
      await shell(
        gitDir,
        'rm HEAD index && mkfifo HEAD index packed-refs refs/heads/pipe && mkdir -p logs objects/00 && mkfifo logs/HEAD objects/00/pipe',
      )
      await symlink('/dev/zero', join(gitDir, 'refs', 'heads', 'zero'))
    },
  ],
]

/** Everything the engine ever does with a folder and what came out of it. */
async function wholeLife(made: MadeRepository, workspace: Workspace, ws: Awaited<ReturnType<MadeRepository['open']>>) {
  const start = await ws.head(BUILD)
  await writeFile(join(workspace.folder, 'a.txt'), 'by the agent\n')
  const harvest = await ws.harvest(workspace, markOf())
  const tree = harvest.taken ? harvest.tree : expect.fail(harvest.reason)
  const other = await ws.acquire(BUILD, 'other' as TaskId, null, 'fresh')
  await writeFile(join(other.folder, 'src', 'b.txt'), 'by another\n')
  const others = await ws.harvest(other, markOf(1, 'other' as TaskId))
  await ws.commitToBranch(
    BUILD,
    start.commit,
    others.taken ? others.tree : tree,
    messageFor(markOf(1, 'other' as TaskId)),
    '{}',
  )
  const combined = await ws.mergeTrees(BUILD, workspace.base, tree)
  const checkout = await ws.checkout(combined.tree)
  const patch = await ws.diff(start.tree, combined.tree)
  checkout.free()
  const readOnly = await ws.readOnlyCheckout(combined.tree)
  expect(await readOnly.giveBack()).toEqual([])
  await ws.commitToBranch(BUILD, combined.head, combined.tree, messageFor(markOf()), '{}')
  await writeFile(join(workspace.folder, 'a.txt'), 'more\n')
  await ws.adopt({ folder: workspace.folder }, markOf(2))
  await ws.rebase(workspace, combined.head, combined.tree)
  await ws.acquire(BUILD, TASK, null, 'fresh')
  await ws.restore('b_1/t-1/1/1', join(made.folder, '..', 'restored'))
  expect(await ws.mirror(BUILD)).toEqual({ done: true })
  await ws.release(workspace)
  return { tree, patch }
}

describe.each(ATTACKS)('%s', (_, attack) => {
  it('runs nothing and harms nothing', async () => {
    const made = await madeRepository()
    const ws = await made.open()
    await ws.startBuild(BUILD)
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    const canary = join(made.folder, '..', 'canary')
    const main = await made.git('rev-parse', 'main')
    await attack({ folder: workspace.folder, gitDir: join(workspace.folder, '.git'), strike: `touch ${canary}`, made })
    const { tree, patch } = await wholeLife(made, workspace, ws)
    expect(existsSync(canary)).toBe(false)
    expect(await made.engine('cat-file', 'blob', `${tree}:a.txt`)).toBe('by the agent')
    expect(patch.files).toContainEqual({ path: 'a.txt', change: 'modified' })
    expect(await made.engine('fsck', '--strict', '--no-dangling')).toBe('')
    expect(await made.git('rev-parse', 'main')).toBe(main)
    expect(await made.git('status', '--porcelain')).toBe('')
    // The next agent in the folder finds a clean git dir.
    const next = await ws.acquire(BUILD, 'next' as TaskId, null, 'fresh')
    expect(await gitIn(next.folder, made.env, ['status', '--porcelain'])).toBe('')
    expect(existsSync(join(next.folder, 'src', '.git'))).toBe(false)
    expect(existsSync(canary)).toBe(false)
  })
})

it('the strike works where git is run carelessly', async () => {
  const made = await madeRepository()
  const ws = await made.open()
  await ws.startBuild(BUILD)
  const { folder } = await ws.acquire(BUILD, TASK, null, 'fresh')
  const canary = join(made.folder, '..', 'canary')
  await appendFile(join(folder, '.git', 'config'), `[core]\n\tfsmonitor = "touch ${canary};false"\n`)
  await gitIn(folder, made.env, ['status'])
  expect(existsSync(canary)).toBe(true)
})

it('what an agent commits, moves or deletes in its own git dir, moves nothing of ours', async () => {
  const made = await madeRepository()
  const ws = await made.open()
  await ws.startBuild(BUILD)
  const { folder } = await ws.acquire(BUILD, TASK, null, 'fresh')
  const state = async () => [
    await made.engine('for-each-ref'),
    await made.git('for-each-ref'),
    await readFile(join(made.state, 'repo.git', 'config'), 'utf8'),
  ]
  const before = await state()
  const git = (...args: string[]) => gitIn(folder, made.env, args)
  await git('commit', '--quiet', '--allow-empty', '--message', 'mine')
  for (const ref of ['refs/heads/main', 'refs/heads/ralph/b_1', 'refs/notes/ralph'])
    await git('update-ref', ref, 'HEAD')
  await git('push', '--quiet', '.', 'HEAD:refs/heads/ralph/b_1')
  await git('symbolic-ref', 'HEAD', 'refs/heads/ralph/b_1')
  await git('config', 'core.fsmonitor', 'evil')
  await git('reflog', 'expire', '--expire=now', '--all')
  await git('gc', '--quiet', '--prune=now')
  await writeFile(join(folder, '.git', 'packed-refs'), '')
  expect(await state()).toEqual(before)
  expect(await made.engine('fsck', '--strict', '--no-dangling')).toBe('')
})

it('an object that lies about its name is not believed', async () => {
  const made = await madeRepository()
  const ws = await made.open()
  const { tree: before } = await ws.startBuild(BUILD)
  const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
  const git = (...args: string[]) => gitIn(workspace.folder, made.env, args)
  // The blob that a later, honest harvest will need, with other content under its name; and a commit to carry it.
  const id = '2e65efe2a145dda7ee51d1741299f848e5bf752e'
  const objects = join(workspace.folder, '.git', 'objects')
  await git('commit', '--quiet', '--allow-empty', '--message', 'carrier')
  await mkdir(join(objects, id.slice(0, 2)), { recursive: true })
  await writeFile(join(objects, id.slice(0, 2), id.slice(2)), deflateSync('blob 4\0evil'))
  expect(await ws.harvest(workspace, markOf(1))).toEqual({ taken: true, tree: before })
  await writeFile(join(workspace.folder, 'honest.txt'), 'a')
  const harvest = await ws.harvest(workspace, markOf(2))
  const tree = harvest.taken ? harvest.tree : expect.fail(harvest.reason)
  expect(await made.engine('rev-parse', `${tree}:honest.txt`)).toBe(id)
  expect(await readFile(join((await ws.checkout(tree)).folder, 'honest.txt'), 'utf8')).toBe('a')
  expect(await made.engine('fsck', '--strict', '--no-dangling')).toBe('')
})

it('hooks and monitors of the user do not run on our behalf', async () => {
  const made = await madeRepository()
  const canary = join(made.folder, '..', 'canary')
  await plantHooks(join(made.folder, '.git', 'hooks'), `touch ${canary}`)
  await made.git('config', 'core.fsmonitor', `touch ${canary};false`)
  const ws = await made.open()
  await ws.startBuild(BUILD)
  await wholeLife(made, await ws.acquire(BUILD, TASK, null, 'fresh'), ws)
  expect(existsSync(canary)).toBe(false)
})

it('variables of whoever started us do not lead git elsewhere', async () => {
  const made = await madeRepository()
  const other = await madeRepository({ 'other.txt': 'x' })
  const env = {
    ...made.env,
    GIT_DIR: join(other.folder, '.git'),
    GIT_WORK_TREE: other.folder,
    GIT_INDEX_FILE: '/nowhere/index',
    GIT_OBJECT_DIRECTORY: '/nowhere/objects',
    GIT_CONFIG_PARAMETERS: "'core.fsmonitor'='evil'",
    GIT_EXTERNAL_DIFF: 'evil',
  }
  const ws = await made.open({ env })
  await ws.startBuild(BUILD)
  const { folder } = await ws.acquire(BUILD, TASK, null, 'fresh')
  expect((await readdir(folder)).sort()).toEqual(['.git', '.gitignore', 'a.txt', 'src'])
  expect(await made.git('status', '--porcelain')).toBe('')
})

it('task ids of every kind live side by side', async () => {
  const made = await madeRepository()
  const ws = await made.open()
  const start = await ws.startBuild(BUILD)
  const ids = [
    'a/b',
    'a',
    'a%2Fb',
    '..',
    '.',
    'x.lock',
    'x',
    '@{',
    '@',
    '%',
    '語'.repeat(128),
    '-rf',
    '--help',
    "';x",
    '$(x)',
    'ä\u3000ü',
  ] as TaskId[]
  let head = start.commit
  for (const [at, task] of ids.entries()) {
    const workspace = await ws.acquire(BUILD, task, null, 'fresh')
    await fillFolder(workspace.folder, { 'a.txt': `by ${at}` })
    const harvest = await ws.harvest(workspace, markOf(1, task))
    const landed = await ws.commitToBranch(
      BUILD,
      head,
      harvest.taken ? harvest.tree : start.tree,
      messageFor(markOf(1, task)),
      '{}',
    )
    head = landed?.commit ?? expect.fail('moved')
  }
  expect(new Set((await ws.pins()).map(({ task }) => task))).toEqual(new Set(ids))
  const onBranch = (await ws.history(BUILD, head, null)).map(({ message }) => taskIn(message))
  for (const task of ids) {
    expect(await ws.find(BUILD, task)).toMatchObject({ task })
    expect(onBranch).toContain(task)
  }
  expect(await ws.mirror(BUILD)).toEqual({ done: true })
  expect((await made.git('for-each-ref', 'refs/ralph/attempts')).split('\n').length).toBe(ids.length)
})
