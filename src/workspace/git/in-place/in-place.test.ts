import { chmod, copyFile, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RalphError } from '../../../core/error/error.ts'
import type { CommitId, TaskId, TreeId } from '../../../core/values/id.ts'
import { engineMarker } from '../../../system/process-table/marker.ts'
import type { Workspace, Workspaces } from '../../workspace.ts'
import {
  BUILD,
  TASK,
  gitIn,
  type MadeRepository,
  madeRepository,
  markOf,
  messageFor,
} from '../../../../test/rig/git-repository.ts'
import { fillFolder } from '../../../../test/rig/folder.ts'

const BRANCH = `ralph/${BUILD}`
const OTHER = 't-2' as TaskId
const OURS = { inPlace: { ours: ['PROGRESS.md'] } }

const codeOf = (call: Promise<unknown>): Promise<string | null> =>
  call.then(
    () => null,
    (error: unknown) => (error instanceof RalphError ? error.code : String(error)),
  )

/** A checkout with ignored files of its user, in the hands of a build. */
async function begun() {
  const made = await madeRepository()
  await fillFolder(made.folder, { '.env': 'secret\n', 'node_modules/x/index.js': 'x\n' })
  const ws = await made.open(OURS)
  const start = await ws.startBuild(BUILD)
  return { made, ws, start }
}

async function treeIn(ws: Workspaces, workspace: Workspace, iteration = 1): Promise<TreeId> {
  const harvest = await ws.harvest(workspace, markOf(iteration, workspace.task))
  return harvest.taken ? harvest.tree : expect.fail(harvest.reason)
}

async function commitToBranch(ws: Workspaces, tree: TreeId, task = TASK): Promise<CommitId> {
  const { commit } = await ws.head(BUILD)
  const landed = await ws.commitToBranch(BUILD, commit, tree, messageFor(markOf(1, task)), '{}')
  return landed?.commit ?? expect.fail('the branch moved')
}

/** Where the user's checkout stands, and what git says of it. */
async function seen({ git }: MadeRepository) {
  return {
    branch: await git('symbolic-ref', '--short', 'HEAD'),
    log: (await git('log', '--format=%s')).split('\n'),
    status: await git('status', '--porcelain'),
  }
}

