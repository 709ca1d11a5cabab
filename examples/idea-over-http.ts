// The same against a running `ralph serve`, from another process or another machine:
//   RALPH_URL=http://127.0.0.1:7257 RALPH_TOKEN=… node examples/idea-over-http.ts "Add the numbers two and three"
// The program sends requests; the server plans, builds, verifies and ships.
import { createClient } from 'ralph-runtime'

const { RALPH_URL, RALPH_TOKEN } = process.env
const wanted = process.argv[2] ?? 'Add the numbers two and three'
const client = createClient({ url: RALPH_URL, token: RALPH_TOKEN })

const { id } = await client.addIdea({ text: wanted, auto_advance: true })
await client.transition({ id, to: 'ideation_ready', reason: 'the words are clear' })
await client.transition({ id, to: 'specification', reason: 'the planner writes the spec' })

let told = ''
for await (const { idea } of client.followIdeas()) {
  if (idea.id !== id || idea.phase === told) continue
  told = idea.phase
  console.log(told)
  if (told === 'spec_ready') await client.transition({ id, to: 'building', reason: 'good enough' })
  if (told === 'paused' || told === 'failed') console.log((await client.idea({ id })).moves.at(-1)?.reason)
  if (told === 'failed' || told === 'deployed') break
}
