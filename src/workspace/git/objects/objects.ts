// Git objects, written without starting git: a process takes some 3 ms, writing a commit takes 1. An object is a deflated
// text named by its hash; it is put in place whole, so no reader and no crash ever sees half of one.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflate, inflateSync } from 'node:zlib'
import { draftPath, writeWhole } from '../../../system/files.ts'
import { STORED_BYTES_MAX, stored } from './stored.ts'

export type ObjectFormat = 'sha1' | 'sha256'
export type ObjectKind = 'blob' | 'tree' | 'commit' | 'tag'

/** An object folder of git, and the hash that names what is in it. */
export interface Objects {
  readonly folder: string
  readonly format: ObjectFormat
}

export interface Writing {
  readonly id: string
  readonly written: Promise<void>
}

const deflated = promisify(deflate)

export async function writeObject(objects: Objects, kind: ObjectKind, content: Uint8Array | string): Promise<string> {
  const { id, written } = startObject(objects, kind, content)
  await written
  return id
}

/** The id is known at once; several objects that name each other are written at the same time. */
export function startObject(objects: Objects, kind: ObjectKind, content: Uint8Array | string): Writing {
  const { id, whole } = named(objects.format, kind, content)
  const written = put(pathOf(objects, id), whole)
  // It is waited for later, together with others; until then its failure is not unheard of.
  written.catch(() => {})
  return { id, written }
}

/** Of a small object. */
export function objectFile(
  format: ObjectFormat,
  kind: ObjectKind,
  content: Uint8Array | string,
): { readonly id: string; readonly bytes: Buffer } {
  const { id, whole } = named(format, kind, content)
  return { id, bytes: stored(whole) }
}

function named(format: ObjectFormat, kind: ObjectKind, content: Uint8Array | string) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const whole = Buffer.concat([Buffer.from(`${kind} ${bytes.length}\0`), bytes])
  return { id: createHash(format).update(whole).digest('hex'), whole }
}

/** What an object of this content is called. */
export function idOf(format: ObjectFormat, kind: string, content: Uint8Array): string {
  return createHash(format).update(`${kind} ${content.length}\0`).update(content).digest('hex')
}

async function put(path: string, whole: Buffer): Promise<void> {
  if (existsSync(path)) return
  // By this name git knows, and prunes, what a crash left among its objects.
  const draft = draftPath(path, 'tmp_obj_')
  const bytes = whole.length <= STORED_BYTES_MAX ? stored(whole) : await deflated(whole, { level: 1 })
  await writeWhole(path, bytes, { draft, mode: 0o444, flushed: true })
}

/** Null where it is large, damaged, or no file of its own: packed, that is. */
export function looseBlob(objects: Objects, id: string): Buffer | null {
  const whole = looseObject(objects, id)
  return whole?.toString('latin1', 0, 5) === 'blob ' ? whole.subarray(whole.indexOf(0) + 1) : null
}

/** False also where that cannot be told here: it is large, or packed. */
export function isLooseIntact(objects: Objects, id: string): boolean {
  return looseObject(objects, id) !== null
}

/** With its header; its content matches its hash. */
function looseObject(objects: Objects, id: string): Buffer | null {
  const path = pathOf(objects, id)
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined || size > LOOSE_BYTES_MAX) return null
  const whole = inflatedFile(path)
  return whole !== null && createHash(objects.format).update(whole).digest('hex') === id ? whole : null
}

/** Null where it is torn, or holds more than its size lets one think. */
function inflatedFile(path: string): Buffer | null {
  try {
    return inflateSync(readFileSync(path), { maxOutputLength: LOOSE_BYTES_MAX })
  } catch {
    return null
  }
}

const LOOSE_BYTES_MAX = 1_048_576

export function pathOf({ folder }: Pick<Objects, 'folder'>, id: string): string {
  return join(folder, id.slice(0, 2), id.slice(2))
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** As git names it in this format. */
export function isObjectId({ format }: Pick<Objects, 'format'>, text: string): boolean {
  return (format === 'sha1' ? /^[0-9a-f]{40}$/ : /^[0-9a-f]{64}$/).test(text)
}

export function emptyTree({ format }: Pick<Objects, 'format'>): string {
  return createHash(format).update('tree 0\0').digest('hex')
}
