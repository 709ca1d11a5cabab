import { describe, expect, it } from 'vitest'
import { splitWords } from './command-words.ts'

describe('splitWords', () => {
  it.each([
    ['claude', ['claude']],
    ['npx claude  --debug', ['npx', 'claude', '--debug']],
    [' \t claude\n', ['claude']],
    ['"/opt/my agent/run" --x', ['/opt/my agent/run', '--x']],
    ['\'a b\'c"d e"', ['a bcd e']],
    ["''", ['']],
    ['"say \\"hi\\" \\n"', ['say "hi" \\n']],
    ["'a\\'", ['a\\']],
    ['a\\ b', ['a b']],
    ['$HOME/x *.js; rm', ['$HOME/x', '*.js;', 'rm']],
    ['', []],
    ['  ', []],
  ])('%j → %j', (line, words) => {
    expect(splitWords(line)).toEqual(words)
  })

  it.each(['"open', "it's", 'end\\', '"end\\"'])('%j has no end', (line) => {
    expect(splitWords(line)).toBeNull()
  })
})
