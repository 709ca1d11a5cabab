// What a setup made in a checkout, and which other checkouts can use it.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FileManifest } from './file-manifest.ts'

export interface SetupProducts {
  /** Topmost new paths, in order: `node_modules`, `packages/a/node_modules`, `.venv`. */
  readonly paths: readonly string[]
  /** Files of the tree that the setup changed. */
  readonly spoilt: readonly string[]
}

export function productsBetween(before: FileManifest, after: FileManifest): SetupProducts {
  const isNew = (path: string): boolean => path !== '' && !before.has(path)
  const paths = [...after.keys()].filter((path) => isNew(path) && !isNew(parentOf(path))).sort()
  const spoilt = [...before].filter(([path, stamp]) => after.get(path) !== stamp).map(([path]) => path)
  return { paths, spoilt: spoilt.sort() }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/**
 * `any tree`: the setup made only dependencies, which any tree with the same key can use. `this tree`: it made
 * something from the tree's own sources, such as a build or a copy of the project; for another tree that would be
 * stale, and tests on it would prove nothing.
 */
export type GoodFor = 'any tree' | 'this tree'

const dependencies =
  /^(?:node_modules|\.venv|venv|vendor|\.bundle|__pypackages__|\.pnpm-store|\.yarn|\.pnp\..*|.*\.egg-info|_|__pycache__|package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/

export function goodFor(
  folder: string,
  made: SetupProducts,
  installed: readonly { readonly root: string; readonly manifest: FileManifest }[],
): GoodFor {
  if (!made.paths.every((path) => dependencies.test(basename(path))) || isYarnCopying(folder)) return 'this tree'
  const isCopied = installed.some(({ root, manifest }) =>
    [...manifest.keys()].some((path) => isCopyOfSources(root, path)),
  )
  return isCopied ? 'this tree' : 'any tree'
}

/** pip and uv record where a package came from; pnpm names a copied folder after it. */
function isCopyOfSources(root: string, path: string): boolean {
  if (/(?:^|\/)\.pnpm\/[^/]*@file\+[^/]*$/.test(path)) return true
  if (!path.endsWith('.dist-info/direct_url.json')) return false
  try {
    const origin = readFileSync(join(root, path), 'utf8')
    return origin.includes('"file://') && !/"editable"\s*:\s*true/.test(origin)
  } catch {
    return true
  }
}

/** Yarn copies a `file:` dependency; npm links it. */
function isYarnCopying(folder: string): boolean {
  try {
    return readFileSync(join(folder, 'yarn.lock'), 'utf8').includes('@file:')
  } catch {
    return false
  }
}

/** A virtual environment contains absolute paths to itself; a package folder does not. */
export function canMove(command: string, made: SetupProducts): boolean {
  const isOneInstall = /^\s*(?:npm|pnpm|yarn|bun)\s[^;&|<>$`(]*$/.test(command)
  return isOneInstall && made.paths.length > 0 && made.paths.every((path) => basename(path) === 'node_modules')
}
