import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { run } from '../rig/scratch.ts'

const SCRIPT = join(import.meta.dirname, '../../scripts/test-agents.ts')

it('refuses an agent that it does not know', () => {
  const env = { PATH: process.env['PATH'] ?? '' }
  expect(run(process.execPath, [SCRIPT, 'nobody'], { folder: tmpdir(), env })).toEqual({
    code: 1,
    stdout: '',
    stderr: "Error: there is no test for the agent 'nobody'; known are claude, codex, gemini, opencode, acp\n",
  })
})

it('says in one sentence that the registry cannot be reached, and leaves nothing half installed', () => {
  const cache = mkdtempSync(join(tmpdir(), 'ralph-cache-'))
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }))
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: cache,
    XDG_CACHE_HOME: cache,
    // Nothing listens there.
    npm_config_registry: 'http://127.0.0.1:9',
  }
  const { code, stdout, stderr } = run(process.execPath, [SCRIPT], { folder: cache, env })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(
    /^Error: npm could not install @anthropic-ai\/claude-code@[\d.]+ \(ECONNREFUSED\); connect to the registry, or name a program with RALPH_TEST_CLAUDE=PATH\n$/,
  )
  const kept = join(cache, 'ralph-test-agents')
  expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([])
})
