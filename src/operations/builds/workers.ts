// Every worker of a build has an id in the store, so that others can see whether it still runs.
import { randomInt } from 'node:crypto'
import { hostname } from 'node:os'
import type { Config } from '../../config/settings/config.ts'
import type { AgentId } from '../../core/values/id.ts'
import { deregisterAgent, registerAgent } from '../tasks/agents.ts'
import type { BuildContext, FrozenBuild } from './builds.ts'

/** Registers this process for the time of the work. */
export async function asWorker<T>({ store, now }: BuildContext, work: (id: AgentId) => Promise<T>): Promise<T> {
  const context = { store, now, pick: (limit: number) => randomInt(limit) }
  const id = await registerAgent(context, process.pid, hostname())
  try {
    return await work(id)
  } finally {
    await deregisterAgent(context, id).catch(() => {})
  }
}

/** As many as asked for, otherwise as the build was frozen with; a checkout has room for one. */
export function workersOf(
  config: Pick<Config, 'limits'>,
  where: FrozenBuild['where'],
  asked: number | null | undefined,
): number {
  // A build that was frozen before this setting existed has none.
  const { workers = 1 }: Partial<Config['limits']> = config.limits
  return where === 'in-place' ? 1 : (asked ?? workers)
}

/** The same under several ids. */
export async function asWorkers<T>(
  context: BuildContext,
  number: number,
  work: (ids: readonly AgentId[]) => Promise<T>,
): Promise<T> {
  if (number === 0) return work([])
  return asWorker(context, (id) => asWorkers(context, number - 1, (others) => work([id, ...others])))
}
