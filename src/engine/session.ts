// One agent session, watched: what it does goes to the transcript and to whoever looks on.
import { NOTHING_USED, type Outcome, type Role } from '../agents/agent.ts'
import { knownLimit } from './limited-agents.ts'
import type { Job } from './shop.ts'

export interface SessionEnd {
  readonly outcome: Outcome
  readonly transcript: string
}

export async function runSession(job: Job, role: Role, prompt: string, folder: string): Promise<SessionEnd> {
  const { shop, task, attempt, build, signal } = job
  const iteration = role === 'implementer' ? attempt.iteration + 1 : attempt.iteration
  const transcript = shop.transcripts.open(`${build}/${task.id}/${attempt.number}-${iteration}-${role}`)
  const agent = shop.agents[role]
  try {
    const limit = knownLimit(agent, shop.now())
    if (limit !== null) return { outcome: unbegun(limit), transcript: transcript.path }
    const outcome = await agent.run({
      role,
      prompt,
      folder,
      task: task.id,
      attempt: attempt.number,
      iteration,
      env: {},
      signal,
      onEvent: (event) => {
        transcript.write(event)
        shop.watcher.agent(role, event)
      },
    })
    return { outcome, transcript: transcript.path }
  } finally {
    await transcript.close()
  }
}

function unbegun(failure: NonNullable<Outcome['failure']>): Outcome {
  return { failure, finalMessage: '', usage: NOTHING_USED, durationMs: 0, survivors: 0 }
}
