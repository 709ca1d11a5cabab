// The agent conformance suite with real agents of the Agent Client Protocol: a model plays the steps.
import { describe } from 'vitest'
import { describeAgent } from '../../src/agents/agent.conformance.ts'
import { CLAUDE_ACP, GEMINI_ACP, OPENCODE_ACP, openSteps, type RealAgent, reasonWithout } from './other-agents.ts'

/** The tests of `acp` are asked for by the agent that is theirs alone. */
const missing = CLAUDE_ACP.command === null ? reasonWithout('acp') : null

interface Known {
  readonly real: RealAgent
  readonly ownVariables: RegExp
  readonly impatience?: string
}

const agents: readonly (readonly [name: string, known: Known])[] = [
  [
    'claude-agent-acp',
    {
      real: CLAUDE_ACP,
      ownVariables:
        /^(ANTHROPIC_|CLAUDE|DISABLE_|ENABLE_|AI_AGENT$|COREPACK_|GIT_EDITOR$|NoDefault|SHELL$|TMPDIR$|HTTPS_PROXY$|NO_PROXY$|NODE_|MCP_|OTEL_)/,
    },
  ],
  [
    'gemini --acp',
    {
      real: GEMINI_ACP,
      ownVariables:
        /^(GEMINI_|GOOGLE_|GIT_|GH_|GCM_|TMPDIR$|TERM$|PAGER$|DISPLAY$|DBUS_|SSH_ASKPASS$|NO_PROXY$|HTTPS_PROXY$|NODE_)/,
      impatience: 'it takes a model that repeats itself for one that is lost, and ends its turn',
    },
  ],
  [
    'opencode acp',
    {
      real: OPENCODE_ACP,
      ownVariables: /^(OPENCODE|AGENT$|npm_config_user_agent$|NO_PROXY$|HTTPS_PROXY$)/,
    },
  ],
]

describe.skipIf(missing !== null)(`with a model behind it${missing === null ? '' : ` (${missing})`}`, () => {
  describe.each(agents)('%s', (name, { real, ownVariables, impatience }) => {
    describeAgent(`acp: ${name}`, {
      lacks: {
        usage: 'the protocol tells tokens at the end of a turn, and seldom a price; see other-agents.test.ts',
        toolNames: 'its tools have names of their own; see other-agents.test.ts',
        reportedFailures: 'how it fails it says in its own words; see other-agents.test.ts',
        result: 'a model can neither take its result away nor make it stay after it',
        silence: 'each answer of its model has its price',
        rawOutput: 'it prints messages only',
        plainHome: 'it keeps files of its own in its home',
        stubbornness: 'a model cannot make it ignore SIGTERM',
        crashes: 'a model cannot make it end with an exit code, and it has words for SIGSEGV',
        ...(impatience === undefined ? {} : { patience: impatience, stamina: impatience }),
      },
      ownVariables,
      startMs: 30_000,
      open: (played, user) => openSteps(real, played, user),
    })
  })
})
