import { createHash } from 'node:crypto'

/** sha256 in hexadecimal digits. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
