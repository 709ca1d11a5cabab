// What agents made and nobody merged: listed, brought back, and at last forgotten.
import type { BuildId } from '../core/id.ts'
import type { Pin, Removal, Workspaces } from '../workspace/workspace.ts'
import { type BuildDesk, isOver } from './builds.ts'

export function listPins(workspaces: Workspaces): Promise<Pin[]> {
  return workspaces.pins()
}

/** What every build that is not over needs stays, on whichever branch it was started. */
export async function cleanUp(desk: BuildDesk, workspaces: Workspaces, mode: 'dry' | 'remove'): Promise<Removal[]> {
  return workspaces.clean(await buildsToKeep(desk, await workspaces.pins()), mode)
}

async function buildsToKeep({ store, scope }: BuildDesk, pins: readonly Pin[]): Promise<BuildId[]> {
  const newest = await store.builds.newest(scope)
  const known = new Set([...pins.map(({ build }) => build), ...(newest === null ? [] : [newest.id])])
  const builds = await Promise.all([...known].map((id) => store.builds.find(id)))
  return builds.flatMap((build) => (build === null || isOver(build.state) ? [] : [build.id]))
}
