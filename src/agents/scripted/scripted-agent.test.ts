import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeAgent } from '../agent.conformance.ts'
import { tempFolder } from '../trial.conformance.ts'
import { programAgent } from '../program-agent.ts'
import { scriptedAdapter } from './scripted-adapter.ts'

describeAgent('scripted', {
  lacks: {},
  open: async ({ steps, ...settings }, user) => {
    const root = await tempFolder()
    await writeFile(join(root, 'scenario.json'), JSON.stringify({ sessions: [{ steps }] }))
    return programAgent(scriptedAdapter('scenario.json', root), settings, user)
  },
})
