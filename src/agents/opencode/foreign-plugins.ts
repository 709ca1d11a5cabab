// Plugins of the repository. opencode always runs them at its start, so code that nobody reviewed would run in the
// session of a reviewer. Where there are any, opencode does not play roles that only read.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The first that is found, from the folder; null: there is none. */
export async function foreignPlugin(folder: string): Promise<string | null> {
  for (const place of ['.opencode/plugin', '.opencode/plugins']) {
    const names = await readdir(join(folder, place)).catch(() => [])
    const found = names.find((name) => /\.[jt]s$/.test(name))
    if (found !== undefined) return `${place}/${found}`
  }
  for (const file of ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc']) {
    const text = await readFile(join(folder, file), 'utf8').catch(() => '')
    if (/"plugins?"\s*:/.test(text)) return file
  }
  return null
}
