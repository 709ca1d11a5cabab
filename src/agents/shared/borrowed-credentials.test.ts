import { readFileSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../trial.conformance.ts'
import { fields, text } from './fields.ts'
import { borrowedFiles } from './borrowed-credentials.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'

interface Token {
  readonly token: string
  readonly age: number
}

const age = (value: unknown): number => Number(fields(value)['age'])

async function context(first: string | null): Promise<{
  own: string
  home: string
  copy: string
  login: ReturnType<typeof borrowedFiles>
}> {
  const root = await tempFolder()
  const [own, home] = [join(root, 'user/auth.json'), join(root, 'place/home')]
  await mkdir(dirname(own), { recursive: true })
  await mkdir(home, { recursive: true })
  if (first !== null) await writeFile(own, first, { mode: 0o640 })
  const secretsIn = (value: unknown): string[] => [text(fields(value)['token'])]
  const isRenewal = (before: unknown, after: unknown): boolean => age(after) > age(before)
  const login = borrowedFiles([{ own, inHome: 'deep/auth.json', secretsIn, isRenewal }])
  return { own, home, copy: join(home, 'deep/auth.json'), login }
}

const json = (token: string, years: number): string => JSON.stringify({ token, age: years } satisfies Token)

/** There is an event for it; on a busy machine it takes its time. */
async function becomes(path: string, content: string): Promise<void> {
  await expect.poll(() => readFileSync(path, 'utf8'), { timeout: HANG_MS }).toBe(content)
}

describe('a credential file', () => {
  it('is copied for the session, for its user only, and its secrets are known', async () => {
    const { copy, home, login } = await context(json('a', 1))
    const borrowed = await login.borrow(home)
    expect(await readFile(copy, 'utf8')).toBe(json('a', 1))
    expect((await stat(copy)).mode & 0o777).toBe(0o600)
    expect(borrowed.secrets()).toEqual(['a'])
    await borrowed.giveBack()
  })

  it.each([null, '', '{"torn', '"a"'])('that holds %j is not lent', async (content) => {
    const { copy, home, login } = await context(content)
    const borrowed = await login.borrow(home)
    await expect(stat(copy)).rejects.toThrow('ENOENT')
    expect(borrowed.secrets()).toEqual([])
    await borrowed.giveBack()
  })

  it('that the session renewed is the user’s at once, with the rights it had', async () => {
    const { own, copy, home, login } = await context(json('a', 1))
    const borrowed = await login.borrow(home)
    await writeFile(copy, json('b', 2))
    await becomes(own, json('b', 2))
    expect((await stat(own)).mode & 0o777).toBe(0o640)
    expect(borrowed.secrets().toSorted()).toEqual(['a', 'b'])
    await borrowed.giveBack()
  })

  it('that the user renewed is the session’s, too', async () => {
    const { own, copy, home, login } = await context(json('a', 1))
    const borrowed = await login.borrow(home)
    await writeFile(own, json('b', 2))
    await becomes(copy, json('b', 2))
    await borrowed.giveBack()
    expect(await readFile(own, 'utf8')).toBe(json('b', 2))
  })

  it.each([
    ['nonsense', '{}'],
    ['something older', json('b', 0)],
    ['what is no JSON', 'x'],
  ])('keeps %s that a session wrote from the user', async (_, content) => {
    const { own, copy, home, login } = await context(json('a', 1))
    const borrowed = await login.borrow(home)
    await writeFile(copy, content)
    await borrowed.giveBack()
    expect(await readFile(own, 'utf8')).toBe(json('a', 1))
  })

  it('that both renewed stays as each has it', async () => {
    const { own, copy, home, login } = await context(json('a', 1))
    const borrowed = await login.borrow(home)
    await writeFile(own, json('b', 5))
    await writeFile(copy, json('c', 4))
    await borrowed.giveBack()
    expect(await readFile(own, 'utf8')).toBe(json('b', 5))
  })

  it('is taken back from a session that nobody could end, if it still is what was lent', async () => {
    const { own, copy, home, login } = await context(json('a', 1))
    await (await login.borrow(home)).giveBack()
    await writeFile(copy, json('b', 2))
    await login.takeBackRenewed(home)
    expect(await readFile(own, 'utf8')).toBe(json('b', 2))
    await writeFile(own, json('c', 3))
    await writeFile(copy, json('d', 4))
    await login.takeBackRenewed(home)
    expect(await readFile(own, 'utf8')).toBe(json('c', 3))
  })
})
