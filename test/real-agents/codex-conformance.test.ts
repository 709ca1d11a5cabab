// The agent conformance suite with the real `codex`: a model plays the steps.
import { describe } from 'vitest'
import { describeAgent } from '../../src/agents/agent.conformance.ts'
import { codexAt, openCodex } from './codex-agent.ts'
import { CODEX, NO_CODEX } from './codex-environment.ts'
import { servedApart } from './served-apart.ts'
import { stepsAsTurns } from './steps-as-turns.ts'

describe.skipIf(CODEX === null)(`with a model behind it${CODEX === null ? ` (${NO_CODEX})` : ''}`, () => {
  describeAgent('codex', {
    lacks: {
      usage: 'it names no price; see codex-agent.test.ts',
      toolNames: 'its tools have names of their own; see codex-agent.test.ts',
      reportedFailures: 'how it fails it says in its own words; see codex-agent.test.ts',
      result: 'a model can neither take its result away nor make it stay after it',
      silence: 'each answer of its model has its price',
      rawOutput: 'it prints records only',
      plainHome: 'it keeps files of its own in its home',
      stubbornness: 'a model cannot make it ignore SIGTERM',
      crashes: 'a model cannot make it end with an exit code, and it has words for SIGSEGV',
    },
    ownVariables: /^(CODEX_|TMPDIR$|NO_COLOR$|COLORTERM$|(GH_|GIT_)?PAGER$|LC_|HTTPS_PROXY$|NO_PROXY$)/,
    startMs: 6000,
    open: async ({ steps, ...settings }, user) =>
      steps.some((step) => 'flood' in step)
        ? codexAt(await servedApart(steps, 'codex'), settings, user)
        : (await openCodex(stepsAsTurns(steps), settings, user)).agent,
  })
})
