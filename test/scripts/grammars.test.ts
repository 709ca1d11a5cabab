// The packed program has no node_modules: it must find the grammars beside itself.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { GRAMMAR_FILES } from '../../src/syntax/grammar-files.ts'
import type { Syntax } from '../../src/syntax/syntax.ts'
import { madeFolder } from '../rig/folder.ts'

it('the built program reads every language without the packages of the grammars', async () => {
  const folder = await madeFolder({ 'package.json': '{"type":"module"}' })
  for (const part of ['grammars', 'chunks', 'later/syntax-open-syntax.js'])
    cpSync(join('dist', part), join(folder, part), { recursive: true })
  const { openSyntax } = (await import(join(folder, 'later/syntax-open-syntax.js'))) as { openSyntax: () => Syntax }
  const { read } = openSyntax()
  const files = ['a.js', 'a.ts', 'a.tsx', 'a.py', 'a.go', 'a.rs', 'A.java', 'a.rb', 'a.c']
  const sources = await Promise.all(files.map((path) => read(path, '')))
  expect(sources.map((source) => source?.language).toSorted()).toEqual(Object.keys(GRAMMAR_FILES).toSorted())
})
