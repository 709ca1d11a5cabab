import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../../test/arbitraries/refusal.ts'
import { findPlace } from './place.ts'

let root: string
let folder: string

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph place ')))
  folder = join(root, 'project/src')
  for (const path of ['objects', 'refs']) mkdirSync(join(root, 'project/.git', path), { recursive: true })
  mkdirSync(folder)
  writeFileSync(join(root, 'project/.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(root, 'project/.git/config'), '[remote "origin"]\n\turl = git@github.com:acme/api.git\n')
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('findPlace', () => {
  it('is the repository, and its own store needs no name for it', () => {
    expect(findPlace(folder, {})).toEqual({
      storePath: join(root, 'project/.git/ralph/ralph.db'),
      scope: { repo: '.', branch: 'main' },
    })
  })

  it.each([
    ['sqlite:/var/x.db', '/var/x.db'],
    ['sqlite:///var/x.db', '/var/x.db'],
    ['SQLITE:/var/x y?.db', '/var/x y?.db'],
    ['sqlite:x.db', 'project/src/x.db'],
    ['sqlite:../x.db', 'project/x.db'],
  ])('%s moves the store, which is then shared by name', (url, path) => {
    for (const name of ['RALPH_DATABASE_URL', 'RALPH_DB_URL'])
      expect(findPlace(folder, { [name]: url })).toEqual({
        storePath: path.startsWith('/') ? path : join(root, path),
        scope: { repo: 'github.com/acme/api', branch: 'main' },
      })
  })

  it('takes the scope it is told', () => {
    const scope = { RALPH_SCOPE_REPO: 'r', RALPH_SCOPE_BRANCH: 'b' }
    const named = { repo: 'r', branch: 'b' }
    expect(findPlace(folder, scope).scope).toEqual(named)
    expect(findPlace(folder, { ...scope, RALPH_SCOPE_REPO: '' }).scope).toEqual({ repo: '.', branch: 'b' })
    expect(findPlace(folder, { ...scope, RALPH_SCOPE_BRANCH: '' }).scope).toEqual({ repo: 'r', branch: 'main' })
    expect(findPlace(root, { ...scope, RALPH_DATABASE_URL: 'sqlite:/x.db' })).toEqual({
      storePath: '/x.db',
      scope: named,
    })
  })

  it.each([
    ['postgres://me:hunter2@host/db', "RALPH_DB_URL must be sqlite:/path; there is no store for 'postgres:' addresses"],
    ['hunter2', 'RALPH_DB_URL must be sqlite:/path; there is no store for what it holds'],
    [
      'sqlite://host/x.db',
      'RALPH_DB_URL must be sqlite:/path; there is no store for a sqlite: address without a path, or with a host',
    ],
    [
      'sqlite:',
      'RALPH_DB_URL must be sqlite:/path; there is no store for a sqlite: address without a path, or with a host',
    ],
  ])('refuses %s', (url, sentence) => {
    expect(refused(() => findPlace(folder, { RALPH_DB_URL: url }))?.[1]).toBe(sentence)
  })
})
