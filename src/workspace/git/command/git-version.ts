// The oldest git that has everything the workspaces need: `merge-tree --write-tree`.
import { refuse } from '../../../core/error/error.ts'
import type { Git } from './git.ts'

const OLDEST = { major: 2, minor: 38 }

export async function requireVersion(git: Git, gitDir: string): Promise<void> {
  const { stdout } = await git.engine(['version'], { gitDir })
  const found = stdout.toString().trim()
  if (!isEnough(found)) throw refuse('GIT_OLD', { found, needed: `${OLDEST.major}.${OLDEST.minor}` })
}

/** `git version 2.39.5 (Apple Git-154)` */
export function isEnough(words: string): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(words) ?? []
  return Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor)
}
