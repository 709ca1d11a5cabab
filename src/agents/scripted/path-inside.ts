// Resolves a path inside the session's folder. A link must not lead out of it.
import { realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** Throws where a link on the way leads out of the folder. */
export function inside(folder: string, path: string): string {
  const root = realpathSync(folder)
  const real = nearestReal(dirname(join(root, path)))
  if (real !== root && !real.startsWith(`${root}${sep}`)) throw new Error(`a link leads ${path} out of the folder`)
  return join(root, path)
}

function nearestReal(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return nearestReal(dirname(path))
  }
}
