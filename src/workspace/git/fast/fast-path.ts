import type { FastPath } from '../repository/fast-path.ts'
import { findChangesQuickly } from './changes-quickly.ts'
import { gatherQuickly } from './harvest-quickly.ts'
import { syncQuickly } from './sync-quickly.ts'

/** The only way in: without it, nothing of this folder is used. */
export const fastPath: FastPath = { sync: syncQuickly, findChanges: findChangesQuickly, gather: gatherQuickly }
