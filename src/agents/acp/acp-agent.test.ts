import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { describeAgent } from '../agent.conformance.ts'
import { programAgent } from '../program-agent.ts'
import { FROM_SOURCE } from '../scripted/player-program.ts'
import { tempFolder } from '../trial.conformance.ts'
import { acpAdapter } from './acp-adapter.ts'

const player = join(import.meta.dirname, 'acp-player.conformance.ts')

describeAgent('acp', {
  lacks: {
    usage: 'the protocol tells it at the end of a turn only; see conversation.test.ts',
    reportedFailures: 'the protocol has words for it, no kinds; see conversation.test.ts',
    rawOutput: 'what is no message is logged, not said; see flood.test.ts',
  },
  open: async ({ steps, ...settings }, user) => {
    const root = await tempFolder()
    const scenario = join(root, 'steps.json')
    await writeFile(scenario, JSON.stringify({ steps, iteration: 4 }))
    const command = [execPath, ...FROM_SOURCE, player, scenario]
    return programAgent(acpAdapter({ command, model: null, args: [] }, root), settings, user)
  },
})
