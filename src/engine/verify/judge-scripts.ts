// The files that the checks run, followed from their commands through the scripts that these name.
import { pathWords, scriptNames } from '../../core/probes/judge-files.ts'
import type { TreeId } from '../../core/values/id.ts'
import type { EngineDeps } from '../deps.ts'

/** A script that calls a script that calls a script. */
const DEPTH_MAX = 4
const FILES_MAX = 50

export async function judgeScripts(
  { config, workspaces }: Pick<EngineDeps, 'config' | 'workspaces'>,
  tree: TreeId,
): Promise<ReadonlySet<string>> {
  const manifests = await manifestScripts(workspaces, tree, new Set(config.checks.map(({ cwd }) => cwd)))
  const found = new Set<string>()
  let texts = config.checks.flatMap(({ command, cwd }) => followed(command, cwd, manifests))
  for (let depth = 0; depth < DEPTH_MAX && texts.length > 0 && found.size < FILES_MAX; depth += 1) {
    const paths = texts.flatMap(({ text, cwd }) => pathWords(text).flatMap((word) => [word, inFolder(cwd, word)]))
    const fresh = [...new Set(paths)].filter((path) => !found.has(path)).slice(0, FILES_MAX)
    const read = await workspaces.read(tree, fresh)
    for (const path of read.keys()) found.add(path)
    texts = [...read].map(([path, text]) => ({ text, cwd: path.split('/').slice(0, -1).join('/') || '.' }))
  }
  return found
}

interface Followed {
  readonly text: string
  readonly cwd: string
}

/** The command and the scripts of the manifest that it runs, which may run others. */
function followed(command: string, cwd: string, manifests: ReadonlyMap<string, Record<string, string>>): Followed[] {
  const scripts = manifests.get(cwd) ?? {}
  const all = [command]
  for (let at = 0; at < all.length && at < FILES_MAX; at += 1)
    for (const name of scriptNames(all[at] ?? '')) {
      const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
      if (script !== undefined && !all.includes(script)) all.push(script)
    }
  return all.map((text) => ({ text, cwd }))
}

async function manifestScripts(
  workspaces: EngineDeps['workspaces'],
  tree: TreeId,
  folders: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Record<string, string>>> {
  const paths = new Map([...folders].map((folder) => [inFolder(folder, 'package.json'), folder]))
  const texts = await workspaces.read(tree, [...paths.keys()])
  return new Map([...texts].map(([path, text]) => [paths.get(path) ?? '.', scriptsIn(text)]))
}

function scriptsIn(text: string): Record<string, string> {
  try {
    const { scripts = {} } = JSON.parse(text) as { scripts?: Record<string, string> }
    return Object.fromEntries(Object.entries(scripts).filter(([, script]) => typeof script === 'string'))
  } catch {
    return {}
  }
}

function inFolder(folder: string, path: string): string {
  return folder === '.' || folder === '' ? path : `${folder}/${path}`
}
