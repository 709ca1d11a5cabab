// The inputs of a setup's result: its command, the tools, and the files that say what to install. Those are lockfiles
// and manifests anywhere in the tree, since an install runs the scripts that a manifest names, and the files that the
// command and these scripts name in turn.
import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import type { Setup } from '../check.ts'
import { nameOf } from '../digest.ts'
import { sha256 } from '../../system/hash.ts'

const determining =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|\.npmrc|\.nvmrc|\.node-version|pnpm-(?:lock|workspace)\.yaml|\.pnpmfile\.c?js|yarn\.lock|\.yarnrc(?:\.yml)?|bun\.lockb?|bunfig\.toml|deno\.(?:jsonc?|lock)|pyproject\.toml|setup\.(?:py|cfg)|.*requirements.*\.(?:txt|in)|constraints.*\.txt|uv\.(?:lock|toml)|poetry\.(?:lock|toml)|pdm\.lock|Pipfile(?:\.lock)?|\.python-version|\.tool-versions|\.?mise\.toml|go\.(?:mod|sum|work|work\.sum)|Cargo\.(?:toml|lock)|rust-toolchain(?:\.toml)?|Gemfile(?:\.lock)?|.*\.gemspec|\.ruby-version|composer\.(?:json|lock)|mix\.(?:exs|lock)|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|gradle\.lockfile|.*\.csproj|packages\.lock\.json|[Mm]akefile|GNUmakefile|[Jj]ustfile)$/

const madeFolders = new Set(['.git', 'node_modules', '.venv', 'venv', 'target', '__pycache__'])
const installScripts = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'dependencies']

export async function setupKey(
  folder: string,
  { command, installScripts: mode }: Setup,
  toolchain: readonly string[],
): Promise<string> {
  const found = await filesNamed(folder)
  const commands = [command, ...found.flatMap((path) => scriptsIn(folder, path))]
  const named = commands.flatMap((line) => line.split(/[\s'"`;&|()<>=]+/)).filter((word) => isFileIn(folder, word))
  const paths = [...new Set([...found, ...named.map((path) => normalize(path))])].sort()
  return nameOf(['setup 2', command, mode, toolchain, paths.map((path) => [path, contentOf(join(folder, path))])])
}

async function filesNamed(folder: string): Promise<string[]> {
  const found: string[] = []
  const open = ['']
  for (let prefix = open.pop(); prefix !== undefined; prefix = open.pop()) {
    for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
      if (entry.isDirectory() && !madeFolders.has(entry.name)) open.push(`${prefix}${entry.name}/`)
      if (!entry.isDirectory() && determining.test(entry.name)) found.push(`${prefix}${entry.name}`)
    }
  }
  return found
}

function scriptsIn(folder: string, path: string): readonly string[] {
  if (!/(?:^|\/)package\.json$/.test(path)) return []
  try {
    const { scripts } = JSON.parse(readFileSync(join(folder, path), 'utf8')) as { scripts?: Record<string, unknown> }
    return installScripts.flatMap((name) => {
      const script = scripts?.[name]
      return typeof script === 'string' ? [script] : []
    })
  } catch {
    return []
  }
}

function isFileIn(folder: string, path: string): boolean {
  if (path === '' || path.startsWith('/') || normalize(path).startsWith('..')) return false
  try {
    return lstatSync(join(folder, path)).isFile()
  } catch {
    return false
  }
}

function contentOf(path: string): string {
  try {
    if (lstatSync(path).isSymbolicLink()) return `link to ${readlinkSync(path)}`
    return sha256(readFileSync(path))
  } catch {
    return 'unreadable'
  }
}
