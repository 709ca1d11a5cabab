import { createHash } from 'node:crypto'

/** `sha256:…` of any plain value. */
export function digestOf(value: unknown): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`
}

/** As part of a file name. */
export function nameOf(value: unknown): string {
  return digestOf(value).slice('sha256:'.length, 'sha256:'.length + 32)
}
