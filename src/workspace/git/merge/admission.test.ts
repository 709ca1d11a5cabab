import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RalphError } from '../../../core/error/error.ts'
import {
  BUILD,
  type MadeRepository,
  madeRepository,
  markOf,
  messageFor,
  TASK,
} from '../../../../test/rig/git-repository.ts'
import { type Files, fillFolder } from '../../../../test/rig/folder.ts'

async function refusal(made: MadeRepository): Promise<string> {
  const ws = await made.open()
  return ws.admit().then(
    () => 'none',
    (error: unknown) => (error instanceof RalphError ? `${error.code} ${error.message}` : String(error)),
  )
}

const TEXT: Files = {
  'a.txt': 'one\n',
  'src/b.c': 'int b;\n',
  'wide.h': Buffer.from('int c;\n', 'utf16le'),
  'logo.png': Buffer.from([0x89, 0x50, 0, 0, 1, 10, 2]),
}

describe('a branch that leaves no room for those of builds', () => {
  it('is named before anything is made', async () => {
    const made = await madeRepository(TEXT)
    await made.git('branch', 'ralph')
    const words = await refusal(made)
    expect(words).toMatch(/^BRANCH_IN_THE_WAY your branch 'ralph' leaves no room.*'git branch -m ralph NEW-NAME'/)
    await made.git('pack-refs', '--all')
    expect(await refusal(made)).toBe(words)
    await made.git('branch', '-m', 'ralph', 'mine')
    expect(await refusal(made)).toBe('none')
  })

  it.each([['refs/tags/ralph'], ['refs/remotes/ralph/main'], ['refs/heads/ralph/old'], ['refs/heads/ralph-x']])(
    'is not %s',
    async (ref) => {
      const made = await madeRepository(TEXT)
      await made.git('update-ref', ref, 'HEAD')
      expect(await refusal(made)).toBe('none')
    },
  )

  it('is told where it came while a build ran, and the rest is brought', async () => {
    const made = await madeRepository(TEXT)
    const ws = await made.open()
    const { commit } = await ws.startBuild(BUILD)
    const workspace = await ws.acquire(BUILD, TASK, null, 'fresh')
    await fillFolder(workspace.folder, { 'a.txt': 'two\n' })
    const harvest = await ws.harvest(workspace, markOf())
    if (!harvest.taken) throw new Error(harvest.reason)
    await made.git('branch', 'ralph')
    const landed = await ws.commitToBranch(BUILD, commit, harvest.tree, messageFor(markOf()), '{}')
    const mirrored = await ws.mirror(BUILD)
    expect(mirrored).toEqual({
      done: false,
      reason: expect.stringMatching(/^ralph\/b_1 is not in your repository: .*'git branch -m ralph NEW-NAME'/),
    })
    expect(await made.git('notes', '--ref', 'ralph', 'show', landed?.commit ?? '')).toBe('{}')
    await made.git('branch', '-m', 'ralph', 'mine')
    expect(await ws.mirror(BUILD)).toEqual({ done: true })
    expect(await made.git('rev-parse', 'ralph/b_1')).toBe(landed?.commit)
  })
})

describe('a conversion that raw bytes would not have', () => {
  it.each([
    ['*.txt text eol=crlf', {}, 'a.txt has eol=crlf, so'],
    ['*.txt eol=crlf', {}, 'a.txt has eol=crlf, so'],
    ['* text=auto eol=crlf\n.gitattributes -text', {}, 'a.txt has eol=crlf, so'],
    ['*.h working-tree-encoding=UTF-16LE', {}, 'wide.h has working-tree-encoding=UTF-16LE, so'],
    ['*.txt text', { 'core.autocrlf': 'true' }, 'a.txt has text, and your core.autocrlf is true, so'],
    ['*.c text=auto', { 'core.autocrlf': 'true' }, 'src/b.c has text=auto, and your core.autocrlf is true, so'],
    ['*.txt text', { 'core.eol': 'crlf' }, 'a.txt has text, and your core.eol is crlf, so'],
  ])('%s with %j is refused, with the file', async (attributes, settings, words) => {
    const made = await madeRepository({ ...TEXT, '.gitattributes': `${attributes}\n` })
    for (const [name, value] of Object.entries(settings)) await made.git('config', name, value)
    const said = await refusal(made)
    expect(said).toContain(`CONVERSION_UNSUPPORTED ${words}`)
    expect(said).toContain('does not support that yet: ')
  })

  it('counts where only this repository on this machine asks for it', async () => {
    const made = await madeRepository(TEXT)
    await writeFile(join(made.folder, '.git', 'info', 'attributes'), 'a.txt text eol=crlf\n')
    expect(await refusal(made)).toContain('a.txt has eol=crlf, so')
  })

  it.each([
    ['* text=auto', {}],
    ['* text=auto eol=lf', {}],
    ['*.txt text', {}],
    ['* text=auto\n*.txt text eol=lf', { 'core.autocrlf': 'input', 'core.eol': 'crlf' }],
    ['*.txt eol=lf\n* -text', { 'core.autocrlf': 'true' }],
    ['*.txt text eol=lf', { 'core.autocrlf': 'true' }],
    ['*.bat text eol=crlf', {}],
    ['*.png text=auto eol=crlf', {}],
    ['a.txt eol=crlf -text', {}],
    ['*.c working-tree-encoding=UTF-8', {}],
    ['*.png filter=lfs diff=lfs merge=lfs -text', {}],
    ['*.c diff=cpp ident', {}],
  ])('%s with %j is none', async (attributes, settings) => {
    const made = await madeRepository({ ...TEXT, '.gitattributes': `${attributes}\n` })
    for (const [name, value] of Object.entries(settings)) await made.git('config', name, value)
    expect(await refusal(made)).toBe('none')
  })

  it('is asked of what is committed, not of the checkout', async () => {
    const made = await madeRepository(TEXT)
    await fillFolder(made.folder, { '.gitattributes': '*.txt eol=crlf\n' })
    expect(await refusal(made)).toBe('none')
  })
})
