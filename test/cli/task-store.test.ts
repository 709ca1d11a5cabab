import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { inProcess } from '../rig/in-process.ts'
import { printed, refused, scratch } from '../rig/scratch.ts'

describe('the store in the way of which something is', () => {
  it('is a folder', async () => {
    const { storePath, task } = inProcess()
    mkdirSync(storePath, { recursive: true })
    expect(await task('list')).toEqual(
      refused(1, `cannot open the task store ${storePath}: unable to open database file`),
    )
  })

  it('has a file where its folder should be', () => {
    const { storePath, task } = scratch()
    writeFileSync(dirname(storePath), '')
    const { code, stdout, stderr } = task('list')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^Error: cannot open the task store .*: EEXIST: file already exists, mkdir '.*'\n$/)
  })

  it.each([
    ['garbage', Buffer.from('this is not a database, but it is long enough to look at'.repeat(100))],
    ['random bytes', Buffer.from(Array.from({ length: 4_096 }, (_, n) => (n * 97 + 13) % 251))],
  ])('holds %s, which is kept as it is', async (_, bytes) => {
    const { storePath, task } = inProcess()
    mkdirSync(dirname(storePath))
    writeFileSync(storePath, bytes)
    const sentence = `${storePath} is not a usable SQLite database (file is not a database); move it away or restore a copy`
    expect(await task('create', 'a', 'A')).toEqual(refused(1, sentence))
    expect(readFileSync(storePath)).toEqual(bytes)
  })

  it('is the database of another program', async () => {
    const { storePath, task } = inProcess()
    mkdirSync(dirname(storePath))
    const foreign = new DatabaseSync(storePath)
    foreign.exec('CREATE TABLE tasks (id TEXT)')
    foreign.close()
    const sentence = `${storePath} is not a usable SQLite database (it belongs to another program); move it away or restore a copy`
    expect(await task('list')).toEqual(refused(1, sentence))
  })

  it('was written by a newer Ralph, and is left alone', () => {
    const { storePath, ok, sql, untouched } = scratch()
    ok('create', 'a', 'A')
    sql('PRAGMA user_version = 999')
    const { code, stdout, stderr } = untouched(['create', 'b', 'B'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^Error: .* was written by a newer Ralph \(schema 999, this one knows \d+\); upgrade Ralph\n$/,
    )
    expect(stderr).toContain(storePath)
  })
})

describe('RALPH_DATABASE_URL', () => {
  const forms = [
    ['sqlite:/path', (path: string) => `sqlite:${path}`],
    ['sqlite:///path', (path: string) => `sqlite://${path}`],
    ['SQLite:/path', (path: string) => `SQLite:${path}`],
  ] as const

  it.each(forms)('%s moves the store, folders and all', async (_, url) => {
    const { root, ralph, task, storePath } = inProcess()
    const path = join(root, 'else where/deep/tasks.db')
    const env = { RALPH_DATABASE_URL: url(path) }
    expect(await ralph(['task', 'create', 'a', 'A'], { env })).toEqual(printed('a\n'))
    expect([existsSync(path), existsSync(storePath)]).toEqual([true, false])
    expect(await task('peek')).toEqual(printed(''))
    expect((await ralph(['task', 'peek'], { env: { RALPH_DB_URL: url(path) } })).stdout).toMatch(/^## Task a\n/)
  })

  it('goes before its alias, and an empty one is none', async () => {
    const { root, ralph } = inProcess()
    const [one, other] = ['one.db', 'other.db'].map((name) => `sqlite:${join(root, name)}`) as [string, string]
    await ralph(['task', 'create', 'a', 'A'], { env: { RALPH_DATABASE_URL: one, RALPH_DB_URL: other } })
    const seen = async (env: Record<string, string>) =>
      (await ralph(['task', 'list', '--json'], { env })).stdout !== '[]\n'
    expect(await seen({ RALPH_DB_URL: one })).toBe(true)
    expect(await seen({ RALPH_DB_URL: other })).toBe(false)
    expect(await seen({ RALPH_DATABASE_URL: '', RALPH_DB_URL: one })).toBe(true)
    expect(await seen({ RALPH_DATABASE_URL: '' })).toBe(false)
  })

  it('is relative to the folder one is in', async () => {
    const { root, folder, ralph } = inProcess()
    await ralph(['task', 'create', 'a', 'A'], { env: { RALPH_DATABASE_URL: 'sqlite:../near.db' } })
    expect(existsSync(join(root, 'near.db'))).toBe(true)
    mkdirSync(join(folder, 'src'))
    const { stdout } = await ralph(['task', 'peek'], {
      env: { RALPH_DATABASE_URL: 'sqlite:../../near.db' },
      folder: join(folder, 'src'),
    })
    expect(stdout).toMatch(/^## Task a\n/)
  })

  it.each([
    ['postgres://user:hunter2@db.example.org/tasks', "there is no store for 'postgres:' addresses"],
    ['mysql+ssl://hunter2@host', "there is no store for 'mysql+ssl:' addresses"],
    ['hunter2', 'there is no store for what it holds'],
    ['/var/lib/tasks.db', 'there is no store for what it holds'],
    ['sqlite:', 'there is no store for a sqlite: address without a path, or with a host'],
    ['sqlite://tasks.db', 'there is no store for a sqlite: address without a path, or with a host'],
  ])('refuses %j and never shows what may be a password', async (url, problem) => {
    const { ralph } = inProcess()
    for (const variable of ['RALPH_DATABASE_URL', 'RALPH_DB_URL'])
      expect((await ralph(['task', 'list', '--debug', '--json'], { env: { [variable]: url } })).stdout).toBe(
        `${JSON.stringify({ error: { code: 'RALPH_STORE_URL_BAD', message: `${variable} must be sqlite:/path; ${problem}` } })}\n`,
      )
    expect((await ralph(['task', 'list', '--debug'], { env: { RALPH_DB_URL: url } })).stderr).not.toContain('hunter2')
  })
})
