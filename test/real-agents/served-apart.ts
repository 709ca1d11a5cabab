// A scripted model in a process of its own: the tests measure the memory of the agent, not of the model.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { onTestFinished } from 'vitest'
import type { Step } from '../../src/agents/scripted/scenario.ts'

const SERVER = join(import.meta.dirname, 'steps-server-child.ts')

export async function servedApart(steps: readonly Step[], agent = 'claude'): Promise<string> {
  const child = spawn(execPath, [SERVER, JSON.stringify(steps), agent], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const [address] = (await once(child.stdout, 'data')) as [Buffer]
  return address.toString('utf8').trim()
}
