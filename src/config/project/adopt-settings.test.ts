import { describe, expect, it } from 'vitest'
import { withDetected } from './adopt-settings.ts'
import { type Config, originOf } from '../settings/config.ts'
import type { DetectedProject } from './detect.ts'
import { loadConfig } from '../settings/load.ts'
import { madeFolder } from '../../../test/rig/folder.ts'

const detected: DetectedProject = {
  stacks: [],
  checks: [{ name: 'unit', command: 'npm test', because: 'package.json has a script "test"', cwd: 'web' }],
  setup: { command: 'npm ci', because: 'package-lock.json' },
  notes: [],
}

async function load(toml: string): Promise<Config> {
  return loadConfig({ folder: await madeFolder({ 'ralph.toml': toml }) })
}

describe('withDetected', () => {
  it('takes what was detected where nothing was configured, and says so', async () => {
    const config = withDetected(await load(''), detected)
    expect(config.checks).toEqual([{ name: 'unit', command: 'npm test', timeoutMs: 600_000, cwd: 'web' }])
    expect(config.workspace.setup).toBe('npm ci')
    expect(['checks.unit', 'workspace.setup', 'limits.attempts'].map((key) => originOf(config, key))).toEqual([
      'detected: package.json has a script "test"',
      'detected: package-lock.json',
      'default',
    ])
  })

  it('is frozen, and has the hash of the same settings from a file', async () => {
    const config = withDetected(await load(''), detected)
    expect(Object.isFrozen(config.checks[0])).toBe(true)
    const written = await load(
      '[checks]\nunit = "npm test"\n[check.unit]\ncwd = "web"\n[workspace]\nsetup = "npm ci"\n',
    )
    expect(config.hash).toBe(written.hash)
  })

  it('keeps a setup that was configured', async () => {
    const config = withDetected(await load('[workspace]\nsetup = ""'), detected)
    expect(config.workspace.setup).toBeNull()
    expect(config.checks).toHaveLength(1)
  })

  it.each([['[checks]'], ['[checks]\nlint = "x"']])('changes nothing where there is %j', async (toml) => {
    const config = await load(toml)
    expect(withDetected(config, detected)).toBe(config)
  })

  it('changes nothing where nothing was detected', async () => {
    const config = await load('')
    expect(withDetected(config, { ...detected, checks: [] })).toBe(config)
  })
})
