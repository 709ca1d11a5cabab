// A running engine leaves a note in the state folder that it works on, `<marker>.json`. It tells other processes
// whether the engine still runs, and whether they are its children.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Identity } from './identity.ts'
import { isMarker } from './parent-markers.ts'
import { readableNames } from '../readable-names.ts'

export function noteOf(folder: string, marker: string): string {
  return join(folder, `${marker}.json`)
}

/** An environment may contain anything: only a real marker becomes a path. */
export function hasNote(folder: string, marker: string): boolean {
  return isMarker(marker) && existsSync(noteOf(folder, marker))
}

/** Every engine that left a note, killed ones included. */
export function enginesIn(folder: string): readonly Identity[] {
  return readableNames(folder).flatMap((name) => identityIn(textOf(join(folder, name))) ?? [])
}

export function identityIn(text: string | null): Identity | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isIdentity(value) ? value : null
  } catch {
    return null
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function isIdentity(value: unknown): value is Identity {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'startedAt' in value &&
    typeof value.startedAt === 'number' &&
    'bootId' in value &&
    typeof value.bootId === 'string'
  )
}
