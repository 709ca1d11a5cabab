import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BuildId, CommitId, TaskId, TreeId } from '../../../core/values/id.ts'
import type { AttemptMark, Workspaces } from '../../workspace.ts'
import { BUILD, madeRepository, markOf, messageFor } from '../../../../test/rig/git-repository.ts'
import { fillFolder, type Files } from '../../../../test/rig/folder.ts'

async function madeBuild() {
  const made = await madeRepository()
  const ws = await made.open()
  return { made, ws, start: await ws.startBuild(BUILD) }
}

/** The tree that a task makes of the head by writing these files. */
async function work(
  ws: Workspaces,
  task: string,
  files: Files,
): Promise<{ base: CommitId; tree: TreeId; mark: AttemptMark }> {
  const workspace = await ws.acquire(BUILD, task as TaskId, null, 'fresh')
  await fillFolder(workspace.folder, files)
  const mark = markOf(1, task as TaskId)
  const harvest = await ws.harvest(workspace, mark)
  return { base: workspace.base, tree: harvest.taken ? harvest.tree : expect.fail(harvest.reason), mark }
}

describe('combining', () => {
  it('leaves the tree as it is where the branch has not moved', async () => {
    const { ws } = await madeBuild()
    const { base, tree } = await work(ws, 't', { 'a.txt': 'x' })
    expect(await ws.mergeTrees(BUILD, base, tree)).toEqual({ is: 'clean', head: base, tree, moved: false })
  })

  it('merges what does not conflict, and takes back nothing', async () => {
    const { made, ws } = await madeBuild()
    const mine = await work(ws, 'mine', { 'a.txt': 'mine\n' })
    const theirs = await work(ws, 'theirs', { 'src/b.txt': 'theirs\n', 'new.txt': 'n\n' })
    const landed = await ws.commitToBranch(BUILD, theirs.base, theirs.tree, messageFor(theirs.mark), '{}')
    const combined = await ws.mergeTrees(BUILD, mine.base, mine.tree)
    expect(combined).toMatchObject({ is: 'clean', head: landed?.commit, moved: true })
    const content = ['a.txt', 'src/b.txt', 'new.txt'].map((path) =>
      made.engine('cat-file', 'blob', `${combined.tree}:${path}`),
    )
    expect(await Promise.all(content)).toEqual(['mine', 'theirs', 'n'])
    expect(await ws.mergeTrees(BUILD, mine.base, mine.tree)).toEqual(combined)
    expect(await ws.baseOf(BUILD, 'mine' as TaskId, combined.tree)).toBe(landed?.commit)
  })

  it('names what conflicts, and gives a tree with both sides', async () => {
    const { made, ws } = await madeBuild()
    const mine = await work(ws, 'mine', { 'a.txt': 'mine\n', 'src/b.txt': 'mine\n' })
    const theirs = await work(ws, 'theirs', { 'a.txt': 'theirs\n', 'src/b.txt': 'theirs\n' })
    const landed = await ws.commitToBranch(BUILD, theirs.base, theirs.tree, messageFor(theirs.mark), '{}')
    const combined = await ws.mergeTrees(BUILD, mine.base, mine.tree)
    expect(combined).toEqual({
      is: 'conflict',
      head: landed?.commit,
      tree: combined.tree,
      paths: ['a.txt', 'src/b.txt'],
    })
    expect(await made.engine('cat-file', 'blob', `${combined.tree}:a.txt`)).toMatch(
      /^<<<<<<< \w+\ntheirs\n=======\nmine\n>>>>>>> \w+$/,
    )
  })
})

