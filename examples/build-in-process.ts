// Takes a task from its title to the base branch, with the functions of the HTTP API but without a server.
//   node examples/build-in-process.ts      in a repository with a ralph.toml
import { openRalph } from 'ralph-runtime'

const ralph = await openRalph()
await ralph.addTask({ id: 'two', title: 'Add two' })
const { sessionId } = await ralph.start({ ideaId: 'numbers' })
for await (const fact of ralph.follow(sessionId)) {
  if (fact.type === 'taskComplete') console.log(`proved and merged: ${fact.taskName}`)
  if (fact.type === 'buildComplete' || fact.type === 'humanNeeded') break
}

const { status } = await ralph.task({ id: 'two' })
const { ok } = await ralph.verify({ id: sessionId })
console.log(`two is ${status}, and ${ok ? 'proved once more' : 'not proved'}`)

const { base, commit } = await ralph.publish({ project_id: 'numbers' })
console.log(`${base} is at ${commit.slice(0, 10)}`)
await ralph.close()
