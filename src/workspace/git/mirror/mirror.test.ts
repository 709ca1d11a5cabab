import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommitId } from '../../../core/values/id.ts'
import { BUILD, TASK, gitIn, madeRepository, markOf, messageFor } from '../../../../test/rig/git-repository.ts'
import { fillFolder } from '../../../../test/rig/folder.ts'

async function madeLanded() {
  const made = await madeRepository()
  const ws = await made.open()
  const start = await ws.startBuild(BUILD)
  const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
  await fillFolder(workspace.folder, { 'a.txt': 'x' })
  const harvest = await ws.harvest(workspace, markOf())
  const tree = harvest.taken ? harvest.tree : expect.fail(harvest.reason)
  const landed = await ws.commitToBranch(BUILD, start.commit, tree, messageFor(markOf()), '{"n":1}')
  return { made, ws, tree, commit: landed?.commit ?? expect.fail('moved') }
}

const refsOf = async (git: (...args: string[]) => Promise<string>) =>
  (await git('for-each-ref', '--format=%(refname) %(objectname)')).split('\n')

describe('mirroring', () => {
  it('brings branch, notes and pins, and touches nothing else', async () => {
    const { made, ws, commit } = await madeLanded()
    await made.git('config', 'fetch.prune', 'true')
    await made.git('config', 'core.hooksPath', join(made.folder, '..', 'hooks'))
    await fillFolder(join(made.folder, '..', 'hooks'), {})
    const before = (await readdir(join(made.folder, '.git'))).sort()
    const main = await made.git('rev-parse', 'main')
    expect(await ws.mirror(BUILD)).toEqual({ done: true })
    const engine = await refsOf(made.engine)
    expect(await refsOf(made.git)).toEqual([
      `refs/heads/main ${main}`,
      ...engine.filter((ref) => !/bases|combined/.test(ref)),
    ])
    expect(await made.git('log', '-1', '--format=%H %N', '--notes=ralph', 'ralph/b_1')).toBe(`${commit} {"n":1}`)
    expect((await readdir(join(made.folder, '.git'))).sort()).toEqual(before)
    expect(await made.git('status', '--porcelain')).toBe('')
    expect(await ws.mirror(BUILD)).toEqual({ done: true })
  })

  it('joins calls', async () => {
    const { made, ws, tree, commit } = await madeLanded()
    const four = Array.from({ length: 4 }, () => ws.mirror(BUILD))
    const landed = await ws.commitToBranch(BUILD, commit, tree, messageFor(markOf(2)), '{}')
    const answers = await Promise.all(four)
    expect(answers.every(({ done }) => done)).toBe(true)
    // The very same answer: of four calls two were carried out.
    expect(new Set(answers).size).toBe(2)
    expect(await ws.mirror(BUILD)).toEqual({ done: true })
    expect(await made.git('rev-parse', 'ralph/b_1')).toBe(landed?.commit)
  })

  it('joins no call to one that has begun already, which may not know of what came since', async () => {
    const { ws } = await madeLanded()
    const first = ws.mirror(BUILD)
    const second = ws.mirror(BUILD)
    await first
    const third = ws.mirror(BUILD)
    expect(await second).toEqual({ done: true })
    expect(await third).not.toBe(await second)
  })

  it('never overwrites what a person put there, and brings the rest', async () => {
    const { made, ws, tree, commit } = await madeLanded()
    await ws.mirror(BUILD)
    await made.git('worktree', 'add', '--quiet', '../wt', 'ralph/b_1')
    const folder = join(made.folder, '..', 'wt')
    const landed = await ws.commitToBranch(BUILD, commit, tree, messageFor(markOf(2)), '{"n":2}')
    expect(await ws.mirror(BUILD)).toEqual({
      done: false,
      reason: 'ralph/b_1 is checked out in your repository; switch to another branch',
    })
    expect(await made.git('rev-parse', 'ralph/b_1')).toBe(commit)
    expect(await made.git('notes', '--ref=ralph', 'list')).toContain(landed?.commit)
    await gitIn(folder, made.env, ['commit', '--quiet', '--allow-empty', '--message', 'mine'])
    const mine = await made.git('rev-parse', 'ralph/b_1')
    await gitIn(folder, made.env, ['checkout', '--quiet', '--detach'])
    expect(await ws.mirror(BUILD)).toEqual({
      done: false,
      reason: "refs/heads/ralph/b_1 has commits in your repository that are not Ralph's; rename yours",
    })
    expect(await made.git('rev-parse', 'ralph/b_1')).toBe(mine)
  })

  it('says why it cannot, as a value', async () => {
    const { made, ws } = await madeLanded()
    await made.git('branch', 'ralph')
    expect(await ws.mirror(BUILD)).toMatchObject({
      done: false,
      reason: /^refs\/heads\/ralph\/b_1 could not be brought/,
    })
    expect(await made.git('rev-parse', '--verify', 'refs/notes/ralph')).toBeTruthy()
  })

  it('takes in notes that came from elsewhere, and keeps them', async () => {
    const { made, ws } = await madeLanded()
    await ws.mirror(BUILD)
    const main = (await made.git('rev-parse', 'main')) as CommitId
    await made.git('notes', '--ref=ralph', 'add', '--message', 'from a colleague', main)
    const again = await made.open()
    const start = await again.startBuild('b_2' as typeof BUILD)
    await again.commitToBranch('b_2' as typeof BUILD, start.commit, start.tree, messageFor(markOf(7)), '{"n":7}')
    expect(await again.mirror('b_2' as typeof BUILD)).toEqual({ done: true })
    expect(await made.git('notes', '--ref=ralph', 'show', main)).toBe('from a colleague')
    expect(await made.git('notes', '--ref=ralph', 'show', 'ralph/b_2')).toBe('{"n":7}')
    expect(await made.git('notes', '--ref=ralph', 'show', 'ralph/b_1')).toBe('{"n":1}')
  })

  it('merges notes that went two ways', async () => {
    const { made, ws, tree, commit } = await madeLanded()
    await ws.mirror(BUILD)
    await made.git('notes', '--ref=ralph', 'add', '--message', 'from a colleague', 'main')
    const landed = await ws.commitToBranch(BUILD, commit, tree, messageFor(markOf(2)), '{"n":2}')
    expect(await ws.mirror(BUILD)).toMatchObject({ done: false, reason: /refs\/notes\/ralph has commits/ })
    await ws.startBuild('b_2' as typeof BUILD)
    expect(await ws.mirror(BUILD)).toEqual({ done: true })
    expect(await made.git('notes', '--ref=ralph', 'show', 'main')).toBe('from a colleague')
    expect(await made.git('notes', '--ref=ralph', 'show', landed?.commit ?? '')).toBe('{"n":2}')
  })

  it('brings two builds in turns, with the notes of both', async () => {
    const { made, ws, tree, commit } = await madeLanded()
    const other = 'b_2' as typeof BUILD
    const heads = new Map([
      [BUILD, commit],
      [other, (await ws.startBuild(other)).commit],
    ])
    for (let turn = 2; turn < 5; turn += 1) {
      for (const [build, head] of heads) {
        const landed = await ws.commitToBranch(build, head, tree, messageFor(markOf(turn)), `{"n":${turn}}`)
        heads.set(build, landed?.commit ?? expect.fail('moved'))
        expect(await ws.mirror(build)).toEqual({ done: true })
        expect(await made.git('rev-parse', `ralph/${build}`)).toBe(heads.get(build))
        expect(await made.git('notes', '--ref=ralph', 'show', `ralph/${build}`)).toBe(`{"n":${turn}}`)
      }
    }
    expect(await refsOf(made.git)).toEqual(
      expect.arrayContaining((await refsOf(made.engine)).filter((ref) => !/bases|combined/.test(ref))),
    )
  })

  it.each(['refs/heads/ralph/b_1', 'refs/notes/ralph', 'the pin'])(
    'gets past a lock that a killed git left on %s',
    async (name) => {
      const { made, ws } = await madeLanded()
      const ref = name === 'the pin' ? ((await ws.pins())[0]?.ref ?? expect.fail('no pin')) : name
      await fillFolder(join(made.folder, '.git'), { [`${ref}.lock`]: '' })
      expect(await ws.mirror(BUILD)).toEqual({ done: true })
      expect(await made.git('rev-parse', ref)).toBe(await made.engine('rev-parse', ref))
    },
  )

  it('breaks no lock that may be held by somebody else', async () => {
    const { made, ws } = await madeLanded()
    const locks = { 'packed-refs.lock': '', 'refs/heads/main.lock': '', 'refs/heads/ralph/b_1.lock': '' }
    await fillFolder(join(made.folder, '.git'), locks)
    expect(await ws.mirror(BUILD)).toEqual({ done: true })
    expect(await readdir(join(made.folder, '.git'))).toContain('packed-refs.lock')
    expect(await readdir(join(made.folder, '.git', 'refs', 'heads'))).toContain('main.lock')
  })
})
