// How a marker stands in an environment. Needs next to nothing to load: commands ask it before they begin.
import { readFileSync } from 'node:fs'

declare const brand: unique symbol
export type Marker = string & { readonly [brand]: 'Marker' }

export const MARKER_VARIABLE = 'RALPH_RUN'

/** Of a run that is the operator's own command (a deploy, a notice): its own marker once more. */
export const OPERATOR_RUN_VARIABLE = 'RALPH_OPERATOR_RUN'

export function isMarker(text: string): text is Marker {
  return /^[0-9a-f]{32}$/.test(text)
}

export function chainOf(value: string): readonly string[] {
  return value.split(':').filter((part) => part !== '')
}

/** Linux only. Of another user's process, or of one that is gone, nothing can be told. */
export function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return '\0'
  }
}
