// Finds the player. From the source, Node strips the types; in the bundle it is dist/scripted-agent.js, beside
// cli.js or above the chunks.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'

/** Taking the types away costs 200 ms of computing at each start; kept by Node for the next, 20. */
export const FROM_SOURCE = [
  '--import',
  'data:text/javascript,import{enableCompileCache}from"node:module";enableCompileCache()',
]

export function playerCommand(): readonly string[] {
  const here = import.meta.dirname
  const source = join(here, 'player.ts')
  if (existsSync(source)) return [execPath, ...FROM_SOURCE, source]
  const [beside, above] = [join(here, 'scripted-agent.js'), join(here, '../scripted-agent.js')]
  return [execPath, existsSync(beside) ? beside : above]
}
