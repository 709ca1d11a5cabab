// `replay-program.ts AGENT CASE …`: in place of the agent, prints the recorded stream of the case and ends as it ended.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [, , agent = '', name = ''] = process.argv
const FOLDER = join(import.meta.dirname, '../fixtures/streams', agent)

const index = JSON.parse(readFileSync(join(FOLDER, 'index.json'), 'utf8')) as Record<
  string,
  { code: number | null; signal: NodeJS.Signals | null; stderr: string }
>
const ended = index[name]
if (ended === undefined) throw new Error(`nothing is recorded of '${name}'`)
process.stderr.write(ended.stderr)
process.stdout.write(readFileSync(join(FOLDER, `${name}.jsonl`)), () => {
  if (ended.signal === null) process.exit(ended.code ?? 1)
  process.kill(process.pid, ended.signal)
})
