// The real agents that build whole projects in these tests, and what is particular to each.
import type { Scenario } from '../model-server/scenario.ts'
import type { ModelServer } from '../model-server/server.ts'
import { type Refusal, refuse } from '../model-server/turn.ts'
import { CODEX, NO_CODEX } from './codex-environment.ts'
import { codexProject } from './codex-project.ts'
import { CLAUDE, claudeProject, NO_CLAUDE } from './claude-project.ts'
import {
  CLAUDE_ACP,
  GEMINI,
  GEMINI_ACP,
  OPENCODE,
  OPENCODE_ACP,
  type RealAgent,
  reasonWithout,
} from './other-agents.ts'
import { otherProject } from './other-project.ts'
import type { Project } from '../rig/project.ts'

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
  /** A limit that is soon over: what the model says, to how many requests, and what Ralph tells of it (null: nothing). */
  readonly limit: { readonly turn: Refusal; readonly times: number; readonly words: string | null }
  /** Parts of a stream after which its tool call is not yet whole. */
  readonly tornAfter: number
  /** Tools for work, of those that are looked at; `ours`: what stands before the names of Ralph's. */
  readonly tools: { readonly works: readonly string[]; readonly reads: readonly string[]; readonly ours: string }
  /** Killed at one moment only: it is slow to start, or shares its adapter with others. */
  readonly isKilled?: 'once'
  /** For one build, where it takes longer than that of others. */
  readonly timeMs?: number
}

const LIMIT_SECONDS = 2

/** Each of the 11 sessions of a build computes for 5 to 9 s before anything is done. */
const OPENCODE_MS = 600_000

/** Known by its words: each says when it is over. */
const SOON_OVER = {
  turn: refuse('rateLimit', { resetsInSeconds: LIMIT_SECONDS }),
  times: 1,
  words: 'a limit of the account is reached',
}

type Tools = RealBuilder['tools']

const CLAUDE_TOOLS: Tools = { works: ['Bash', 'Edit', 'Write'], reads: [], ours: 'mcp__ralph__' }
const GEMINI_TOOLS: Tools = { works: ['replace', 'run_shell_command', 'write_file'], reads: [], ours: 'mcp_ralph_' }
const OPENCODE_TOOLS: Tools = { works: ['bash', 'edit', 'write'], reads: [], ours: 'ralph_' }

function forAll(tools: Tools): Tools {
  return { ...tools, reads: tools.works }
}

function other(
  agent: string,
  real: RealAgent,
  more: Pick<RealBuilder, 'tools' | 'tornAfter'> & Partial<RealBuilder>,
): RealBuilder {
  // The tests of `acp` are asked for by the agent that is theirs alone.
  const { command } = real.name === 'acp' ? CLAUDE_ACP : real
  const missing = command === null ? reasonWithout(real.name) : null
  return { agent, missing, open: (scenario) => otherProject(real, scenario), limit: SOON_OVER, ...more }
}

export const realBuilders: readonly RealBuilder[] = [
  {
    agent: 'claude',
    missing: CLAUDE === null ? NO_CLAUDE : null,
    open: async (scenario) => {
      const made = await claudeProject(scenario, { login: 'subscription' })
      return { ...made, agentEnv: made.claudeEnv }
    },
    limit: SOON_OVER,
    tornAfter: 4,
    tools: CLAUDE_TOOLS,
  },
  {
    agent: 'codex',
    missing: CODEX === null ? NO_CODEX : null,
    open: codexProject,
    // A limit it tells in whole minutes; an overload it asks about twice.
    limit: { turn: refuse('overload'), times: 2, words: 'the API is overloaded' },
    tornAfter: 2,
    // What reads has the same tool, in a sandbox where it writes nothing.
    tools: { works: ['exec_command'], reads: ['exec_command'], ours: 'mcp__ralph__' },
  },
  // A call of Gemini's is one part of a stream: it breaks off before.
  other('gemini', GEMINI, { tornAfter: 0, tools: GEMINI_TOOLS }),
  other('opencode', OPENCODE, { tornAfter: 2, tools: OPENCODE_TOOLS, isKilled: 'once', timeMs: OPENCODE_MS }),
  // The protocol gives all roles the same tools; a role that only reads is refused when it uses one.
  other('acp: gemini --acp', GEMINI_ACP, { tornAfter: 0, tools: forAll(GEMINI_TOOLS), isKilled: 'once' }),
  other('acp: opencode acp', OPENCODE_ACP, {
    // It waits a limit out itself, in silence; the first request of a session asks for a title.
    limit: { ...SOON_OVER, times: 2, words: null },
    tornAfter: 2,
    tools: forAll(OPENCODE_TOOLS),
    isKilled: 'once',
    timeMs: OPENCODE_MS,
  }),
  other('acp: claude-agent-acp', CLAUDE_ACP, {
    tornAfter: 4,
    tools: forAll(CLAUDE_TOOLS),
    isKilled: 'once',
  }),
]
