// Resolves a path inside the session's folder. A link must not lead out of the folder or into a git dir.
import { realpathSync } from 'node:fs'
import { join, normalize, sep } from 'node:path'
import { isGitName } from '../../core/patch/patch-paths.ts'

/** Throws a sentence for the model. */
export function insideFolder(folder: string, path: string): string {
  const plain = normalize(path.replace(/^\/+/, '') || '.')
  if (plain.split(sep).includes('..') || path.includes('\0')) throw new Error(`${path} leads out of the project`)
  if (plain.split(sep).some(isGitName)) throw new Error(`${path} lies in a git folder, which is not to be read`)
  const root = realpathSync(folder)
  const real = realOf(join(root, plain), path)
  if (real !== root && !real.startsWith(`${root}${sep}`)) throw new Error(`a link leads ${path} out of the project`)
  if (real.slice(root.length).split(sep).some(isGitName)) throw new Error(`a link leads ${path} into a git folder`)
  return real
}

function realOf(whole: string, path: string): string {
  try {
    return realpathSync(whole)
  } catch {
    throw new Error(`there is no ${path}`)
  }
}
