// Finds the program of a model session. In the bundle it is dist/model-agent.js, beside cli.js or above the chunks;
// from the source, Node strips the types.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'

/** Of its heap. A conversation of a million tokens is some 4 MB of text. */
const MEMORY = '--max-old-space-size=512'

/** Taking the types away costs 200 ms of computing at each start; kept by Node for the next, 20. */
const FROM_SOURCE = [
  '--import',
  'data:text/javascript,import{enableCompileCache}from"node:module";enableCompileCache()',
]

export function modelCommand(): readonly string[] {
  const here = import.meta.dirname
  const source = join(here, 'converse.ts')
  if (existsSync(source)) return [execPath, MEMORY, ...FROM_SOURCE, source]
  const [beside, above] = [join(here, 'model-agent.js'), join(here, '../model-agent.js')]
  return [execPath, MEMORY, existsSync(beside) ? beside : above]
}
