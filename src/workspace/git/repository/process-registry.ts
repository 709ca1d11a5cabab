// The processes that hold folders. All children of a process carry its token, so what a dead process left running can
// be found and ended before its folder is used again.
import { pid } from 'node:process'
import { identityIn, noteOf } from '../../../system/process-table/engine-records.ts'
import { endLeftovers, identify, isAlive } from '../../../system/process-table/identity.ts'
import { engineMarker } from '../../../system/process-table/marker.ts'
import { isMarker } from '../../../system/process-table/parent-markers.ts'
import { removeAtExit } from '../../../system/remove-at-exit.ts'
import { readIfThere, writeWhole } from '../../../system/files.ts'

export type OwnerToken = string

export interface ProcessRegistry {
  /** This process's own. */
  readonly token: OwnerToken
  isAlive(token: OwnerToken): Promise<boolean>
  /** Ends what the dead owner left running: its agent, its git. */
  bury(token: OwnerToken): Promise<void>
}

export async function registerProcess(folder: string): Promise<ProcessRegistry> {
  const self = await identify(pid)
  const note = noteOf(folder, engineMarker)
  await writeWhole(note, JSON.stringify(self))
  // A process without a note counts as dead.
  removeAtExit(note)
  return {
    token: engineMarker,
    isAlive: async (token) => {
      if (token === engineMarker) return true
      const identity = identityIn(await readIfThere(noteOf(folder, token)))
      return identity !== null && isAlive(identity)
    },
    bury: async (token) => {
      if (isMarker(token)) await endLeftovers(token)
    },
  }
}
