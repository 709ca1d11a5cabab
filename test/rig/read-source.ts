// Source code read with its real grammar, for tests of the rules about code.
import type { Source } from '../../src/core/syntax/syntax-tree.ts'
import { openSyntax } from '../../src/syntax/open-syntax.ts'

const syntax = openSyntax()

export async function readSource(path: string, text: string): Promise<Source> {
  const source = await syntax.read(path, text)
  if (source === null) throw new Error(`the grammar cannot read this as ${path}:\n${text}`)
  return source
}

/** Null where the grammar finds an error. */
export function tryToRead(path: string, text: string): Promise<Source | null> {
  return syntax.read(path, text)
}
