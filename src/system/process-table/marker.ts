// Every child carries RALPH_RUN=<outer>:<engine>:<run> in its environment, and so do all its descendants. It identifies
// a process that has left its group, its session and its parent. The value is a chain because Ralph may run inside a
// check or an agent of another Ralph, and the outer one must find what the inner one left behind.
import { randomBytes } from 'node:crypto'
import { env } from 'node:process'
import { refuse } from '../../core/error/error.ts'
import { chainOf, environmentOf, isMarker, type Marker, MARKER_VARIABLE } from './parent-markers.ts'

export function newMarker(): Marker {
  return randomBytes(16).toString('hex') as Marker
}

/** Strict, because processes that carry it are killed: an empty marker must never match. */
export function marker(text: string): Marker {
  if (!isMarker(text)) throw refuse('INTERNAL', { reason: 'a run marker is 32 hexadecimal digits' })
  return text
}

/** All children of this process carry it. The engine records it at its start, so the next engine can clean up. */
export const engineMarker: Marker = newMarker()

export function markerChain(run: Marker): string {
  return [...chainOf(env[MARKER_VARIABLE] ?? ''), engineMarker, run].join(':')
}

/** Whether this process is part of the run with that marker. */
export function isInside(sought: Marker): boolean {
  return chainOf(env[MARKER_VARIABLE] ?? '').includes(sought)
}

/** Linux only. `unclear`: an empty environment, which a process also shows during exec. */
export function carries(pid: number, sought: Marker): 'yes' | 'no' | 'unclear' {
  const environment = environmentOf(pid)
  if (environment === '') return 'unclear'
  const value = environment.split('\0').find((variable) => variable.startsWith(`${MARKER_VARIABLE}=`)) ?? ''
  return chainOf(value.slice(MARKER_VARIABLE.length + 1)).includes(sought) ? 'yes' : 'no'
}