describe('a build in place begins', () => {
  it.each<[code: string, prepare: (made: MadeRepository) => Promise<unknown>]>([
    ['CHECKOUT_DIRTY', ({ folder }) => fillFolder(folder, { 'a.txt': 'edited' })],
    ['CHECKOUT_DIRTY', ({ folder }) => fillFolder(folder, { 'new.txt': 'untracked' })],
    ['CHECKOUT_DIRTY', ({ git }) => git('rm', '--quiet', '--cached', 'a.txt')],
    ['CHECKOUT_DETACHED', ({ git }) => git('checkout', '--quiet', '--detach')],
    [
      'CHECKOUT_CONVERTED',
      async ({ git, folder }) => {
        await git('config', 'core.autocrlf', 'true')
        await rm(join(folder, 'a.txt'))
        await git('checkout', '--quiet', '.')
      },
    ],
    ['CHECKOUT_CONVERTED', ({ git }) => git('sparse-checkout', 'set', '--no-cone', '/a.txt', '/.gitignore')],
  ])('%s is refused, and nothing is changed', async (code, prepare) => {
    const made = await madeRepository()
    await prepare(made)
    const before = [
      await made.git('status', '--porcelain'),
      await made.git('for-each-ref'),
      await readFile(join(made.folder, '.git/HEAD')),
    ]
    const ws = await made.open(OURS)
    expect([await codeOf(ws.admit()), await codeOf(ws.startBuild(BUILD))]).toEqual([code, code])
    const after = [
      await made.git('status', '--porcelain'),
      await made.git('for-each-ref'),
      await readFile(join(made.folder, '.git/HEAD')),
    ]
    expect(after).toEqual(before)
  })

  it('is refused without a commit, and without a checkout', async () => {
    const made = await madeRepository(null)
    expect(await codeOf((await made.open(OURS)).admit())).toBe('CHECKOUT_UNBORN')
    const gitDir = join(made.folder, '.git')
    const bare = made.open({ ...OURS, user: { commonDir: gitDir, gitDir, worktree: null } })
    expect(await codeOf(bare)).toBe('CHECKOUT_MISSING')
  })

  it('switches the checkout to its branch, says how to come back, and lets that be found by git', async () => {
    const { made, start } = await begun()
    expect(start).toMatchObject({ isDirty: false, moved: expect.stringContaining("'git switch main' brings you back") })
    expect(await seen(made)).toEqual({ branch: BRANCH, log: ['first'], status: '' })
    await made.git('switch', '--quiet', '-')
    expect((await seen(made)).branch).toBe('main')
  })

  it('minds neither ignored files nor the progress file', async () => {
    const made = await madeRepository()
    await fillFolder(made.folder, { 'PROGRESS.md': 'mine\n', '.env': 'secret\n' })
    const ws = await made.open(OURS)
    await ws.startBuild(BUILD)
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(made.folder, { 'PROGRESS.md': 'Ralph wrote this\n' })
    expect(await treeIn(ws, workspace)).toBe((await ws.head(BUILD)).tree)
  })

  it('goes on after its user was elsewhere, with what the branch has', async () => {
    const { made, ws } = await begun()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(made.folder, { 'a.txt': 'done\n', 'new.txt': 'new\n' })
    await commitToBranch(ws, await treeIn(ws, workspace))
    await ws.release(workspace)
    await made.git('switch', '--quiet', 'main')
    await made.commit({ 'c.txt': 'theirs\n' }, 'theirs')
    const again = await made.open(OURS)
    expect(await again.startBuild(BUILD)).toMatchObject({ moved: expect.any(String) })
    expect(await seen(made)).toEqual({ branch: BRANCH, log: ['feat: something', 'first'], status: '' })
    expect(await readFile(join(made.folder, 'new.txt'), 'utf8')).toBe('new\n')
    expect((await readdir(made.folder)).includes('c.txt')).toBe(false)
  })

  it('knows that its branch is checked out in another worktree', async () => {
    const { made, ws } = await begun()
    await ws.mirror(BUILD)
    await made.git('switch', '--quiet', 'main')
    await made.git('worktree', 'add', '--quiet', '../other', BRANCH)
    expect(await codeOf((await made.open(OURS)).startBuild(BUILD))).toBe('CHECKOUT_ELSEWHERE')
  })
})

