import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { describeAgent } from '../agent.conformance.ts'
import { type Played, tempFolder } from '../trial.conformance.ts'
import type { Agent } from '../agent.ts'
import { programAgent } from '../program-agent.ts'
import { FROM_SOURCE } from '../scripted/player-program.ts'
import { commandAdapter } from './command-adapter.ts'
import type { Environment } from '../../core/values/environment.ts'

const player = join(import.meta.dirname, 'plain-player.conformance.ts')

async function open({ steps, ...settings }: Played, user: Environment, words: readonly string[]): Promise<Agent> {
  const root = await tempFolder()
  const scenario = join(root, 'steps.json')
  await writeFile(scenario, JSON.stringify({ steps, iteration: 4 }))
  const command = [execPath, ...FROM_SOURCE, player, scenario, ...words]
  return programAgent(commandAdapter({ command, args: [] }, { root, path: user['PATH'] ?? '' }), settings, user)
}

const lacks = {
  usage: 'a CLI that nothing is known of tells no usage',
  toolEvents: 'plain text does not tell what is a tool',
  reportedFailures: 'plain text does not tell kinds of failures',
  result: 'plain text has no mark for the result; the exit is its end',
}

describeAgent('command, prompt on stdin', { lacks, open: (played, user) => open(played, user, []) })
