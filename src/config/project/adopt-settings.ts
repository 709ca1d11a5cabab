// A build without configured checks takes those that `ralph init` would have written.
import { type Config, originOf } from '../settings/config.ts'
import type { DetectedProject } from './detect.ts'
import { sealConfig } from '../settings/config-hash.ts'
import { checkSettings } from '../settings/resolve.ts'
import { dottedKey } from '../settings/toml-text.ts'

/** The same config where it has a [checks] table, even an empty one, or where nothing was detected. */
export function withDetected(config: Config, { checks, setup }: DetectedProject): Config {
  if (originOf(config, 'checks') !== 'default' || checks.length === 0) return config
  const { hash: _, origins, ...settings } = config
  const takesSetup = setup !== null && originOf(config, 'workspace.setup') === 'default'
  return sealConfig(
    {
      ...settings,
      checks: checks.map(({ name, command, cwd }) => checkSettings(name, command, { cwd })),
      workspace: takesSetup ? { ...settings.workspace, setup: setup.command } : settings.workspace,
    },
    {
      ...origins,
      checks: 'detected',
      ...Object.fromEntries(checks.map(({ name, because }) => [dottedKey(['checks', name]), `detected: ${because}`])),
      ...(takesSetup ? { 'workspace.setup': `detected: ${setup.because}` } : {}),
    },
  )
}
