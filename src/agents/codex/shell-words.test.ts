import { expect, it } from 'vitest'
import { shellWords } from './shell-words.ts'

it.each([
  ["/bin/bash -c 'npm test'", 'npm test'],
  ["/bin/bash -lc 'npm test'", 'npm test'],
  ['/usr/bin/zsh -c "echo \\"a\\" \\$HOME"', 'echo "a" $HOME'],
  ["/bin/sh -c 'it'\\''s'", "it's"],
  ['/bin/bash -c ls', 'ls'],
  ["/bin/bash -c 'a\nb'", 'a\nb'],
  ["/bin/bash -c 'one' 'two'", "/bin/bash -c 'one' 'two'"],
  ['git status', 'git status'],
  ['', ''],
])('%s', (command, words) => {
  expect(shellWords(command)).toBe(words)
})
