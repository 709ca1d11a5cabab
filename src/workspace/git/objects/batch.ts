// Reads the output of `git cat-file --batch`, object by object.
import { type ObjectFormat, idOf } from './objects.ts'

export interface BatchObject {
  readonly id: string
  readonly kind: string
  readonly content: Buffer
}

/** `<id> <kind> <size>\n<bytes>\n` for each name; null for a line that ends in ` missing`. */
export function readBatch(output: Buffer): (BatchObject | null)[] {
  const objects: (BatchObject | null)[] = []
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0x0a, at)
    if (end < 0) break
    const [, id, kind, size] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(output.toString('latin1', at, end)) ?? []
    at = end + 1
    if (id === undefined || kind === undefined || at + Number(size) > output.length) {
      objects.push(null)
      continue
    }
    objects.push({ id, kind, content: output.subarray(at, at + Number(size)) })
    at += Number(size) + 1
  }
  return objects
}

/** Git prints whatever it finds under a name, so the content is hashed again. */
export function isNamedRightly(format: ObjectFormat, { id, kind, content }: BatchObject): boolean {
  return idOf(format, kind, content) === id
}