describe('landing', () => {
  it('moves the branch, with message, author and note', async () => {
    const { made, ws, start } = await madeBuild()
    const { tree, mark } = await work(ws, 't', { 'a.txt': 'x' })
    const landed = await ws.commitToBranch(BUILD, start.commit, tree, messageFor(mark), '{"evidence":"é"}')
    expect(landed).toEqual({ commit: await made.engine('rev-parse', 'ralph/b_1'), tree })
    expect(await ws.head(BUILD)).toEqual(landed)
    expect(await made.engine('log', '-1', '--format=%P%n%an <%ae>%n%cn <%ce>%n%B', 'ralph/b_1')).toBe(
      `${start.commit}\nAda L <ada@example.com>\nAda L <ada@example.com>\n${messageFor(mark)}`.trimEnd(),
    )
    expect(await made.engine('notes', '--ref=ralph', 'show', 'ralph/b_1')).toBe('{"evidence":"é"}')
  })

  it('does nothing where the branch has moved', async () => {
    const { made, ws, start } = await madeBuild()
    const { tree, mark } = await work(ws, 't', { 'a.txt': 'x' })
    const landed = await ws.commitToBranch(BUILD, start.commit, start.tree, messageFor(markOf()), '{}')
    const notes = await made.engine('rev-parse', 'refs/notes/ralph')
    expect(await ws.commitToBranch(BUILD, start.commit, tree, messageFor(mark), '{}')).toBe(null)
    expect(await ws.head(BUILD)).toEqual(landed)
    expect(await made.engine('rev-parse', 'refs/notes/ralph')).toBe(notes)
  })

  it('lets exactly one of many win, and loses no note', async () => {
    const { made, start } = await madeBuild()
    const racers = await Promise.all(Array.from({ length: 6 }, () => made.open()))
    const other = 'b_other' as BuildId
    await racers[0]?.startBuild(other)
    const results = await Promise.all(
      racers.flatMap((ws, at) =>
        [BUILD, other].map((build) =>
          ws.commitToBranch(build, start.commit, start.tree, messageFor(markOf(at)), `by ${at}`),
        ),
      ),
    )
    const won = results.filter((result) => result !== null)
    expect(won.length).toBe(2)
    for (const build of [BUILD, other])
      expect(await made.engine('rev-list', '--count', `${start.commit}..ralph/${build}`)).toBe('1')
    for (const { commit } of won) expect(await made.engine('notes', '--ref=ralph', 'show', commit)).toMatch(/^by \d$/)
  })

  it('signs where git is set to sign', async () => {
    const { made, start } = await madeBuild()
    const program = join(made.folder, '..', 'sign')
    // As gpg does it: a status line on the given descriptor, the signature on stdout.
    await writeFile(program, '#!/bin/sh\ncat > /dev/null\necho "[GNUPG:] SIG_CREATED " >&2\necho "signed by $3"\n', {
      mode: 0o755,
    })
    await made.git('config', 'commit.gpgsign', 'true')
    await made.git('config', 'user.signingkey', 'KEY')
    await made.git('config', 'gpg.program', program)
    const ws = await made.open()
    const landed = await ws.commitToBranch(BUILD, start.commit, start.tree, messageFor(markOf()), '{}')
    expect(await made.engine('cat-file', 'commit', landed?.commit ?? '')).toContain('gpgsig signed by KEY')
    await made.git('config', 'gpg.program', '/nonexistent')
    await expect(
      (await made.open()).commitToBranch(BUILD, landed?.commit as CommitId, start.tree, messageFor(markOf(2)), '{}'),
    ).rejects.toThrow(/^the commit could not be signed \(.*\); mend the key, or set commit.gpgsign to false$/)
  })
})

describe('what is on the branch', () => {
  it('is told newest first, with all that a commit says', async () => {
    const { made, ws, start } = await madeBuild()
    const one = (await ws.commitToBranch(BUILD, start.commit, start.tree, messageFor(markOf(1)), '{}')) ?? expect.fail()
    // Another process lands too.
    const two =
      (await (await made.open()).commitToBranch(BUILD, one.commit, start.tree, 'x\n\nz\n', '{}')) ?? expect.fail()
    expect(await ws.history(BUILD, two.commit, null)).toEqual([
      { ...two, parent: one.commit, message: 'x\n\nz\n' },
      { ...one, parent: start.commit, message: `${messageFor(markOf(1)).trimEnd()}\n` },
    ])
    expect((await ws.history(BUILD, two.commit, one.commit)).map(({ commit }) => commit)).toEqual([two.commit])
    expect(await ws.history(BUILD, one.commit, one.commit)).toEqual([])
  })
})

describe('a landing that is intended first', () => {
  it('moves the branch only after the word is kept, to the very commit that was named', async () => {
    const { ws, start } = await madeBuild()
    const seen: string[] = []
    const intend = async (commit: CommitId) => {
      seen.push(commit, (await ws.head(BUILD)).commit)
      return true
    }
    const landed = await ws.commitToBranch(BUILD, start.commit, start.tree, messageFor(markOf()), '{}', { intend })
    expect(seen).toEqual([landed?.commit, start.commit])
  })

  it('is left undone where it may not be', async () => {
    const { ws, start } = await madeBuild()
    const intend = () => Promise.resolve(false)
    expect(await ws.commitToBranch(BUILD, start.commit, start.tree, messageFor(markOf()), '{}', { intend })).toBe(null)
    expect((await ws.head(BUILD)).commit).toBe(start.commit)
  })
})

