// One agent session, paid for and watched: what it does goes to the transcript and to whoever looks on.
import type { Role } from '../agents/agent.ts'
import { knownLimit } from './limited-agents.ts'
import { paidSession, type SessionOutcome, unbegun } from './purse.ts'
import type { Job } from './shop.ts'

export interface SessionEnd {
  readonly outcome: SessionOutcome
  readonly transcript: string
}

export async function runSession(job: Job, role: Role, prompt: string, folder: string): Promise<SessionEnd> {
  const { shop, task, attempt, build } = job
  const iteration = role === 'implementer' ? attempt.iteration + 1 : attempt.iteration
  const transcript = shop.transcripts.open(`${build}/${task.id}/${attempt.number}-${iteration}-${role}`)
  const agent = shop.agents[role]
  const about = { task: task.id, attempt: attempt.number, iteration, role }
  const mark = { ...about, build, agent: agent.name, loop: job.agentId }
  try {
    const limit = knownLimit(agent, shop.now())
    if (limit !== null) return { outcome: unbegun(limit), transcript: transcript.path }
    const outcome = await paidSession(shop, mark, job.signal, (signal, watch) =>
      agent.run({
        ...about,
        prompt,
        folder,
        env: {},
        signal,
        onEvent: (event) => {
          if (event.type === 'usage') watch(event.usage)
          transcript.write(event)
          shop.watcher.agent(role, event)
        },
      }),
    )
    job.meter?.add(outcome.usage)
    return { outcome, transcript: transcript.path }
  } finally {
    await transcript.close()
  }
}
