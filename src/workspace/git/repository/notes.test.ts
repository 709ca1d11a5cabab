import { describe, expect, it } from 'vitest'
import type { CommitId } from '../../../core/values/id.ts'
import { BUILD, TASK, gitIn, madeRepository, markOf, messageFor } from '../../../../test/rig/git-repository.ts'

describe.each(['sha1', 'sha256'])('in a %s repository', (format) => {
  it('commits, notes and pins are what git itself would read and write', async () => {
    const made = await madeRepository({ 'a.txt': 'one\n' }, [`--object-format=${format}`])
    const ws = await made.open({ now: () => 1_700_000_000_000 })
    const { commit: base } = await ws.startBuild(BUILD)
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await gitIn(workspace.folder, made.env, ['mv', 'a.txt', 'b.txt'])
    const harvest = await ws.harvest(workspace, markOf())
    const tree = harvest.taken ? harvest.tree : expect.fail(harvest.reason)
    const landed = await ws.commitToBranch(BUILD, base, tree, messageFor(markOf()), '{"n":1}')
    const raw = await made.engine('cat-file', 'commit', 'ralph/b_1')
    expect(raw).toBe(
      [
        `tree ${tree}`,
        `parent ${base}`,
        'author Ada L <ada@example.com> 1700000000 +0000',
        'committer Ada L <ada@example.com> 1700000000 +0000',
        '',
        messageFor(markOf()).trimEnd(),
      ].join('\n'),
    )
    expect(await made.engine('rev-parse', 'ralph/b_1')).toBe(landed?.commit)
    expect(await made.engine('notes', '--ref=ralph', 'show', 'ralph/b_1')).toBe('{"n":1}')
    expect(await made.engine('fsck', '--strict', '--no-dangling')).toBe('')
  })
})

it('holds many notes, beside those that git has written in its own form', async () => {
  const made = await madeRepository()
  await made.git('notes', '--ref=ralph', 'add', '--message', 'from elsewhere', 'HEAD')
  const ws = await made.open()
  let { commit, tree } = await ws.startBuild(BUILD)
  const notes = new Map<CommitId, string>([[commit, 'from elsewhere']])
  for (let at = 0; at < 40; at += 1) {
    const landed = await ws.commitToBranch(BUILD, commit, tree, messageFor(markOf(at)), `note ${at}`)
    ;({ commit, tree } = landed ?? expect.fail('moved'))
    notes.set(commit, `note ${at}`)
  }
  const again = await made.open()
  const last = await again.commitToBranch(BUILD, commit, tree, messageFor(markOf(40)), 'note of another process')
  notes.set(last?.commit as CommitId, 'note of another process')
  const listed = (await made.engine('notes', '--ref=ralph', 'list')).split('\n').map((line) => line.split(' '))
  const read = listed.map(async ([blob = '', on = '']) => [on, await made.engine('cat-file', 'blob', blob)] as const)
  expect(new Map(await Promise.all(read))).toEqual(notes)
  expect(await made.engine('fsck', '--strict', '--no-dangling')).toBe('')
})
