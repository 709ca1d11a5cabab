// The agent conformance suite with the real `claude`: a model plays the steps.
import { describe } from 'vitest'
import { describeAgent } from '../../src/agents/agent.conformance.ts'
import { claudeAt, openClaude } from './claude-agent.ts'
import { CLAUDE, NO_CLAUDE } from './claude-project.ts'
import { servedApart } from './served-apart.ts'
import { stepsAsTurns } from './steps-as-turns.ts'

describe.skipIf(CLAUDE === null)(`with a model behind it${CLAUDE === null ? ` (${NO_CLAUDE})` : ''}`, () => {
  describeAgent('claude', {
    lacks: {
      usage: 'its price list is its own; see claude-agent.test.ts',
      toolNames: 'its tools have names of their own; see claude-agent.test.ts',
      reportedFailures: 'how it fails it says in its own words; see claude-agent.test.ts',
      result: 'a model can neither take its result away nor make it stay after it',
      silence: 'where its model says nothing it asks again, and each answer has its price',
      rawOutput: 'it prints records only',
      plainHome: 'it keeps files of its own in its home',
      stubbornness: 'a model cannot make it ignore SIGTERM',
      crashes: 'a model cannot make it end with an exit code, and it has words for SIGSEGV',
    },
    ownVariables:
      /^(ANTHROPIC_|CLAUDE|DISABLE_|ENABLE_|AI_AGENT$|COREPACK_|GIT_EDITOR$|NoDefault|SHELL$|TMPDIR$|HTTPS_PROXY$|NO_PROXY$)/,
    startMs: 12_000,
    open: async ({ steps, ...settings }, user) =>
      steps.some((step) => 'flood' in step)
        ? claudeAt(await servedApart(steps), settings, user)
        : (await openClaude(stepsAsTurns(steps), settings, user)).agent,
  })
})
