// Streams that real versions of Claude Code printed against a scripted API, without the paths of the machine:
// `old-…` by 2.1.50, the others by 2.1.325.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../test/fixtures/streams/claude-versions')

export function recorded(name: string): readonly string[] {
  return readFileSync(join(folder, `${name}.jsonl`), 'utf8').split('\n')
}
