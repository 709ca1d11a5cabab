// One agent session, watched: what it does goes to the transcript and to whoever looks on.
import type { Outcome, Role } from '../agents/agent.ts'
import type { Job } from './shop.ts'

export interface SessionEnd {
  readonly outcome: Outcome
  readonly transcript: string
}

export async function runSession(job: Job, role: Role, prompt: string, folder: string): Promise<SessionEnd> {
  const { shop, task, attempt, build, signal } = job
  const iteration = role === 'implementer' ? attempt.iteration + 1 : attempt.iteration
  const transcript = shop.transcripts.open(`${build}/${task.id}/${attempt.number}-${iteration}-${role}`)
  try {
    const outcome = await shop.agents[role].run({
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