describe('work in place', () => {
  it('lands as always, and ref and index follow; no hook and no filter runs', async () => {
    const made = await madeRepository()
    const ran = join(made.folder, '..', 'ran')
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change', 'post-merge', 'pre-commit']) {
      await fillFolder(join(made.folder, '.git/hooks'), { [hook]: `#!/bin/sh\necho ${hook} >> '${ran}'\n` })
      await chmod(join(made.folder, '.git/hooks', hook), 0o755)
    }
    const ws = await made.open(OURS)
    await ws.startBuild(BUILD)
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    expect(workspace).toMatchObject({ folder: made.folder, isShared: true })
    await fillFolder(made.folder, { 'a.txt': 'x\n', 'deep/new.txt': 'new\n', '.gitattributes': '*.txt filter=bad\n' })
    await rm(join(made.folder, 'src/b.txt'))
    const tree = await treeIn(ws, workspace)
    const commit = await commitToBranch(ws, tree)
    expect(await made.git('rev-parse', 'HEAD', 'HEAD^{tree}')).toBe(`${commit}\n${tree}`)
    await ws.release(workspace)
    expect(await ws.mirror(BUILD)).toEqual({ done: true })
    expect(await readFile(ran, 'utf8').catch(() => 'none ran')).toBe('none ran')
    expect(await seen(made)).toEqual({ branch: BRANCH, log: ['feat: something', 'first'], status: '' })
    expect(await made.git('notes', '--ref=ralph', 'show', 'HEAD')).toBe('{}')
    expect(await made.git('fsck', '--no-dangling')).toBe('')
  })

  it('never takes what was ignored, whatever becomes of the rules', async () => {
    const { made, ws } = await begun()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(made.folder, { '.gitignore': '', 'new.log': 'made by the agent\n' })
    const { files } = await ws.diff((await ws.head(BUILD)).tree, await treeIn(ws, workspace))
    expect(files.map(({ path }) => path)).toEqual(['.gitignore', 'new.log'])
    const again = await made.open(OURS)
    await again.startBuild(BUILD)
    expect(await treeIn(again, workspace, 2)).toBe(await treeIn(ws, workspace, 3))
    expect(await readFile(join(made.folder, '.env'), 'utf8')).toBe('secret\n')
  })

  it('goes on with what is there: the next attempt, a person\u2019s edits, another process', async () => {
    const { made, ws } = await begun()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(made.folder, { 'a.txt': 'half\n', '.ralph/scratchpads/ab12.md': 'notes' })
    const tree = await treeIn(ws, workspace)
    await fillFolder(made.folder, { 'src/b.txt': 'a person did this\n' })
    await ws.acquire(BUILD, TASK, tree, 'keep')
    expect(await readFile(join(made.folder, '.ralph/scratchpads/ab12.md'), 'utf8')).toBe('notes')
    await (await made.open(OURS)).acquire(BUILD, TASK, tree, 'fresh')
    expect((await seen(made)).status.split('\n')).toEqual([' M a.txt', ' M src/b.txt'])
    expect(await readdir(join(made.folder, '.ralph/scratchpads'))).toEqual(['.gitignore'])
  })

  it('of a task that was skipped is pinned and taken out again, and nothing else is touched', async () => {
    const { made, ws } = await begun()
    const { mtimeMs } = await stat(join(made.folder, 'src/b.txt'))
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(made.folder, { 'a.txt': 'half\n', 'new/file.txt': 'new\n' })
    await made.git('add', '--all')
    await ws.release(workspace)
    expect(await seen(made)).toEqual({ branch: BRANCH, log: ['first'], status: '' })
    expect((await stat(join(made.folder, 'src/b.txt'))).mtimeMs).toBe(mtimeMs)
    expect((await readdir(made.folder)).sort()).toEqual(['.env', '.git', '.gitignore', 'a.txt', 'node_modules', 'src'])
    const [pin] = await ws.pins()
    const to = join(made.folder, '..', 'back')
    await ws.restore(pin?.ref ?? '', to)
    expect(await readFile(join(to, 'new/file.txt'), 'utf8')).toBe('new\n')
  })

  it('makes room for another task and comes back on top of what that landed', async () => {
    const { made, ws } = await begun()
    const first = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(made.folder, { 'a.txt': 'waits for a human\n' })
    const tree = await treeIn(ws, first)
    const second = await ws.acquire(BUILD, OTHER, null, 'fresh')
    expect([(await seen(made)).status, await ws.find(BUILD, TASK)]).toEqual(['', null])
    await fillFolder(made.folder, { 'src/b.txt': 'landed\n' })
    const landed = await commitToBranch(ws, await treeIn(ws, second), OTHER)
    await ws.release(second)
    expect(await ws.acquire(BUILD, TASK, tree, 'keep')).toMatchObject({ base: landed })
    expect((await seen(made)).status).toBe(' M a.txt')
    expect(await readFile(join(made.folder, 'src/b.txt'), 'utf8')).toBe('landed\n')
  })

  it('takes what a person changed between two tasks for the next one\u2019s', async () => {
    const { made, ws } = await begun()
    const first = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(made.folder, { 'a.txt': 'done\n' })
    await commitToBranch(ws, await treeIn(ws, first))
    await fillFolder(made.folder, { 'c.txt': 'after the last harvest\n' })
    await ws.release(first)
    await fillFolder(made.folder, { 'src/b.txt': 'between\n' })
    await ws.acquire(BUILD, OTHER, null, 'fresh')
    expect((await seen(made)).status.split('\n')).toEqual([' M src/b.txt', '?? c.txt'])
  })

  it('a fix is taken from the checkout as it lies', async () => {
    const { made, ws } = await begun()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(made.folder, { 'a.txt': 'mended by hand\n' })
    const fix = await ws.adopt({ folder: made.folder }, markOf(2))
    const tree = fix.taken ? fix.tree : expect.fail(fix.reason)
    await commitToBranch(ws, tree)
    await ws.release(workspace)
    expect(await seen(made)).toEqual({ branch: BRANCH, log: ['feat: something', 'first'], status: '' })
  })

  it('works in a linked worktree, beside the main one', async () => {
    const made = await madeRepository()
    const folder = join(made.folder, '..', 'linked')
    await made.git('worktree', 'add', '--quiet', '-b', 'side', folder)
    const user = {
      commonDir: join(made.folder, '.git'),
      gitDir: join(made.folder, '.git/worktrees/linked'),
      worktree: folder,
    }
    const ws = await made.open({ ...OURS, user })
    await ws.startBuild(BUILD)
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(folder, { 'a.txt': 'x\n' })
    await commitToBranch(ws, await treeIn(ws, workspace))
    await ws.release(workspace)
    expect([await gitIn(folder, made.env, ['status', '--porcelain', '--branch']), (await seen(made)).branch]).toEqual([
      `## ${BRANCH}`,
      'main',
    ])
  })
})

