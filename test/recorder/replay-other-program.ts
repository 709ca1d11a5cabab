// `replay-other-program.ts AGENT CASE …`: in place of the agent, prints the recorded stream and ends as it ended.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [, , agent = '', name = ''] = process.argv
const folder = join(import.meta.dirname, '../fixtures/streams', agent)
const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Record<
  string,
  { code: number | null; stderr: string }
>
const ended = index[name]
if (ended === undefined) throw new Error(`nothing is recorded of '${name}'`)
process.stderr.write(ended.stderr)
process.stdout.write(readFileSync(join(folder, `${name}.jsonl`)), () => process.exit(ended.code ?? 1))
