import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sourceAt, sourceOf } from './plan-source.ts'

let root: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-source-')))
  mkdirSync(join(root, 'repo/docs/folder.md'), { recursive: true })
  for (const path of ['repo/PLAN.md', 'repo/docs/plan.MD', 'repo/notes.txt', 'outside.md'])
    writeFileSync(join(root, path), '')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('the file a plan comes from', () => {
  it.each([
    ['.', 'PLAN.md', 'PLAN.md'],
    ['docs', '../PLAN.md', 'PLAN.md'],
    ['docs', 'plan.MD', 'docs/plan.MD'],
  ])('is named from the root: in %s, %s is %s', (folder, word, source) => {
    const repo = join(root, 'repo')
    expect(sourceOf(repo, join(repo, folder), word)).toBe(source)
    expect(sourceAt(repo, source)).toEqual({ path: join(repo, source), spec: source })
  })

  it('keeps its whole path where it is not in the repository', () => {
    const outside = join(root, 'outside.md')
    expect(sourceOf(join(root, 'repo'), join(root, 'repo'), '../outside.md')).toBe(outside)
    expect(sourceAt(join(root, 'repo'), outside).path).toBe(outside)
  })

  it.each(['nope.md', 'notes.txt', 'docs/folder.md', 'add a login page', ''])('%j is none', (word) => {
    const repo = join(root, 'repo')
    expect(() => sourceOf(repo, repo, word)).toThrow(
      `'${word}' is no progress file: name an existing file that ends in .md`,
    )
  })
})
