import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refused } from '../../../test/arbitraries/refusal.ts'
import { agentId, taskId } from './id.ts'

const taskIdBad = ['TASK_ID_BAD', 'a task ID is 1 to 128 characters without white space or control characters']
const agentIdBad = ['AGENT_ID_BAD', 'an agent ID is 1 to 128 characters without white space or control characters']

describe('an id', () => {
  it.each<[name: string, text: string]>([
    ['one character', 'a'],
    ['128 characters', 'x'.repeat(128)],
    ['punctuation', 'feat/login-2.1_b:c#4'],
    ['another script', '登录-ログイン'],
    ['an accent of its own', 'cafe\u0301'],
    ['an emoji of two units', '🚀'],
    ['64 emoji, which are 128 units', '🚀'.repeat(64)],
    ['what looks like a flag', '--all'],
    ['what looks like a path', '../../etc/passwd'],
  ])('may be %s', (_, text) => {
    expect([taskId(text), agentId(text)]).toEqual([text, text])
  })

  it.each<[name: string, text: string]>([
    ['129 characters', 'x'.repeat(129)],
    ['1 MB', 'x'.repeat(1_048_576)],
    ['65 emoji, which are 130 units', '🚀'.repeat(65)],
    ['a NUL', 'a\0b'],
    ['a newline', 'a\nb'],
    ['a newline at the end', 'a\n'],
    ['a carriage return', 'a\r'],
    ['a tab', 'a\tb'],
    ['a space', 'a b'],
    ['nothing but a space', ' '],
    ['a no-break space', 'a\u00a0b'],
    ['an ideographic space', 'a\u3000b'],
    ['a line separator', 'a\u2028b'],
    ['an escape', '\u001b[31m'],
    ['a delete', 'a\u007f'],
    ['a C1 control', 'a\u0085'],
    ['a zero-width space', 'a\u200bb'],
    ['a zero-width joiner', '👩\u200d💻'],
    ['a word joiner', 'a\u2060b'],
    ['a byte order mark', '\ufeffa'],
    ['a soft hyphen', 'a\u00adb'],
    ['a right-to-left override', 'a\u202eb'],
    ['a tag character', 'a\u{e0041}'],
    ['half a surrogate pair', 'a\ud800'],
    ['a character for private use', '\ue000'],
  ])('may not be or hold %s', (_, text) => {
    expect([refused(() => taskId(text)), refused(() => agentId(text))]).toEqual([taskIdBad, agentIdBad])
  })

  it('may not be missing', () => {
    expect([refused(() => taskId('')), refused(() => agentId(''))]).toEqual([
      ['TASK_ID_MISSING', 'missing task ID'],
      agentIdBad,
    ])
  })

  it('is taken exactly where each of its characters is, and there are 1 to 128', () => {
    const unit = fc.constantFrom('a', 'é', '🚀', 'a', 'é', '🚀', 'a', 'é', '🚀', '\n', '\0', '\u200b', '\u2028')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 140, size: 'max' }), (text) => {
        const isTaken = refused(() => taskId(text)) === null
        expect(isTaken).toBe(/^(?:a|é|🚀)+$/u.test(text) && text.length <= 128)
      }),
    )
  })
})
