import { describe, expect, it } from 'vitest'
import { firstLine, shownText } from './shown-text.ts'

describe('shownText', () => {
  it.for<[string, string, string]>([
    ['plain words', 'a < b\n\tc', 'a < b\n\tc'],
    ['colours', '\u001B[31mred\u001B[0m', 'red'],
    ['a title of the terminal', '\u001B]0;owned\u0007x', 'x'],
    ['a turned direction', 'a\u202Ecod.exe', 'a⟨U+202E⟩cod.exe'],
    ['an isolate', '\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
    ['a NUL and a bell', 'a\u0000b\u0007', 'a⟨U+0000⟩b⟨U+0007⟩'],
    ['ends of lines of another system', 'a\r\nb', 'a\nb'],
    ['something invisible', 'pass\u200Bword', 'pass⟨U+200B⟩word'],
    ['hidden letters', 'a\u{E0041}', 'a⟨U+E0041⟩'],
    ['a family', '👩‍👧', '👩‍👧'],
  ])('%s', ([, text, shown]) => expect(shownText(text)).toBe(shown))
})

describe('firstLine', () => {
  it.for<[string, string, string]>([
    ['nothing', ' \n ', ''],
    ['the first that says something', '\n\n  one\ntwo', 'one'],
    ['a long one', `${'x'.repeat(300)}\ny`, `${'x'.repeat(240)}…`],
  ])('%s', ([, text, line]) => expect(firstLine(text)).toBe(line))
})
