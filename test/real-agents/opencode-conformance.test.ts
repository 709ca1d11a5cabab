// The agent conformance suite with the real `opencode`: a model plays the steps.
import { describe } from 'vitest'
import { describeAgent } from '../../src/agents/agent.conformance.ts'
import { OPENCODE, openSteps, reasonWithout } from './other-agents.ts'

const missing = OPENCODE.command === null ? reasonWithout('opencode') : null

describe.skipIf(missing !== null)(`with a model behind it${missing === null ? '' : ` (${missing})`}`, () => {
  describeAgent('opencode', {
    lacks: {
      usage: 'its prices are those of its configuration; see other-agents.test.ts',
      toolEvents: 'it tells of a tool when it is over',
      reportedFailures: 'how it fails it says in its own words; see other-agents.test.ts',
      result: 'a model can neither take its result away nor make it stay after it',
      silence: 'each answer of its model has its price',
      rawOutput: 'it prints records only',
      plainHome: 'it keeps files of its own in its home',
      stubbornness: 'a model cannot make it ignore SIGTERM',
      crashes: 'a model cannot make it end with an exit code, and it has words for SIGSEGV',
      stamina: 'an answer of 50 MB it does not print to the end, which is a failed session',
    },
    ownVariables: /^(OPENCODE|AGENT$|npm_config_user_agent$|NO_PROXY$|HTTPS_PROXY$)/,
    startMs: 40_000,
    open: (played, user) => openSteps(OPENCODE, played, user),
  })
})
