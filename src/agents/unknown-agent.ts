// An agent whose name this version does not know, for example of a build that a newer version started.
import type { Agent } from './agent.ts'
import { NOTHING_USED } from './agent.ts'

export function unknownAgent(name: string): Agent {
  const mend = 'use the agent "command" with any CLI, or "scripted"'
  const reason = `this version cannot drive the agent ${JSON.stringify(name)} by itself yet; ${mend}`
  return {
    name,
    describe: () => `(${reason})`,
    ready: async () => ({ ready: false, reason }),
    run: async () => ({
      failure: { kind: 'notFound', sentence: reason, until: null },
      finalMessage: '',
      usage: NOTHING_USED,
      durationMs: 0,
      survivors: 0,
    }),
  }
}
