import type { FastPath } from '../repository/fast-path.ts'
import { changedFilesQuickly, findChangesQuickly } from './changes-quickly.ts'
import { gatherQuickly } from './harvest-quickly.ts'
import { readLoose, storeLoose } from './loose-objects.ts'
import { moveLooseRefs, writeLooseRef } from './loose-refs.ts'
import { mirrorDirectly } from './mirror-directly.ts'
import { syncQuickly } from './sync-quickly.ts'

/** The only way in: without it, nothing in this folder is used. */
export const fastPath: FastPath = {
  sync: syncQuickly,
  findChanges: findChangesQuickly,
  changedFiles: changedFilesQuickly,
  gather: gatherQuickly,
  storeObjects: storeLoose,
  readObject: readLoose,
  moveRefs: moveLooseRefs,
  writeRef: writeLooseRef,
  mirror: mirrorDirectly,
}
