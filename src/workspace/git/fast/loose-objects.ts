// Loose objects, written and read without git: a process takes 3 ms, writing an object 1. An object is a deflated text; it
// is renamed into place whole, so no reader and no crash sees half of one.
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { deflate, inflateSync } from 'node:zlib'
import { draftPath, writeWhole } from '../../../system/files.ts'
import { type ObjectContent, type Objects, type StoreObject, headerOf, pathOf } from '../objects/objects.ts'
import { STORED_BYTES_MAX, storedBytes } from '../objects/zlib-stored.ts'

const deflated = promisify(deflate)

export function storeLoose(folder: string): StoreObject {
  return async (id, kind, content) => {
    const path = pathOf({ folder }, id)
    const whole = Buffer.concat([headerOf(kind, content), content])
    // Git knows this prefix, and prunes what a crash left under such a name.
    const draft = draftPath(path, 'tmp_obj_')
    const bytes = whole.length <= STORED_BYTES_MAX ? storedBytes(whole) : await deflated(whole, { level: 1 })
    await writeWhole(path, bytes, { draft, mode: 0o444, flushed: true })
  }
}

const BYTES_MAX = 1_048_576

/** Null where it is large, damaged or packed. */
export function readLoose(objects: Pick<Objects, 'folder' | 'format'>, id: string): ObjectContent | null {
  const path = pathOf(objects, id)
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined || size > BYTES_MAX) return null
  const whole = inflatedFile(path)
  if (whole === null || createHash(objects.format).update(whole).digest('hex') !== id) return null
  return { kind: whole.toString('latin1', 0, whole.indexOf(0x20)), content: whole.subarray(whole.indexOf(0) + 1) }
}

/** Null where the file is torn, or inflates to more than its size suggests. */
function inflatedFile(path: string): Buffer | null {
  try {
    return inflateSync(readFileSync(path), { maxOutputLength: BYTES_MAX })
  } catch {
    return null
  }
}
