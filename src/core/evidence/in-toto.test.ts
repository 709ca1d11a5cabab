import { expect, it } from 'vitest'
import { signedText } from './in-toto.ts'

it('the signed bytes follow DSSE, with lengths in bytes', () => {
  const bytes = (text: string): number => new TextEncoder().encode(text).length
  expect(signedText('{"é":1}', bytes)).toBe('DSSEv1 28 application/vnd.in-toto+json 8 {"é":1}')
})
