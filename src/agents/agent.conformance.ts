// The tests for every agent. An agent under test follows the steps of a scenario. If it cannot do something, it
// gives a reason, and the test is skipped with it.
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
