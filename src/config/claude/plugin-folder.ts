// The Claude Code plugin of the package: `plugin/` at its root, wherever this code runs.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { refuse } from '../../core/error/error.ts'

/** From `src/config`, from `dist` and from the folders in it. */
const LEVELS_UP_MAX = 3

export function pluginFolder(from = import.meta.dirname): string {
  let folder = from
  for (let level = 0; level <= LEVELS_UP_MAX; level += 1) {
    const plugin = join(folder, 'plugin')
    if (existsSync(join(plugin, '.claude-plugin', 'plugin.json'))) return plugin
    folder = dirname(folder)
  }
  throw refuse('PLUGIN_MISSING')
}
