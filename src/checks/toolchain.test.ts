import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { watchToolchain } from './toolchain.ts'

let root: string

async function yard(): Promise<{ early: string; late: string; look: () => readonly string[] }> {
  root = await mkdtemp(join(tmpdir(), 'ralph-tools-'))
  const [early, late] = [join(root, 'early'), join(root, 'late')]
  await mkdir(early)
  await mkdir(late)
  await writeFile(join(late, 'node'), 'one')
  return { early, late, look: watchToolchain(`${early}:${join(root, 'missing')}:${late}`) }
}

afterEach(() => rm(root, { recursive: true, force: true }))

describe('the programs that checks run', () => {
  it('are told by their files, and told the same while nothing changes', async () => {
    const { late, look } = await yard()
    const first = look()
    expect(first.slice(4)).toEqual([expect.stringContaining(`${join(late, 'node')} 3 `)])
    expect(look()).toBe(first)
  })

  it.each<[string, (folders: { early: string; late: string }) => Promise<unknown>]>([
    ['a program is written anew', ({ late }) => writeFile(join(late, 'node'), 'another')],
    ['a program is touched', ({ late }) => utimes(join(late, 'node'), 1, 1)],
    ['a program goes', ({ late }) => rm(join(late, 'node'))],
    ['one comes', ({ late }) => writeFile(join(late, 'go'), 'go')],
    ['one comes before the other', ({ early }) => writeFile(join(early, 'node'), 'one')],
    ['a folder of the path comes', ({ early }) => rename(early, join(early, '..', 'missing'))],
  ])('are looked for again when %s', async (_, change) => {
    const { early, late, look } = await yard()
    await writeFile(join(early, 'npm'), 'npm')
    const before = look()
    await change({ early, late })
    const after = look()
    expect(after).not.toEqual(before)
    expect(after).toEqual(watchToolchain(after[3] ?? '')())
  })

  it('are looked for again when a link that led nowhere leads somewhere', async () => {
    const { early, look } = await yard()
    await symlink(join(root, 'elsewhere'), join(early, 'node'))
    const before = look()
    await writeFile(join(root, 'elsewhere'), 'another')
    expect(look().slice(4)).toEqual([expect.stringContaining(`${join(root, 'elsewhere')} 7 `)])
    expect(look()).not.toEqual(before)
  })
})
