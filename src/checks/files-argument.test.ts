import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outputText } from '../system/process/head-tail-buffer.ts'
import { run } from '../system/process/spawn.ts'
import { filesToValidate, withFiles } from './files-argument.ts'
import { madeFolder } from '../../test/rig/folder.ts'

/** What a program gets as its arguments. */
async function argumentsOf(command: string, files: readonly string[]): Promise<string[]> {
  const line = withFiles(command, files)
  if ('problem' in line) throw new Error(line.problem)
  const ended = await run({ argv: line.argv, cwd: '/', env: { PATH: '/usr/bin:/bin' } })
  return outputText(ended.stdout).split('\0').slice(0, -1)
}

const SHOW = String.raw`printf '%s\0'`

describe('{files}', () => {
  const hostile = [
    './a b.html',
    "./it's.html",
    './"x".html',
    './$(touch pwned)',
    './`id`',
    './;id',
    './-rf',
    './a\nb',
    './*',
    './é',
  ]

  it.each([`${SHOW} {files}`, `${SHOW} "{files}"`, `${SHOW} '{files}'`, `true && ${SHOW} {files} || false`])(
    'is every name as an argument of its own: %s',
    async (command) => {
      expect(await argumentsOf(command, hostile)).toEqual(hostile)
    },
  )

  it('may stand twice, and inside of $( )', async () => {
    expect(await argumentsOf(`${SHOW} {files} {files}`, ['./a b'])).toEqual(['./a b', './a b'])
    expect(
      await argumentsOf(`${SHOW} $(${SHOW.replace(String.raw`\0`, String.raw`\n`)} {files})`, ['./a', './b']),
    ).toEqual(['./a', './b'])
  })

  it('takes any name whatever', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map((text) => `./${text.replaceAll('\0', '')}`)
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 5 }), async (names) => {
        expect(await argumentsOf(`${SHOW} {files}`, names)).toEqual(names)
      }),
      { numRuns: 20 },
    )
  })

  it.each(['sh -c "lint {files}"', "sh -c 'lint {files}'", '`lint {files}`', `"a" 'b {files}'`])(
    'is refused inside of quotes: %s',
    (command) => {
      expect(withFiles(command, ['./a'])).toEqual({
        problem: 'write {files} outside of quotes, as a word of its own: the names are quoted already',
      })
    },
  )

  it('is not taken for quoted between two quoted words', () => {
    expect(withFiles(`x "a"{files}"b" \\"{files}`, ['./f'])).toEqual({
      argv: ['/bin/sh', '-c', `x "a""$@""b" \\""$@"`, 'sh', './f'],
    })
  })
})

describe('the files', () => {
  it('are those that are there, once, sorted, as seen from the folder of the check', async () => {
    const folder = await madeFolder({ 'web/b.html': '', 'web/a.html': '', '-x.html': '', 'docs/c.html': '' })
    await mkdir(join(folder, 'sub'))
    await symlink('/etc/passwd', join(folder, 'link.html'))
    const changed = [
      'web/b.html',
      'web/a.html',
      'web/a.html',
      '-x.html',
      'docs/c.html',
      'gone.html',
      'sub',
      'link.html',
    ]
    expect(filesToValidate(folder, '.', changed)).toEqual([
      './-x.html',
      './docs/c.html',
      './web/a.html',
      './web/b.html',
    ])
    expect(filesToValidate(folder, 'web', changed)).toEqual(['../-x.html', '../docs/c.html', './a.html', './b.html'])
  })
})
