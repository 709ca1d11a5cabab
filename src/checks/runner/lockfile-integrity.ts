// The integrity of a package in a lockfile, found by its text: reading 2 MB as JSON would take 20 ms for each check.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Find = (text: string, name: string, version: string) => string | null

const lockfiles: Readonly<Record<string, Find>> = {
  'package-lock.json': inNpmLock,
  'npm-shrinkwrap.json': inNpmLock,
  'pnpm-lock.yaml': inPnpmLock,
  'yarn.lock': inYarnLock,
}

/** In the nearest lockfile of the folder or those above it, up to the root; null: there is none, or it does not say. */
export function integrityOf(folder: string, root: string, name: string, version: string): string | null {
  for (const at of foldersUp(folder, root)) {
    for (const [file, find] of Object.entries(lockfiles)) {
      const text = readText(join(at, file))
      if (text !== null) return find(text, name, version)
    }
  }
  return null
}

/** The folder, and those above it, up to the root. */
export function foldersUp(folder: string, root: string): readonly string[] {
  const isInside = folder === root || folder.startsWith(`${root}/`)
  return isInside && folder !== root ? [folder, ...foldersUp(dirname(folder), root)] : [folder]
}

function inNpmLock(text: string, name: string): string | null {
  const at = text.indexOf(`"node_modules/${name}": {`)
  return at < 0 ? null : (/"integrity": "([^"]+)"/.exec(text.slice(at, endOf(text, at, /\n {4}\}/g)))?.[1] ?? null)
}

function inPnpmLock(text: string, name: string, version: string): string | null {
  const keys = [`${name}@${version}`, `/${name}@${version}`, `/${name}/${version}`].flatMap((key) => [
    `\n  ${key}:\n`,
    `\n  '${key}':\n`,
  ])
  const at = keys.map((key) => text.indexOf(key)).find((found) => found >= 0)
  if (at === undefined) return null
  return /integrity: ([^\s,}]+)/.exec(text.slice(at, endOf(text, at + 3, /\n\n/g)))?.[1] ?? null
}

/** Of both formats: `integrity sha512-…` or `checksum: 10/…`. */
function inYarnLock(text: string, name: string, version: string): string | null {
  const blocks = text.split(/\n\n/).filter((block) => block.includes(`${name}@`))
  const own = blocks.find((block) => {
    const [head = ''] = block.trimStart().split('\n')
    const isName = head.split(/, */).some((one) => one.replace(/^"/, '').startsWith(`${name}@`))
    return isName && new RegExp(`^ {2}version:? "?${version.replaceAll('.', String.raw`\.`)}"?$`, 'm').test(block)
  })
  return own === undefined ? null : (/^ {2}(?:integrity|checksum:) (\S+)$/m.exec(own)?.[1] ?? null)
}

function endOf(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
