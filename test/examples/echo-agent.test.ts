// The adapter that the guide shows, through the suite that holds for every agent; and that the guide shows it as it is.
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { describe, expect, it } from 'vitest'
import { echoAdapter } from '../../examples/echo-adapter.ts'
import { describeAgent } from '../../src/agents/agent.conformance.ts'
import { programAgent } from '../../src/agents/program-agent.ts'
import { FROM_SOURCE } from '../../src/agents/scripted/player-program.ts'
import { tempFolder } from '../../src/agents/trial.conformance.ts'

const PLAYER = join(import.meta.dirname, 'echo-player-program.ts')

describeAgent('echo', {
  lacks: {
    usage: 'it tells tokens at its end, and no price',
    reportedFailures: 'it has words for it, no kinds',
    rawOutput: 'what is no record is logged, not said',
  },
  open: async ({ steps, ...settings }, user) => {
    const scenario = join(await tempFolder(), 'steps.json')
    await writeFile(scenario, JSON.stringify({ steps, iteration: 4 }))
    return programAgent(echoAdapter([execPath, ...FROM_SOURCE, PLAYER, scenario]), settings, user)
  },
})

describe('the example', () => {
  const source = readFileSync(join(import.meta.dirname, '../../examples/echo-adapter.ts'), 'utf8')

  it('has less than 100 lines', () => {
    expect(source.split('\n').length).toBeLessThan(100)
  })

  it('is what the guide shows', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/agents.md'), 'utf8')
    const shown = /^```ts\n(.*?)^```$/ms.exec(guide)?.[1]
    expect(shown).toBe(source)
  })
})
