// Git objects: their names, and how a new one is stored.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from '../command/git.ts'
import { storedBytes } from './zlib-stored.ts'

export type ObjectFormat = 'sha1' | 'sha256'
export type ObjectKind = 'blob' | 'tree' | 'commit' | 'tag'

/** An object folder of git, the hash that names its objects, and the way to add one. */
export interface Objects {
  readonly folder: string
  readonly format: ObjectFormat
  readonly store: StoreObject
}

/** The object survives a power cut when the promise is kept. */
export type StoreObject = (id: string, kind: ObjectKind, content: Uint8Array) => Promise<void>

export interface ObjectContent {
  readonly kind: string
  readonly content: Buffer
}

export interface Writing {
  readonly id: string
  readonly written: Promise<void>
}

export async function writeObject(objects: Objects, kind: ObjectKind, content: Uint8Array | string): Promise<string> {
  const { id, written } = startObject(objects, kind, content)
  await written
  return id
}

/** The id is known at once, so several objects that name each other are written at the same time. */
export function startObject(objects: Objects, kind: ObjectKind, content: Uint8Array | string): Writing {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const id = idOf(objects.format, kind, bytes)
  const written = existsSync(pathOf(objects, id)) ? Promise.resolve() : objects.store(id, kind, bytes)
  // The caller waits for it later, together with others; a failure before that is not unhandled.
  written.catch(() => {})
  return { id, written }
}

/** `--literally`: agents write objects that git would not, and their commits are kept as they are. */
export function storeByGit(git: Git, repo: string): StoreObject {
  return async (_, kind, content) => {
    await git.engine(['hash-object', '-w', '--literally', '-t', kind, '--stdin'], {
      gitDir: repo,
      input: Buffer.from(content),
    })
  }
}

/** The file of a small object. */
export function objectFile(
  format: ObjectFormat,
  kind: ObjectKind,
  content: string,
): { readonly id: string; readonly bytes: Buffer } {
  const bytes = Buffer.from(content)
  return { id: idOf(format, kind, bytes), bytes: storedBytes(Buffer.concat([headerOf(kind, bytes), bytes])) }
}

/** The name of an object with this content. */
export function idOf(format: ObjectFormat, kind: string, content: Uint8Array): string {
  return createHash(format).update(headerOf(kind, content)).update(content).digest('hex')
}

export function headerOf(kind: string, content: Uint8Array): Buffer {
  return Buffer.from(`${kind} ${content.length}\0`)
}

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
