// Takes an idea from text to the base branch: the pipeline and its builds run inside your program.
//   node examples/idea-in-process.ts "Add the numbers two and three"      in a repository with a ralph.toml
import { BuildAgent, PipelineOrchestrator } from 'ralph-runtime'

const wanted = process.argv[2] ?? 'Add the numbers two and three'
const buildAgent = new BuildAgent()
const orchestrator = new PipelineOrchestrator({ buildAgent })
const id = `idea-${Date.now()}`

buildAgent.on('buildStarted', ({ taskCount }) => console.log(`${taskCount} tasks`))
buildAgent.on('taskComplete', ({ taskName }) => console.log(`proved and merged: ${taskName}`))
buildAgent.on('humanNeeded', ({ taskName, reason }) => console.log(`${taskName} waits for you: ${reason}`))

await orchestrator.addIdea({ id, text: wanted, advance: 'auto' })
await orchestrator.requestTransition(id, 'ideation_ready', 'the words are clear')
await orchestrator.requestTransition(id, 'specification', 'the planner writes the spec')
await orchestrator.requestTransition(id, 'building', 'good enough')

const session = await buildAgent.getSessionByIdeaId(id)
if (session !== null) await buildAgent.atRest(session.id)
await buildAgent.advance(id)
console.log(`the idea is in ${(await orchestrator.readState(id)).currentPhase}`)

await orchestrator.close()
await buildAgent.close()
