// The agent conformance suite with `model`: a scripted model plays the steps, through our own tools.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { onTestFinished } from 'vitest'
import { describeAgent } from '../../src/agents/agent.conformance.ts'
import type { Step } from '../../src/agents/scripted/scenario.ts'
import { startModelServer } from '../model-server/server.ts'
import { modelAt, withAnswers } from './model-agent.ts'
import { stepsByTools } from './steps-by-tools.ts'

/** The test measures the memory of the agent, not of the model. */
async function servedApart(steps: readonly Step[]): Promise<string> {
  const child = spawn(execPath, [join(import.meta.dirname, 'steps-server-child.ts'), JSON.stringify(steps)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  const [address] = (await once(child.stdout, 'data')) as [Buffer]
  return address.toString('utf8').trim()
}

async function served(steps: readonly Step[]): Promise<string> {
  if (steps.some((step) => 'flood' in step)) return servedApart(steps)
  const server = await startModelServer(stepsByTools(steps))
  onTestFinished(server.close)
  return server.address
}

const SHELL = 'a model has no shell: it reads by tools, and the engine changes its folder and runs the checks'

describeAgent('model', {
  lacks: {
    commands: SHELL,
    usage: 'what it used is counted by its provider; see model.test.ts',
    toolNames: 'its tools have names of their own; see model.test.ts',
    reportedFailures: 'how it fails its provider says; see model.test.ts',
    result: 'a model can neither take its result away nor make it stay after it',
    silence: 'every answer of a model has its price',
    rawOutput: 'it prints records only',
    plainHome: SHELL,
    stubbornness: 'a model cannot make it ignore SIGTERM',
    crashes: 'a model cannot make it end with an exit code',
  },
  open: async ({ steps, ...settings }, user) => {
    const { credentials: _, ...rest } = settings
    return withAnswers(modelAt(await served(steps), rest, user))
  },
})