describe('somebody else in the checkout', () => {
  it('a switch to another branch stops the build, and nothing is taken or overwritten', async () => {
    const { made, ws } = await begun()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(made.folder, { 'a.txt': 'x\n' })
    const tree = await treeIn(ws, workspace)
    await made.git('stash', '--quiet')
    await made.git('switch', '--quiet', 'main')
    await fillFolder(made.folder, { 'a.txt': 'their own\n' })
    const codes = [ws.harvest(workspace, markOf(2)), ws.acquire(BUILD, TASK, tree, 'keep')].map(codeOf)
    expect(await Promise.all(codes)).toEqual(['CHECKOUT_LEFT', 'CHECKOUT_LEFT'])
    const commit = await commitToBranch(ws, tree)
    expect([await ws.mirror(BUILD), await made.git('rev-parse', BRANCH)]).toEqual([{ done: true }, commit])
    await ws.release(workspace)
    expect([await seen(made), await readFile(join(made.folder, 'a.txt'), 'utf8')]).toEqual([
      { branch: 'main', log: ['first'], status: ' M a.txt' },
      'their own\n',
    ])
  })

  it('a commit by hand stops the build; taken off softly, its changes are the task\u2019s', async () => {
    const { made, ws } = await begun()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await made.commit({ 'a.txt': 'by hand\n' }, 'by hand')
    const sentence = await ws.harvest(workspace, markOf()).catch((error: Error) => error.message)
    const head = (await ws.head(BUILD)).commit.slice(0, 10)
    expect(sentence).toContain(`'git reset --soft ${head}' takes it off and leaves its changes in your files`)
    expect([await codeOf(ws.startBuild(BUILD)), await seen(made)]).toMatchObject([
      'CHECKOUT_COMMITTED',
      { log: ['by hand', 'first'], status: '' },
    ])
    await made.git('reset', '--soft', head)
    const { files } = await ws.diff((await ws.head(BUILD)).tree, await treeIn(ws, workspace))
    expect(files.map(({ path }) => path)).toEqual(['a.txt'])
  })

  it('an agent\u2019s own commits are pinned, and the branch is as it was', async () => {
    const { made, ws } = await begun()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(made.folder, { 'a.txt': 'one\ntwo\n', 'b.txt': 'x\n' })
    const agent = { ...made.env, ...workspace.env }
    await gitIn(made.folder, agent, ['add', '--all'])
    await gitIn(made.folder, agent, ['commit', '--quiet', '-m', 'wip'])
    await treeIn(ws, workspace)
    expect(await seen(made)).toEqual({ branch: BRANCH, log: ['first'], status: ' M a.txt\n?? b.txt' })
    const [pin] = await ws.pins()
    expect(await made.engine('log', '--format=%s', '-3', pin?.commit ?? '')).toContain('wip')
  })

  it('another process has it: nothing is done there, and what lands meanwhile is followed later', async () => {
    const { made, ws } = await begun()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(made.folder, { 'a.txt': 'x\n' })
    const tree = await treeIn(ws, workspace)
    const undo = await handOver(made)
    expect(await codeOf(ws.acquire(BUILD, TASK, null, 'keep'))).toBe('CHECKOUT_BUSY')
    const commit = await commitToBranch(ws, tree)
    expect((await seen(made)).log).toEqual(['first'])
    await undo()
    await ws.startBuild(BUILD)
    expect([await made.git('rev-parse', 'HEAD'), (await seen(made)).status]).toEqual([commit, ''])
  })

  it('git at work in the checkout is waited for', async () => {
    const { made, ws } = await begun()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(made.folder, { 'a.txt': 'x\n' })
    const tree = await treeIn(ws, workspace)
    const lock = join(made.folder, '.git/index.lock')
    await writeFile(lock, '')
    const landing = commitToBranch(ws, tree)
    setTimeout(() => void rm(lock), 300)
    await landing
    expect((await seen(made)).status).toBe('')
  })
})

