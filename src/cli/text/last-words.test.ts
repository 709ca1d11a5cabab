import { describe, expect, it } from 'vitest'
import { linesOf } from '../show/transcript.ts'
import { type AgentEvent, withWords } from './last-words.ts'

describe("the agent's last words", () => {
  it.each<[AgentEvent, string[]]>([
    [{ type: 'text', text: 'one\n\n  two  \n' }, ['one', '  two']],
    [{ type: 'thinking', text: '\u001B[2Jhm' }, ['hm']],
    [{ type: 'toolUse', tool: 'Bash', input: 'npm test\nmore' }, ['→ Bash npm test']],
    [{ type: 'toolResult', tool: 'Bash', output: 'fine', isError: false }, []],
    [{ type: 'toolResult', tool: 'Bash', output: 'exit 1', isError: true }, ['✗ Bash exit 1']],
    [{ type: 'usage' }, []],
  ])('of %j are %j', (event, lines) => {
    expect(withWords([], event)).toEqual(lines)
  })

  it('are few, however much it talks', () => {
    const text = Array.from({ length: 100_000 }, (_, at) => `line ${at}`).join('\n')
    const words = withWords(withWords(['old'], { type: 'text', text: 'older' }), { type: 'text', text })
    expect([words.length, words.at(-1)]).toEqual([8, 'line 99999'])
    expect(withWords(['old'], { type: 'text', text: 'new' })).toEqual(['old', 'new'])
  })
})

it.each([
  [{ type: 'text', text: 'a\nb\u0007' }, ['a', 'b ']],
  [{ type: 'toolUse', tool: 'Bash', input: 'ls\nwc' }, ['→ Bash', '  ls', '  wc']],
  [{ type: 'toolResult', tool: 'Bash', output: 'x', isError: true }, ['✗', '  x']],
  [{ type: 'toolResult', tool: 'Bash', output: 'x', isError: false }, ['←', '  x']],
  [{ type: 'usage' }, []],
  [{ text: 7 }, []],
])('a transcript shows %j as %j', (event, lines) => {
  expect(linesOf(event)).toEqual(lines)
})
