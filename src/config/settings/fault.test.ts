import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { faultCode, faultWords } from './fault.ts'

async function faultOf(path: string): Promise<unknown> {
  return readFile(path).catch((error: unknown) => error)
}

describe('faultWords', () => {
  it.each([
    ['/nowhere/at/all', 'ENOENT', 'no such file or folder'],
    ['/', 'EISDIR', 'it is a folder'],
    ['/dev/null/x', 'ENOTDIR', 'a part of the path is not a folder'],
  ])('%s: %s, %s', async (path, code, words) => {
    const fault = await faultOf(path)
    expect([faultCode(fault), faultWords(fault)]).toEqual([code, words])
  })

  it('has the bare code or text for what it does not know', () => {
    expect(faultWords(Object.assign(new Error('x'), { code: 'EODD' }))).toBe('EODD')
    expect(faultWords('odd')).toBe('odd')
    expect(faultCode(new Error('x'))).toBeNull()
  })
})
