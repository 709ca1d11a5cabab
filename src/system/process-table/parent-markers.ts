// The form of a marker in an environment. Loads almost nothing, because commands ask before they begin.
import { readFileSync } from 'node:fs'

declare const brand: unique symbol
export type Marker = string & { readonly [brand]: 'Marker' }

export const MARKER_VARIABLE = 'RALPH_RUN'

/** The marker of a run once more, where the run is the operator's own command (a deploy, a notice). */
export const OPERATOR_RUN_VARIABLE = 'RALPH_OPERATOR_RUN'

export function isMarker(text: string): text is Marker {
  return /^[0-9a-f]{32}$/.test(text)
}

export function chainOf(value: string): readonly string[] {
  return value.split(':').filter((part) => part !== '')
}

/** Linux only. Null for another user's process, and for one that is gone. */
export function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return '\0'
  }
}
