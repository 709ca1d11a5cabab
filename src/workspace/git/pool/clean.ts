// The only code that deletes work. It keeps everything that an unfinished build needs or a living process holds.
import { stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { BuildId } from '../../../core/values/id.ts'
import type { Removal } from '../../workspace.ts'
import { HALF_MADE } from '../repository/engine-repository.ts'
import { namesIn } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import { COMBINED, FOREIGN, type Layout, PINS, POOLS, type PoolName, decodeId, encodeId } from '../repository/layout.ts'
import type { ProcessRegistry } from '../repository/process-registry.ts'
import type { Entry, Pool } from '../agent-folder/folder-place.ts'
import { deletions, deleteRefs } from '../repository/refs.ts'
import { removeAll } from '../../../system/remove-all.ts'
import { ASIDE } from './rescue-unharvested.ts'
import { sizeOf } from './folder-size.ts'

/** Older unfinished files are from a crash. */
const ABANDONED_AFTER_MS = 24 * 3_600_000
/** Younger unreferenced objects may be about to be referenced. */
const PRUNED_AFTER = '2.hours.ago'

interface Item extends Removal {
  readonly remove: () => Promise<void>
}

export async function clean(
  context: GitContext,
  pools: Readonly<Record<PoolName, Pool>>,
  keep: readonly BuildId[],
  mode: 'dry' | 'remove',
): Promise<Removal[]> {
  const kept = new Set(keep.map(encodeId))
  const items = [
    ...(await Promise.all(POOLS.map((name) => unusedFolders(context, name, pools[name], kept)))).flat(),
    ...(await asideOf(context, kept)),
    ...(await refsOf(context, kept)),
    ...(await leftovers(context)),
  ]
  if (mode === 'remove') {
    for (const { remove } of items) await remove()
    await pack(context, pools)
  }
  return items.map(({ what, bytes }) => ({ what, bytes }))
}

async function unusedFolders(
  context: GitContext,
  name: PoolName,
  pool: Pool,
  kept: ReadonlySet<string>,
): Promise<Item[]> {
  const items: Item[] = []
  for (const entry of await pool.list()) {
    const build = entry.record?.holder?.build
    // Unowned folders save the next task of an unfinished build a full checkout.
    const isNeeded = build === undefined ? kept.size > 0 : kept.has(encodeId(build))
    if (isNeeded || (await isLive(context, entry))) continue
    const { folder, gitDir, number } = entry.slot
    const whose = entry.record?.holder == null ? '' : ` of task ${entry.record.holder.task} in build ${build}`
    items.push({
      what: `${name}/${number}${whose}`,
      bytes: await sizeOf(folder),
      remove: async () => {
        if (!(await pool.take(entry))) return
        await removeAll(folder)
        await removeAll(gitDir)
        await pool.remove(entry.slot)
      },
    })
  }
  return items
}

async function isLive({ owners }: GitContext, { owner }: Entry): Promise<boolean> {
  return owner !== null && owners.isAlive(owner)
}

async function asideOf({ paths }: GitContext, kept: ReadonlySet<string>): Promise<Item[]> {
  const folders = [paths.pools.workspaces, join(paths.state, 'in-place')].map((folder) => join(folder, ASIDE))
  return (await Promise.all(folders.map((folder) => asideIn(folder, kept)))).flat()
}

async function asideIn(folder: string, kept: ReadonlySet<string>): Promise<Item[]> {
  const builds = (await namesIn(folder)).filter((build) => !kept.has(build))
  return Promise.all(
    builds.map(async (build) => ({
      what: `folders set aside in build ${decodeId(build)}`,
      bytes: await sizeOf(join(folder, build)),
      remove: () => removeAll(join(folder, build)),
    })),
  )
}

async function refsOf(context: GitContext, kept: ReadonlySet<string>): Promise<Item[]> {
  const { git, paths, user } = context
  const list = ['for-each-ref', '--format=%(refname)', PINS, COMBINED, FOREIGN]
  const unneeded = (stdout: Buffer) =>
    stdout
      .toString()
      .split('\n')
      .filter((name) => name !== '' && !kept.has(buildIn(name)))
  const ours = unneeded((await git.engine(list, { gitDir: paths.repo })).stdout)
  const theirs = unneeded((await git.user(list, { gitDir: user.commonDir })).stdout)
  return [...new Set([...ours, ...theirs].map(buildIn))].map((build) => {
    const of = (names: readonly string[]) => names.filter((name) => buildIn(name) === build)
    const pins = new Set([...of(ours), ...of(theirs)].filter((name) => name.startsWith(PINS))).size
    return {
      what: `${pins} pins of build ${decodeId(build)}`,
      bytes: 0,
      remove: async () => {
        await deleteRefs(context, of(ours))
        const input = deletions(of(theirs))
        if (input !== '') await git.user(['update-ref', '-z', '--stdin'], { gitDir: user.commonDir, input })
      },
    }
  })
}

/** `refs/ralph/attempts/<build>/…` */
function buildIn(ref: string): string {
  return ref.split('/')[3] ?? ''
}

/** Leftovers of a crash. */
async function leftovers({ paths, owners, now }: GitContext): Promise<Item[]> {
  const items: Item[] = []
  for (const path of await abandoned(paths)) {
    const changedAt = (await stat(path).catch(() => null))?.mtimeMs ?? now()
    if (now() - changedAt < ABANDONED_AFTER_MS) continue
    const what = relative(paths.state, path)
    items.push({ what, bytes: await sizeOf(path), remove: () => removeAll(path) })
  }
  const dead = await deadProcesses(paths.owners, owners)
  if (dead.length > 0) items.push({ what: `${dead.length} notes of dead processes`, bytes: 0, remove: forget })
  return items

  async function forget(): Promise<void> {
    for (const name of dead) await removeAll(join(paths.owners, name))
  }
}

async function abandoned({ state, pools }: Layout): Promise<string[]> {
  const inState = (await namesIn(state)).filter((name) => name.startsWith(HALF_MADE) || /^index\.[0-9a-f]+/.test(name))
  const scratch = (await namesIn(join(state, 'scratch'))).map((name) => join('scratch', name))
  const paths = [...inState, ...scratch].map((name) => join(state, name))
  for (const pool of Object.values(pools)) {
    const names = await namesIn(pool)
    const used = new Set(names.filter((name) => name.endsWith('.json')).map((name) => Number.parseInt(name, 10)))
    const unused = names.filter((name) => /^\d+(\.git)?$|^\.ralph-/.test(name) && !used.has(Number.parseInt(name, 10)))
    paths.push(...unused.map((name) => join(pool, name)))
  }
  return paths
}

/** A folder with an unknown owner counts as a dead process's, so these notes are not needed. */
async function deadProcesses(folder: string, owners: ProcessRegistry): Promise<string[]> {
  const names = await namesIn(folder)
  const isDead = await Promise.all(names.map(async (name) => !(await owners.isAlive(name.replace('.json', '')))))
  return names.filter((_, at) => isDead[at])
}

/** Only this packs: 10,000 iterations leave some 100,000 files. It waits until nobody works. */
async function pack(context: GitContext, pools: Readonly<Record<PoolName, Pool>>): Promise<void> {
  const entries = (await Promise.all(POOLS.map((name) => pools[name].list()))).flat()
  for (const entry of entries) if (await isLive(context, entry)) return
  await context.git.engine(['-c', 'gc.packRefs=false', 'gc', '--quiet', `--prune=${PRUNED_AFTER}`], {
    gitDir: context.paths.repo,
  })
}
