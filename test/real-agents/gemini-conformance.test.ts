// The agent conformance suite with the real `gemini`: a model plays the steps.
import { describe } from 'vitest'
import { describeAgent } from '../../src/agents/agent.conformance.ts'
import { GEMINI, openSteps, reasonWithout } from './other-agents.ts'

const missing = GEMINI.command === null ? reasonWithout('gemini') : null

describe.skipIf(missing !== null)(`with a model behind it${missing === null ? '' : ` (${missing})`}`, () => {
  describeAgent('gemini', {
    lacks: {
      usage: 'it tells no price, and tokens at its end; see other-agents.test.ts',
      toolNames: 'its tools have names of their own; see other-agents.test.ts',
      reportedFailures: 'how it fails it says in its own words; see other-agents.test.ts',
      result: 'a model can neither take its result away nor make it stay after it',
      silence: 'an answer without a word is an error to it',
      rawOutput: 'it prints records only',
      plainHome: 'it keeps files of its own in its home',
      stubbornness: 'a model cannot make it ignore SIGTERM',
      crashes: 'a model cannot make it end with an exit code, and it has words for SIGSEGV',
      stamina: 'of 50 MB it forgets the end, and its result with it, which is a failed session',
    },
    ownVariables:
      /^(GEMINI_|GOOGLE_|GIT_|GH_|GCM_|TMPDIR$|TERM$|PAGER$|DISPLAY$|DBUS_|SSH_ASKPASS$|NO_PROXY$|HTTPS_PROXY$|NODE_)/,
    startMs: 20_000,
    open: (played, user) => openSteps(GEMINI, played, user),
  })
})