describe('a branch that is put back', () => {
  it('keeps what was on it under a ref, in the user’s repository as well', async () => {
    const { made, ws, start } = await madeBuild()
    const foreign = (await ws.commitToBranch(BUILD, start.commit, start.tree, 'feat: foreign', '{}')) ?? expect.fail()
    await ws.mirror(BUILD)
    expect(await made.git('rev-parse', `ralph/${BUILD}`)).toBe(foreign.commit)
    const ref = `refs/ralph/foreign/${BUILD}/${foreign.commit.slice(0, 16)}`
    expect(await ws.putBack(BUILD, foreign.commit, start.commit)).toEqual({ ref })
    expect((await ws.head(BUILD)).commit).toBe(start.commit)
    expect(await ws.mirror(BUILD)).toEqual({ done: true })
    expect(await made.git('rev-parse', `ralph/${BUILD}`, ref)).toBe(`${start.commit}\n${foreign.commit}`)
    const honest =
      (await ws.commitToBranch(BUILD, start.commit, start.tree, messageFor(markOf()), '{}')) ?? expect.fail()
    expect(await ws.mirror(BUILD)).toEqual({ done: true })
    expect(await made.git('rev-parse', `ralph/${BUILD}`)).toBe(honest.commit)
    await ws.clean([], 'remove')
    expect(await made.git('for-each-ref', 'refs/ralph/foreign')).toBe('')
  })

  it('goes forward without a ref, and nowhere where it has moved meanwhile', async () => {
    const { made, ws, start } = await madeBuild()
    const landed =
      (await ws.commitToBranch(BUILD, start.commit, start.tree, messageFor(markOf()), '{}')) ?? expect.fail()
    expect(await ws.putBack(BUILD, start.commit, landed.commit)).toBe(null)
    await made.engine('update-ref', `refs/heads/ralph/${BUILD}`, start.commit)
    expect(await ws.putBack(BUILD, start.commit, landed.commit)).toEqual({ ref: null })
    expect((await ws.head(BUILD)).commit).toBe(landed.commit)
  })

  it('leaves what was made on the foreign commit without what that brought', async () => {
    const { made, ws, start } = await madeBuild()
    const { tree } = await work(ws, 'foreign', { 'foreign.txt': 'x' })
    const foreign = (await ws.commitToBranch(BUILD, start.commit, tree, 'feat: foreign', '{}')) ?? expect.fail()
    const mine = await work(ws, 'mine', { 'mine.txt': 'y' })
    expect(mine.base).toBe(foreign.commit)
    await ws.putBack(BUILD, foreign.commit, start.commit)
    const combined = await ws.mergeTrees(BUILD, mine.base, mine.tree)
    expect(combined).toMatchObject({ is: 'clean', head: start.commit, moved: true })
    expect(await made.engine('ls-tree', '--name-only', combined.tree)).toMatch(/^(?![^]*foreign)[^]*mine\.txt/)
  })
})

it('keeps what is landed when git is asked to clean up', async () => {
  const { made, ws } = await madeBuild()
  const { base, tree, mark } = await work(ws, 't', { 'a.txt': 'x' })
  await ws.commitToBranch(BUILD, base, tree, messageFor(mark), '{}')
  await made.engine('gc', '--quiet', '--prune=now')
  const again = await made.open()
  expect(await again.history(BUILD, (await again.head(BUILD)).commit, null)).toMatchObject([await again.head(BUILD)])
  expect((await again.pins()).length).toBe(1)
  expect(await readFile(join((await again.checkout(tree)).folder, 'a.txt'), 'utf8')).toBe('x')
  const more = await again.commitToBranch(
    BUILD,
    (await again.head(BUILD)).commit,
    tree,
    messageFor(markOf(2)),
    '{"2":2}',
  )
  expect(await made.engine('notes', '--ref=ralph', 'show', more?.commit ?? '')).toBe('{"2":2}')
  const { commit } = more ?? expect.fail('it did not land')
  expect([await again.noteOn(commit), await ws.noteOn(base)]).toEqual(['{"2":2}', null])
})
