// The real agents that build whole projects in these tests, and what is particular to each.
import type { Project } from '../cli/build-project.ts'
import type { Scenario } from '../model-server/scenario.ts'
import type { ModelServer } from '../model-server/server.ts'
import { type Refusal, refuse } from '../model-server/turn.ts'
import { CODEX, NO_CODEX } from './codex-environment.ts'
import { codexProject } from './codex-project.ts'
import { CLAUDE, claudeProject, NO_CLAUDE } from './claude-project.ts'

export interface RealProject extends Project {
  readonly server: ModelServer
  /** What the user of `ralph` has in the environment for the agent. */
  readonly agentEnv: Readonly<Record<string, string>>
}

export interface RealBuilder {
  readonly agent: string
  /** Why it is not there; null: it is. */
  readonly missing: string | null
  readonly open: (scenario: Scenario) => Promise<RealProject>
  /** A limit that is soon over: what the model says, to how many requests, and what Ralph tells of it. */
  readonly limit: { readonly turn: Refusal; readonly times: number; readonly words: string }
  /** Parts of a stream after which its tool call is not yet whole. */
  readonly tornAfter: number
  /** Tools for work, of those that are looked at. */
  readonly tools: { readonly works: readonly string[]; readonly reads: readonly string[] }
}

const LIMIT_SECONDS = 2

export const realBuilders: readonly RealBuilder[] = [
  {
    agent: 'claude',
    missing: CLAUDE === null ? NO_CLAUDE : null,
    open: async (scenario) => {
      const made = await claudeProject(scenario, { login: 'subscription' })
      return { ...made, agentEnv: made.claudeEnv }
    },
    limit: {
      turn: refuse('rateLimit', { resetsInSeconds: LIMIT_SECONDS }),
      times: 1,
      words: 'a limit of the account is reached',
    },
    tornAfter: 4,
    tools: { works: ['Bash', 'Edit', 'Write'], reads: [] },
  },
  {
    agent: 'codex',
    missing: CODEX === null ? NO_CODEX : null,
    open: codexProject,
    // A limit it tells in whole minutes; an overload it asks about twice.
    limit: { turn: refuse('overload'), times: 2, words: 'the API is overloaded' },
    tornAfter: 2,
    // What reads has the same tool, in a sandbox where it writes nothing.
    tools: { works: ['exec_command'], reads: ['exec_command'] },
  },
]
