import { expect, it } from 'vitest'
import { languageOf } from './languages.ts'

it.each([
  ['src/a.js', 'javascript'],
  ['a.jsx', 'javascript'],
  ['a.test.mjs', 'javascript'],
  ['a.cts', 'typescript'],
  ['a.d.ts', 'typescript'],
  ['a/b.tsx', 'tsx'],
  ['a.py', 'python'],
  ['a_test.go', 'go'],
  ['src/lib.rs', 'rust'],
  ['A.java', 'java'],
  ['a.rb', 'ruby'],
  ['Rakefile', 'ruby'],
  ['a.h', 'c'],
  ['a.C', 'c'],
  ['a.cpp', null],
  ['a.md', null],
  ['js', null],
  ['.js', null],
  ['a.constructor', null],
])('%s', (path, language) => {
  expect(languageOf(path)).toBe(language)
})
