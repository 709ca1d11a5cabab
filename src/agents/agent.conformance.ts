// What holds for every agent, whatever it is made of. An agent under test does what the steps of a scenario say; one that
// cannot do a thing says why, and that test is skipped under this reason.
import { describe } from 'vitest'
import { describeConversation } from './conversation.conformance.ts'
import { describeEnding } from './ending.conformance.ts'
import { describeFlood } from './flood.conformance.ts'
import { describeSessionEnvironment } from './session-environment.conformance.ts'
import { type AgentUnderTest, trialOf } from './trial.conformance.ts'

export function describeAgent(name: string, underTest: AgentUnderTest): void {
  const trial = trialOf(underTest)
  describe(`the agent ${name}`, () => {
    describeConversation(trial)
    describeSessionEnvironment(trial)
    describeEnding(trial)
    describeFlood(trial)
  })
}
