// Which files of a folder may become part of a tree. Runs before git reads a byte; each refusal says what to do.
import { isUtf8 } from 'node:buffer'
import type { Stats } from 'node:fs'
import { lstat, readlink } from 'node:fs/promises'
import type { HarvestLimits } from '../repository/harvest-limits.ts'
import { bytesOf } from '../objects/tree-paths.ts'
import type { Changes, TakenFile } from '../repository/fast-path.ts'

export interface SortedChanges {
  /** Files to read into the tree. */
  readonly taken: readonly TakenFile[]
  /** Reasons against it, in words for the agent. */
  readonly problems: readonly string[]
}

/** Files looked at in parallel; Node has four threads for this. */
const LOOKS_AT_ONCE = 64

export async function sortChanges(folder: string, changes: Changes, limits: HarvestLimits): Promise<SortedChanges> {
  const paths = [...changes.modified, ...changes.untracked]
  if (changes.cut || paths.length > limits.files)
    return {
      taken: [],
      problems: [`more than ${countText(limits.files)} files changed; delete or git-ignore what was generated`],
    }
  const isNew = new Set(changes.untracked)
  const problems = changes.unreadable.map(
    (path) => `the folder ${shownPath(path)} cannot be read; make it readable or delete it`,
  )
  const taken: TakenFile[] = []
  let totalBytes = 0
  for (let at = 0; at < paths.length; at += LOOKS_AT_ONCE) {
    const looks = paths.slice(at, at + LOOKS_AT_ONCE).map((path) => look(folder, path, limits, isNew))
    for (const found of await Promise.all(looks)) {
      if ('problem' in found) {
        problems.push(found.problem)
        continue
      }
      totalBytes += found.bytes
      if (totalBytes <= limits.totalBytes) taken.push(found)
    }
  }
  if (totalBytes > limits.totalBytes)
    problems.push(
      `the changed files have ${countText(totalBytes)} bytes, more than the ${countText(limits.totalBytes)} allowed; delete or git-ignore what was generated`,
    )
  return { taken, problems }
}

async function look(
  folder: string,
  path: string,
  limits: HarvestLimits,
  newPaths: ReadonlySet<string>,
): Promise<TakenFile | { readonly problem: string }> {
  const isNew = newPaths.has(path)
  const named = isNew ? nameProblem(path, limits) : null
  if (named !== null) return { problem: named }
  const whole = bytesOf(folder, path)
  try {
    const stats = await lstat(whole)
    const target = stats.isSymbolicLink() ? await readlink(whole, { encoding: 'latin1' }) : null
    const problem = fileProblem(path, stats, target, limits)
    if (problem !== null) return { problem }
    const mode = target !== null ? '120000' : (stats.mode & 0o100) === 0 ? '100644' : '100755'
    return { path, bytes: stats.size, mode, isNew }
  } catch {
    return { problem: `${shownPath(path)} cannot be read; make it readable or delete it` }
  }
}

function nameProblem(path: string, { pathBytes, depth }: HarvestLimits): string | null {
  if (path.endsWith('/'))
    return `${shownPath(path)} is a git repository of its own; delete ${shownPath(`${path}.git`)} so that its files can be taken`
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\x00-\x1f\x7f]/.test(path)) return `the name ${shownPath(path)} holds control characters; rename it`
  if (!isUtf8(Buffer.from(path, 'latin1'))) return `the name ${shownPath(path)} is not UTF-8; rename it`
  if (path.length > pathBytes)
    return `the path ${shownPath(path)} is longer than ${countText(pathBytes)} bytes; shorten it`
  const parts = path.split('/')
  if (parts.length - 1 > depth) return `${shownPath(path)} lies more than ${depth} folders deep; move it up`
  if (parts.some((part) => /^(\.git|git~1)$/i.test(part)))
    return `${shownPath(path)} has the name of a git folder in its path; rename it`
  return null
}

function fileProblem(path: string, stats: Stats, target: string | null, limits: HarvestLimits): string | null {
  if (target !== null) return linkProblem(path, target)
  if (!stats.isFile()) return `${shownPath(path)} is ${kindOf(stats)}, not a file; delete it`
  if (stats.size <= limits.fileBytes) return null
  return `${shownPath(path)} has ${countText(stats.size)} bytes, more than the ${countText(limits.fileBytes)} allowed for a file; delete or git-ignore it`
}

/**
 * The link stays inside by its text alone: `..` only at the start and not above the root. Behind another link `a/../b`
 * could lead anywhere. Since every link stays inside, a path through several of them does too.
 */
function linkProblem(path: string, target: string): string | null {
  const parts = target.split('/').filter((part) => part !== '' && part !== '.')
  const ups = parts.findIndex((part) => part !== '..')
  const up = ups < 0 ? parts.length : ups
  const leaves = target.startsWith('/') || up > path.split('/').length - 1 || parts.slice(up).includes('..')
  if (leaves)
    return `the link ${shownPath(path)} leads to ${shownPath(target)}, out of this folder; link to something inside, or delete it`
  if (parts.some((part) => part.toLowerCase() === '.git'))
    return `the link ${shownPath(path)} leads into a git folder; delete it`
  return null
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return stats.isDirectory() ? 'a folder' : 'a device'
}

function countText(number: number): string {
  return number.toLocaleString('en-US')
}

/** For a sentence on one line: control characters escaped, at most 200 characters. */
function shownPath(latin1: string): string {
  const text = Buffer.from(latin1, 'latin1').toString('utf8')
  const plain = /^[\w./@+-]+$/.test(text) ? text : JSON.stringify(text)
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain
}
