import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BuildId } from '../../../core/values/id.ts'
import { BUILD, gitIn, madeRepository, markOf, messageFor } from '../../../../test/rig/git-repository.ts'

describe('starting a build', () => {
  it("takes over the user's HEAD, and leaves the user's repository as it is", async () => {
    const made = await madeRepository()
    const before = [await made.git('for-each-ref'), await made.git('status', '--porcelain')]
    const ws = await made.open()
    const commit = await made.git('rev-parse', 'HEAD')
    const tree = await made.git('rev-parse', 'HEAD^{tree}')
    const started = await ws.startBuild(BUILD)
    expect(started).toEqual({ commit, tree, baseBranch: 'main', isDirty: false, notes: [] })
    expect(await ws.head(BUILD)).toEqual({ commit, tree })
    expect([await made.git('for-each-ref'), await made.git('status', '--porcelain')]).toEqual(before)
  })

  it('is not needed to look at HEAD, also where nothing is committed', async () => {
    const made = await madeRepository()
    const ws = await made.open()
    const before = await made.commit({ 'c.txt': 'three\n' })
    const head = await ws.takeHead()
    expect(head).toEqual({ commit: before, tree: await made.git('rev-parse', 'HEAD^{tree}'), isDirty: false })
    const { giveBack } = await ws.readOnlyCheckout(head.tree)
    expect(await giveBack()).toEqual([])
    expect(await made.engine('for-each-ref')).toBe('')
    const empty = await madeRepository(null)
    expect(await (await empty.open()).takeHead()).toMatchObject({
      tree: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
      isDirty: false,
    })
  })

  it('keeps the branch that a build has, whatever the user does', async () => {
    const made = await madeRepository()
    const ws = await made.open()
    const { commit, tree } = await ws.startBuild(BUILD)
    const landed = await ws.commitToBranch(BUILD, commit, tree, messageFor(markOf()), '{}')
    const later = await made.commit({ 'c.txt': 'three\n' })
    expect(await ws.startBuild(BUILD)).toMatchObject({ commit: landed?.commit, tree })
    expect(await ws.startBuild('b_2' as BuildId)).toMatchObject({ commit: later })
    expect(await (await made.open()).head(BUILD)).toEqual({ commit: landed?.commit, tree })
  })

  it('outlives what the user throws away', async () => {
    const made = await madeRepository()
    const ws = await made.open()
    const { tree } = await ws.startBuild(BUILD)
    await made.git('checkout', '--quiet', '--orphan', 'other')
    await made.commit({ 'z.txt': 'z' })
    await made.git('branch', '--quiet', '-D', 'main')
    await made.git('reflog', 'expire', '--expire=now', '--all')
    await made.git('gc', '--quiet', '--prune=now')
    const { folder, free } = await ws.checkout(tree)
    expect(await gitIn(folder, made.env, ['status', '--porcelain'])).toBe('')
    free()
  })

  it('starts from nothing where nothing is committed', async () => {
    const made = await madeRepository(null)
    const ws = await made.open()
    const started = await ws.startBuild(BUILD)
    expect(started).toMatchObject({
      tree: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
      baseBranch: 'main',
      notes: ['nothing is committed yet, so the build branch starts with an empty commit'],
    })
    expect(await made.git('rev-list', '--all', '--count')).toBe('0')
    const workspace = await ws.acquire(BUILD, markOf().task, null, 'fresh')
    await writeFile(join(workspace.folder, 'first.txt'), '1')
    const harvest = await ws.harvest(workspace, markOf())
    const tree = harvest.taken ? harvest.tree : expect.fail(harvest.reason)
    await ws.commitToBranch(BUILD, started.commit, tree, messageFor(markOf()), '{}')
    expect(await ws.mirror(BUILD)).toEqual({ done: true })
    expect(await made.git('ls-tree', '--name-only', 'ralph/b_1')).toBe('first.txt')
    expect(await made.engine('fsck', '--strict', '--no-dangling')).toBe('')
  })

  it.each([
    ['a changed file', 'a.txt'],
    ['a new file', 'new.txt'],
  ])('says that the checkout has %s', async (_, path) => {
    const made = await madeRepository()
    await writeFile(join(made.folder, path), 'other')
    const started = await (await made.open()).startBuild(BUILD)
    expect(started).toMatchObject({ isDirty: true, commit: await made.git('rev-parse', 'HEAD') })
  })

  it('works from a detached HEAD, a linked worktree and a bare repository', async () => {
    const made = await madeRepository()
    const gitDir = join(made.folder, '.git')
    const first = await made.git('rev-parse', 'HEAD')
    await made.git('worktree', 'add', '--quiet', '-b', 'side', '../side')
    const side = join(made.folder, '..', 'side')
    await writeFile(join(side, 'only-here.txt'), 'x')
    await gitIn(side, made.env, ['add', '--all'])
    await gitIn(side, made.env, ['commit', '--quiet', '--message', 'on the side'])
    const linked = { commonDir: gitDir, gitDir: join(gitDir, 'worktrees', 'side'), worktree: side }
    const second = await gitIn(side, made.env, ['rev-parse', 'HEAD'])
    // The engine's repository exists already, so this commit has to be fetched.
    await made.open()
    await writeFile(join(side, 'later.txt'), 'y')
    await gitIn(side, made.env, ['add', '--all'])
    await gitIn(side, made.env, ['commit', '--quiet', '--message', 'later'])
    const third = await gitIn(side, made.env, ['rev-parse', 'HEAD'])
    expect(await (await made.open({ user: linked })).startBuild('b_1' as BuildId)).toMatchObject({
      commit: third,
      baseBranch: 'side',
    })
    await made.git('checkout', '--quiet', '--detach', first)
    expect(await (await made.open()).startBuild('b_2' as BuildId)).toMatchObject({ commit: first, baseBranch: null })

    const bare = join(made.folder, '..', 'bare.git')
    await gitIn(made.folder, made.env, ['clone', '--quiet', '--bare', side, bare])
    const options = { stateFolder: join(bare, 'ralph'), user: { commonDir: bare, gitDir: bare, worktree: null } }
    expect(await (await made.open(options)).startBuild('b_3' as BuildId)).toMatchObject({
      commit: third,
      baseBranch: 'side',
      isDirty: false,
    })
    expect(second).not.toBe(third)
  })

  it('works in a shallow clone, and in one that borrows objects', async () => {
    const made = await madeRepository()
    await made.commit({ 'c.txt': '3' })
    for (const how of [
      ['--depth=1', `file://${made.folder}`],
      ['--shared', made.folder],
    ]) {
      const folder = join(made.folder, '..', `clone${how.length}${how[0]}`)
      await gitIn(made.folder, made.env, ['clone', '--quiet', ...how, folder])
      const user = { commonDir: join(folder, '.git'), gitDir: join(folder, '.git'), worktree: folder }
      const ws = await made.open({ stateFolder: join(folder, '.git', 'ralph'), user })
      const { commit, tree } = await ws.startBuild(BUILD)
      const landed = await ws.commitToBranch(BUILD, commit, tree, messageFor(markOf()), '{}')
      const workspace = await ws.acquire(BUILD, markOf().task, null, 'fresh')
      expect(await gitIn(workspace.folder, made.env, ['log', '--format=%H'])).toContain(landed?.commit)
      expect(await ws.mirror(BUILD)).toEqual({ done: true })
    }
  })

  it('carries submodules and LFS pointers as they are, and says so', async () => {
    const made = await madeRepository()
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n'
    await made.commit({ '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'big.bin': pointer })
    await mkdir(join(made.folder, 'sub'))
    await writeFile(
      join(made.folder, '.gitmodules'),
      '[submodule "sub"]\n\tpath = sub\n\turl = https://example.com/sub\n',
    )
    await made.git('add', '.gitmodules')
    await made.git('update-index', '--add', '--cacheinfo', `160000,${await made.git('rev-parse', 'HEAD')},sub`)
    await made.git('commit', '--quiet', '--message', 'with a submodule')
    const ws = await made.open()
    const { tree, notes } = await ws.startBuild(BUILD)
    expect(notes).toEqual([
      'submodules are kept as they are, and are empty where agents work',
      'files in Git LFS are pointers where agents work',
    ])
    const workspace = await ws.acquire(BUILD, markOf().task, null, 'fresh')
    expect(await ws.harvest(workspace, markOf())).toEqual({ taken: true, tree })
  })

  it('commits by a made-up name where the user has none, and says so', async () => {
    const made = await madeRepository()
    const ws = await made.open({ env: { ...made.env, GIT_CONFIG_GLOBAL: '/dev/null' } })
    const { commit, tree, notes } = await ws.startBuild(BUILD)
    expect(notes).toEqual(['git knows no user.name or user.email here, so commits are by Ralph <ralph@localhost>'])
    await ws.commitToBranch(BUILD, commit, tree, messageFor(markOf()), '{}')
    expect(await made.engine('log', '-1', '--format=%an <%ae>', 'ralph/b_1')).toBe('Ralph <ralph@localhost>')
  })
})
