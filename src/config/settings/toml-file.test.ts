import { chmod, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { madeFolder } from '../../../test/rig/folder.ts'
import { readTomlFile } from './toml-file.ts'

async function messageFor(folder: string): Promise<string> {
  return readTomlFile(folder).then(
    () => 'no refusal',
    (error: Error) => error.message,
  )
}

describe('readTomlFile', () => {
  it('is null where there is no file', async () => {
    expect(await readTomlFile(await madeFolder())).toBeNull()
  })

  it('has the values and the lines', async () => {
    const file = await readTomlFile(await madeFolder({ 'ralph.toml': '# x\n[limits]\nattempts = 3\n' }))
    expect(JSON.parse(JSON.stringify(file?.table))).toEqual({ limits: { attempts: 3 } })
    expect([...(file?.lines ?? [])]).toEqual([
      ['limits', 2],
      ['limits.attempts', 3],
    ])
  })

  it('reads a file with a byte order mark, and an empty one', async () => {
    const marked = await readTomlFile(await madeFolder({ 'ralph.toml': '\uFEFFa = 1' }))
    expect([...(marked?.lines ?? [])]).toEqual([['a', 1]])
    const empty = await readTomlFile(await madeFolder({ 'ralph.toml': '' }))
    expect([...(empty?.lines ?? [])]).toEqual([])
  })

  it('follows a link', async () => {
    const folder = await madeFolder({ 'team.toml': 'a = 1' })
    await symlink('team.toml', join(folder, 'ralph.toml'))
    expect((await readTomlFile(folder))?.lines.get('a')).toBe(1)
  })

  const invalid = 'not valid TOML:'
  it.each([
    ['a = 1\na = 2', 2, 'this key or table is already there above, keep one of them'],
    ['[a]\nb = 1\n\n[a]\n', 4, 'this key or table is already there above, keep one of them'],
    ['a.b = 1\na = 2', 2, 'this key or table is already there above, keep one of them'],
    ['a = { b = 1, b = 2 }', 1, 'this key or table is already there above, keep one of them'],
    ['\n\na = ', 3, `${invalid} invalid value`],
    ['x = 1\na = tru', 2, `${invalid} invalid value`],
    ['a = "x\nb = 1', 1, `${invalid} control characters are not allowed in strings`],
    ['\na = """x\n\n', 2, `${invalid} unfinished string`],
    ['a = 1 b = 2', 1, `${invalid} each key-value declaration must be followed by an end-of-line`],
    ['[a', 1, `${invalid} incomplete key-value: cannot find end of key`],
    ['a = 99999999999999999999', 1, `${invalid} integer value cannot be represented losslessly`],
    ['a = "\\q"', 1, `${invalid} unrecognised escape sequence`],
  ])('refuses %j at line %d', async (toml, line, problem) => {
    expect(await messageFor(await madeFolder({ 'ralph.toml': toml }))).toBe(`ralph.toml line ${line}: ${problem}`)
  })

  it('refuses what is not UTF-8 and names the line', async () => {
    const latin = Buffer.from('# ok\n# caf\xE9\na = 1\n', 'latin1')
    expect(await messageFor(await madeFolder({ 'ralph.toml': latin }))).toBe(
      'ralph.toml line 2: not UTF-8 text, save the file as UTF-8',
    )
    const wide = Buffer.from('\uFEFFa = 1\n', 'utf16le')
    expect(await messageFor(await madeFolder({ 'ralph.toml': wide }))).toBe(
      'ralph.toml line 1: not UTF-8 text, save the file as UTF-8',
    )
  })

  it('refuses a file of more than 1 MiB, and takes one of exactly that', async () => {
    const comment = (bytes: number): string => `#${'x'.repeat(bytes - 1)}`
    expect(await messageFor(await madeFolder({ 'ralph.toml': comment(1_048_577) }))).toBe(
      'ralph.toml: it has 1048577 bytes, the most is 1048576',
    )
    expect(await messageFor(await madeFolder({ 'ralph.toml': comment(1_048_576) }))).toBe('no refusal')
  })

  it('refuses a folder, and a device without reading from it', async () => {
    const folder = await madeFolder()
    await mkdir(join(folder, 'ralph.toml'))
    const sentence = 'ralph.toml: it is not a regular file, move it away or make it one'
    expect(await messageFor(folder)).toBe(sentence)
    const other = await madeFolder()
    await symlink('/dev/zero', join(other, 'ralph.toml'))
    expect(await messageFor(other)).toBe(sentence)
  })

  it('refuses a link that leads nowhere or in a circle', async () => {
    const folder = await madeFolder()
    await symlink('gone.toml', join(folder, 'ralph.toml'))
    expect(await messageFor(folder)).toBe('ralph.toml: it is a link to a file that is not there, mend or delete it')
    const other = await madeFolder()
    await symlink('ralph.toml', join(other, 'ralph.toml'))
    expect(await messageFor(other)).toBe('ralph.toml: cannot be read: its links go in a circle')
  })

  it.skipIf(process.getuid?.() === 0)('refuses a file that it may not read (root may read all)', async () => {
    const folder = await madeFolder({ 'ralph.toml': 'a = 1' })
    await chmod(join(folder, 'ralph.toml'), 0)
    expect(await messageFor(folder)).toBe('ralph.toml: cannot be read: permission denied')
  })
})
