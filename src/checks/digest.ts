import { sha256 } from '../system/hash.ts'

/** `sha256:…` of any plain value. */
export function digestOf(value: unknown): string {
  return `sha256:${sha256(JSON.stringify(value))}`
}

/** As part of a file name. */
export function nameOf(value: unknown): string {
  return digestOf(value).slice('sha256:'.length, 'sha256:'.length + 32)
}
