// The file that a build's plan comes from, named as its tasks name it.
import { existsSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Build } from '../core/build.ts'
import { refuse } from '../core/error.ts'
import type { ProgressSource } from './progress.ts'

/** The path from the repository's root; of a file outside of it, the whole path. */
export function sourceOf(root: string, folder: string, word: string): string {
  const path = resolve(folder, word)
  const isFile = existsSync(path) && statSync(path).isFile()
  if (!isFile || !/\.md$/i.test(word))
    throw refuse('PROGRESS_FILE_BAD', {
      problem: `'${word}' is no progress file: name an existing file that ends in .md`,
    })
  const inside = relative(root, path)
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside.split(sep).join('/')
}

export function sourceAt(root: string, source: string): ProgressSource {
  return { path: resolve(root, source), spec: source }
}

/** One build at a time: whoever names another plan has to end the first one. */
export function requireSamePlan(unfinished: Build, was: string | null, source: string | null): void {
  if (source === null || source === was) return
  throw refuse('BUILD_UNFINISHED', { id: unfinished.id, plan: was ?? 'the open tasks' })
}
