import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inProcess, type InProcess } from '../rig/in-process.ts'
import { type How, printed, refused, type Scratch, scratch } from '../rig/scratch.ts'

/** The ids of the tasks one sees. */
async function seen(repo: InProcess | Scratch, how: How = {}): Promise<string[]> {
  const { stdout } = await repo.ralph(['task', 'list', '--json'], how)
  return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)
}

function commit(repo: InProcess | Scratch): void {
  repo.git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--allow-empty', '-m', 'first')
}

describe('where there is no repository', () => {
  it('says so, and what to do', async () => {
    const { root, ralph } = inProcess()
    const sentence = `${root} is not in a git repository; run 'git init' first, or go to one`
    for (const words of [['list'], ['create', 'a', 'A'], ['agent', 'register']])
      expect(await ralph(['task', ...words], { folder: root })).toEqual(refused(1, sentence))
  })

  it('works all the same with a store and a scope of its own', () => {
    const { root, ralph } = scratch()
    const env = { RALPH_DATABASE_URL: 'sqlite:tasks.db', RALPH_SCOPE_REPO: 'r', RALPH_SCOPE_BRANCH: 'b' }
    expect(ralph(['task', 'create', 'a', 'A'], { folder: root, env })).toEqual(printed('a\n'))
  })

  it.each([
    ['an empty folder called .git', (at: string) => mkdirSync(join(at, '.git'))],
    ['a file called .git that leads nowhere', (at: string) => writeFileSync(join(at, '.git'), 'gitdir: ../nowhere\n')],
  ])('%s is none', async (_, make) => {
    const { root, ralph } = inProcess()
    make(root)
    const { code, stderr } = await ralph(['task', 'list'], { folder: root })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Error: ${root} is not in a git repository; run 'git init' first, or go to one\n`,
    })
  })
})

describe('tasks belong to a repository and a branch', () => {
  it('seen from every folder of it', async () => {
    const repo = inProcess()
    await repo.ok('create', 'a', 'A')
    mkdirSync(join(repo.folder, 'src/deep'), { recursive: true })
    mkdirSync(join(repo.folder, 'src/.git'))
    expect(await seen(repo, { folder: join(repo.folder, 'src/deep') })).toEqual(['a'])
    expect(await seen(repo, { folder: join(repo.folder, '.git') })).toEqual(['a'])
  })

  it('each branch has its own, an unborn one too', async () => {
    const repo = inProcess()
    await repo.ok('create', 'a', 'On main')
    repo.git('checkout', '--quiet', '-b', 'feature/x')
    expect(await seen(repo)).toEqual([])
    await repo.ok('create', 'a', 'The same id, another task')
    commit(repo)
    expect(await repo.ok('peek')).toContain('title: The same id, another task\n')
    expect((await repo.ralph(['task', 'peek'], { env: { RALPH_SCOPE_BRANCH: 'main' } })).stdout).toContain(
      'title: On main\n',
    )
  })

  it('a detached HEAD is a branch called HEAD', async () => {
    const repo = inProcess()
    commit(repo)
    repo.git('checkout', '--quiet', '--detach')
    await repo.ok('create', 'a', 'A')
    expect(await seen(repo, { env: { RALPH_SCOPE_BRANCH: 'HEAD' } })).toEqual(['a'])
    expect(await seen(repo, { env: { RALPH_SCOPE_BRANCH: 'main' } })).toEqual([])
  })

  it('linked worktrees share the store, each with its own branch', async () => {
    const repo = scratch()
    commit(repo)
    repo.ok('create', 'a', 'A')
    const folder = join(repo.root, 'linked tree')
    repo.git('worktree', 'add', '--quiet', '-b', 'side', folder)
    expect(await seen(repo, { folder })).toEqual([])
    expect(await seen(repo, { folder, env: { RALPH_SCOPE_BRANCH: 'main' } })).toEqual(['a'])
    repo.ralph(['task', 'create', 's', 'S'], { folder })
    expect(await seen(repo, { env: { RALPH_SCOPE_BRANCH: 'side' } })).toEqual(['s'])
    expect(repo.git('status', '--porcelain')).toBe('')
  })

  it('a bare repository and a submodule have their own', async () => {
    const repo = inProcess()
    commit(repo)
    repo.git('clone', '--quiet', '--bare', repo.folder, join(repo.root, 'bare.git'))
    const bare = { folder: join(repo.root, 'bare.git') }
    expect(await repo.ralph(['task', 'create', 'b', 'B'], bare)).toEqual(printed('b\n'))
    expect(await seen(repo, { folder: join(repo.root, 'bare.git/refs') })).toEqual(['b'])
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', bare.folder, 'sub')
    expect(await seen(repo, { folder: join(repo.folder, 'sub') })).toEqual([])
    expect(await repo.ralph(['task', 'create', 's', 'S'], { folder: join(repo.folder, 'sub') })).toEqual(printed('s\n'))
    expect([await seen(repo), await seen(repo, bare)]).toEqual([[], ['b']])
  })

  it('GIT_DIR says where it is, also as a file and from afar', async () => {
    const repo = inProcess()
    commit(repo)
    await repo.ok('create', 'a', 'A')
    repo.git('worktree', 'add', '--quiet', '-b', 'side', join(repo.root, 'tree'))
    await repo.ralph(['task', 'create', 's', 'S'], { folder: join(repo.root, 'tree') })
    const from = (GIT_DIR: string) => seen(repo, { folder: repo.root, env: { GIT_DIR } })
    expect([await from(join(repo.folder, '.git')), await from('project/.git'), await from('tree/.git')]).toEqual([
      ['a'],
      ['a'],
      ['s'],
    ])
    const { code, stderr } = await repo.ralph(['task', 'list'], { env: { GIT_DIR: '/nowhere' } })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Error: ${repo.folder} is not in a git repository; run 'git init' first, or go to one\n`,
    })
  })

  it('RALPH_SCOPE_REPO and RALPH_SCOPE_BRANCH name another scope, and empty ones none', async () => {
    const repo = inProcess()
    const env = { RALPH_SCOPE_REPO: 'acme/api', RALPH_SCOPE_BRANCH: 'next' }
    await repo.ralph(['task', 'create', 'a', 'A'], { env })
    expect(await seen(repo, { env })).toEqual(['a'])
    expect(await seen(repo)).toEqual([])
    expect(await seen(repo, { env: { ...env, RALPH_SCOPE_REPO: '' } })).toEqual([])
    expect(await seen(repo, { env: { ...env, RALPH_SCOPE_BRANCH: '' } })).toEqual([])
  })

  it('in a shared store goes by the remote, so that clones work on the same tasks', async () => {
    const repo = inProcess()
    const clone = join(repo.root, 'clone')
    const other = join(repo.root, 'other')
    for (const folder of [clone, other]) repo.git('init', '--quiet', '--initial-branch=main', folder)
    repo.git('remote', 'add', 'origin', 'git@github.com:acme/api.git')
    repo.git('-C', clone, 'remote', 'add', 'origin', 'https://token@github.com/acme/api')
    const env = { RALPH_DATABASE_URL: `sqlite:${join(repo.root, 'shared.db')}` }
    await repo.ralph(['task', 'create', 'a', 'A'], { env })
    expect([await seen(repo, { env, folder: clone }), await seen(repo, { env, folder: other })]).toEqual([['a'], []])
  })
})

it('a branch that cannot be read without git is asked for', async () => {
  const repo = inProcess()
  writeFileSync(join(repo.folder, '.git/HEAD'), 'ref: refs/heads/.invalid\n')
  expect(await repo.task('list')).toEqual(
    refused(
      1,
      `cannot tell the branch of ${join(repo.folder, '.git')}, whose refs are not plain files; set RALPH_SCOPE_BRANCH to its name`,
    ),
  )
  expect(await seen(repo, { env: { RALPH_SCOPE_BRANCH: 'main' } })).toEqual([])
})
