import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { outputText } from '../../system/process/head-tail-buffer.ts'
import { command } from '../../../test/rig/process-commands.ts'
import { run } from '../../system/process/spawn.ts'
import { tempFolder } from '../trial.conformance.ts'

const adapter = join(import.meta.dirname, 'scripted-adapter.ts')
const agent = join(import.meta.dirname, '../program-agent.ts')

/** A program that plays a scenario; its parts come from the bundle. */
function program(load: (path: string, name: string) => string): string {
  return `
    ${load(adapter, 'scriptedAdapter')}
    ${load(agent, 'programAgent')}
    const settings = { timeoutMs: 30_000, idleTimeoutMs: 30_000, env: [], credentials: 'none' }
    const about = { role: 'sia', task: null, attempt: 1, iteration: 1, env: {}, prompt: 'p', folder: process.cwd() }
    const signal = new AbortController().signal
    const scripted = programAgent(scriptedAdapter('s.json', process.cwd()), settings, {})
    const { finalMessage, failure } = await scripted.run({ ...about, signal, onEvent: () => {} })
    console.log(JSON.stringify({ finalMessage, failure }))
    process.exit()`
}

describe('the player in the bundle', () => {
  it.each<[string, (path: string, name: string) => string]>([
    ['beside the caller', (path, name) => `import { ${name} } from ${JSON.stringify(path)}`],
    ['above the chunk of the caller', (path, name) => `const { ${name} } = await import(${JSON.stringify(path)})`],
  ])('is found %s', async (_, load) => {
    const folder = await tempFolder()
    await writeFile(join(folder, 'main.ts'), program(load))
    await writeFile(join(folder, 's.json'), '{"sessions":[{"steps":[{"answerText":"played"}]}]}')
    await build({
      entryPoints: { main: join(folder, 'main.ts'), 'scripted-agent': join(import.meta.dirname, 'player.ts') },
      outdir: join(folder, 'dist'),
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      chunkNames: 'chunks/[name]-[hash]',
      logLevel: 'silent',
    })
    const ended = await run(command([execPath, join(folder, 'dist/main.js')], { cwd: folder }))
    expect(outputText(ended.stderr)).toBe('')
    expect(JSON.parse(outputText(ended.stdout))).toEqual({ finalMessage: 'played', failure: null })
  })

  it('is an entry of the build', async () => {
    const script = await readFile(join(import.meta.dirname, '../../../scripts/build.ts'), 'utf8')
    expect(script).toContain("'scripted-agent': 'src/agents/scripted/player.ts'")
  })
})