describe('after a crash', () => {
  it('between the engine\u2019s branch and the user\u2019s, the checkout follows at the next start', async () => {
    const { made, ws } = await begun()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(made.folder, { 'a.txt': 'x\n' })
    const commit = await commitToBranch(await made.open(), await treeIn(ws, workspace))
    expect((await seen(made)).status).toBe(' M a.txt')
    await (await made.open(OURS)).startBuild(BUILD)
    expect([await made.git('rev-parse', 'HEAD'), (await seen(made)).status]).toEqual([commit, ''])
  })

  it('in the middle of a switch, the next task finishes it', async () => {
    const { made, ws } = await begun()
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(made.folder, { 'a.txt': 'x\n', 'new.txt': 'new\n' })
    await commitToBranch(ws, await treeIn(ws, workspace))
    await ws.release(workspace)
    await made.git('switch', '--quiet', 'main')
    const { tree } = await ws.head(BUILD)
    await made.git('symbolic-ref', 'HEAD', `refs/heads/${BRANCH}`)
    await writeFile(await recordFile(made), JSON.stringify({ holder: null, tree, whole: false, at: 0 }))
    const again = await made.open(OURS)
    await again.startBuild(BUILD)
    await again.acquire(BUILD, OTHER, null, 'fresh')
    await again.release((await again.find(BUILD, OTHER)) ?? expect.fail())
    expect(await seen(made)).toEqual({ branch: BRANCH, log: ['feat: something', 'first'], status: '' })
  })
})

async function recordFile(made: MadeRepository): Promise<string> {
  const folder = join(made.state, 'in-place/main')
  const name = (await readdir(folder)).find((one) => one.endsWith('.json'))
  return join(folder, name ?? expect.fail('nobody has the checkout'))
}

/** As if another living process had the checkout. */
async function handOver(made: MadeRepository): Promise<() => Promise<void>> {
  const token = 'f'.repeat(32)
  await copyFile(join(made.state, 'owners', `${engineMarker}.json`), join(made.state, 'owners', `${token}.json`))
  const mine = await recordFile(made)
  const theirs = mine.replace(engineMarker, token)
  await rename(mine, theirs)
  return () => rename(theirs, mine)
}
