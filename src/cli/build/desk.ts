// What every build command starts from.
import { randomBytes } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { openDesk } from '../../compose.ts'
import type { BuildDesk } from '../../operations/builds.ts'
import type { Call } from '../command.ts'

export async function openBuildDesk(call: Call): Promise<BuildDesk> {
  const { store, scope } = await openDesk(call.folder, call.env)
  return { store, scope, now: Date.now, unique: () => uniquePart(Date.now()), person: person() }
}

/** Sorts by time, and two machines do not make the same. */
function uniquePart(now: number): string {
  return `${now.toString(36)}${randomBytes(3).toString('hex')}`
}

function person(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    return hostname()
  }
}
