// SQLite's result codes that a user can do something about.
import { RalphError, refuse } from '../../../core/error/error.ts'

const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26

/** The primary result code; extended codes hold it in their lowest byte. */
function resultCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null
  return error.errcode & 0xff
}

export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code === BUSY || code === LOCKED
}

export function ourError(error: unknown, path: string): unknown {
  if (error instanceof RalphError) return error
  const reason = error instanceof Error ? error.message : String(error)
  switch (resultCode(error)) {
    case NOTADB:
    case CORRUPT:
      return refuse('STORE_CORRUPT', { path, reason }, error)
    case CANTOPEN:
    case READONLY:
    case IOERR:
      return refuse('STORE_UNREADABLE', { path, reason }, error)
    case FULL:
      return refuse('STORE_FULL', { path }, error)
    default:
      return error
  }
}
