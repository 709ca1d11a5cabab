// sha256 of programs. A program of 100 MB takes some 100 ms, so a digest is kept while the file has the same stamps.
import { createHash } from 'node:crypto'
import { createReadStream, realpathSync, statSync } from 'node:fs'

/** Null: the file is not there, or cannot be read. */
export type FileDigests = (path: string) => Promise<string | null>

const CHUNK_BYTES = 1024 * 1024

export function openFileDigests(): FileDigests {
  const known = new Map<string, { readonly stamp: string; readonly digest: Promise<string | null> }>()
  return async (path) => {
    const found = stampOf(path)
    if (found === null) return null
    const before = known.get(found.real)
    if (before?.stamp === found.stamp) return before.digest
    const digest = digestOf(found.real).catch(() => null)
    known.set(found.real, { stamp: found.stamp, digest })
    return digest
  }
}

function stampOf(path: string): { readonly real: string; readonly stamp: string } | null {
  try {
    const real = realpathSync.native(path)
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(real, { bigint: true })
    return { real, stamp: `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}` }
  } catch {
    return null
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) hash.update(chunk as Buffer)
  return `sha256:${hash.digest('hex')}`
}
