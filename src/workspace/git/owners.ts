// Who holds a folder: a process, known by the token that all its children carry, so that what a dead one left running
// can be found and ended before its folder is used again.
import { join } from 'node:path'
import { pid } from 'node:process'
import { type Identity, endLeftovers, identify, isAlive } from '../../process/identity.ts'
import { engineMarker } from '../../process/marker.ts'
import { removeAtExit } from '../../process/remove-at-exit.ts'
import { readIfThere, writeWhole } from './files.ts'

export type OwnerToken = string

export interface Owners {
  /** This process's own. */
  readonly token: OwnerToken
  isAlive(token: OwnerToken): Promise<boolean>
  /** Ends what the dead owner left running: its agent, its git. */
  bury(token: OwnerToken): Promise<void>
}

export async function enterOwners(folder: string): Promise<Owners> {
  const self = await identify(pid)
  const note = join(folder, `${engineMarker}.json`)
  await writeWhole(note, JSON.stringify(self))
  // Of whom there is no note, nobody is alive.
  removeAtExit(note)
  return {
    token: engineMarker,
    isAlive: async (token) => {
      if (token === engineMarker) return true
      const identity = identityIn(await readIfThere(join(folder, `${token}.json`)))
      return identity !== null && isAlive(identity)
    },
    bury: async (token) => {
      if (/^[0-9a-f]{32}$/.test(token)) await endLeftovers(token)
    },
  }
}

function identityIn(text: string | null): Identity | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isIdentity(value) ? value : null
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
