import { describe, expect, it } from 'vitest'
import { filled, namesPrompt } from './template.ts'

const values = { prompt_file: '/p/{prompt}.md', prompt: 'say $& {workspace} $1', workspace: '/w' }

describe('the template of a command', () => {
  it.each<[string[], string[]]>([
    [
      ['a', '--file', '{prompt_file}'],
      ['a', '--file', '/p/{prompt}.md'],
    ],
    [
      ['a', '{prompt}'],
      ['a', 'say $& {workspace} $1'],
    ],
    [
      ['a', '--in={workspace}/x:{workspace}'],
      ['a', '--in=/w/x:/w'],
    ],
    [
      ['a', '{model}', '{}', '{ prompt }', '{{prompt}}'],
      ['a', '{model}', '{}', '{ prompt }', '{say $& {workspace} $1}'],
    ],
  ])('%j is filled once', (words, expected) => {
    expect(filled(words, values)).toEqual(expected)
  })

  it.each<[string[], boolean]>([
    [['a', '-p', '{prompt}'], true],
    [['a', '--file={prompt_file}'], true],
    [['a', '{workspace}', 'prompt'], false],
  ])('%j has a place for the prompt: %s', (words, expected) => {
    expect(namesPrompt(words)).toBe(expected)
  })
})
