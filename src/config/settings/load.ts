// ralph.toml, then the environment over it, then the flags: one frozen value that knows the source of each part.
import type { Config } from './config.ts'
import { readEnvironmentLayer } from './environment-layer.ts'
import { readFileLayer } from './file-layer.ts'
import { type Flags, readFlagLayer } from './flag-layer.ts'
import { type Layer, throwFirst } from './layer.ts'
import { withExamplesOfFile } from './operator-examples.ts'
import { relationProblems } from './cross-setting-rules.ts'
import { sealConfig } from './config-hash.ts'
import { originsOf, resolveSettings } from './resolve.ts'
import { readTomlFile } from './toml-file.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface ConfigSources {
  /** The operator's checkout: where ralph.toml is, if there is one. */
  readonly folder: string
  readonly env?: Environment
  readonly flags?: Flags
}

/** Throws CONFIG_BAD for the first fault: in the file by line, then the environment, then the flags. */
export async function loadConfig({ folder, env = {}, flags = {} }: ConfigSources): Promise<Config> {
  const file = await readTomlFile(folder)
  const layers: readonly Layer[] = [
    ...(file === null ? [] : [readFileLayer(file)]),
    readEnvironmentLayer(env),
    readFlagLayer(flags),
  ]
  throwFirst(layers.flatMap(({ problems }) => problems))
  const given = new Map(layers.flatMap((layer) => [...layer.given]))
  const settings = resolveSettings(given)
  throwFirst(relationProblems(settings, given))
  const origins = originsOf(given)
  return sealConfig(await withExamplesOfFile(settings, { folder, env, origins }), origins)
}
