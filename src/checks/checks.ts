// Runs checks as the operator's shell commands.
import { join } from 'node:path'
import type { ChannelReach } from './channel/channel.ts'
import type { CheckFolder, Checks } from './check.ts'
import { digestOf } from './digest.ts'
import { givenBy, searchPath } from './environment.ts'
import { takesFiles } from './files-argument.ts'
import { homeOf, type CachedSetup, park } from './setup/setup-cache.ts'
import { relock } from './setup/relock.ts'
import { checkHash, filesFor, runCheck } from './run-check.ts'
import { setUp } from './setup/setup.ts'
import { tryExamples } from './examples/try-examples.ts'
import { writtenBy } from './written-files.ts'
import { openTools } from './runner/tools.ts'
import { watchToolchain } from './toolchain.ts'
import { openVersions } from './versions.ts'
import type { Environment } from '../core/values/environment.ts'

export interface ChecksContext {
  /** The folder of cached setups, on the file system of the checkouts, so they move by renaming. */
  readonly cacheFolder: string
  /** The user's environment; checks see little of it (see environment.ts). */
  readonly env: Environment
}

export function openChecks({ cacheFolder, env: user }: ChecksContext): Checks {
  const versions = openVersions(user)
  /** Products of the setup, by the folder that has them now. */
  const setupCache = new Map<string, CachedSetup>()
  const reaches = new Map<string, ChannelReach>()
  const toolsOf = openTools(searchPath(user['PATH']))
  const toolchain = watchToolchain(searchPath(user['PATH']))

  const release = async ({ folder }: CheckFolder): Promise<void> => {
    const cached = setupCache.get(folder)
    setupCache.delete(folder)
    if (cached !== undefined) await park(cached, folder)
  }

  const homeFor = (folder: string): string | null => {
    const cached = setupCache.get(folder)
    return cached === undefined ? null : homeOf(cached.place)
  }

  return {
    relock: (checkout, signal) => relock(checkout, { user, signal }),
    prepare: async (checkout, setup, signal) => {
      signal?.throwIfAborted()
      await release(checkout)
      if (setup === null) return { ok: true }
      const place = { root: join(cacheFolder, 'outfits'), toolchain: toolchain(), user, signal }
      const done = await setUp(checkout, setup, place)
      if ('failed' in done) return { ok: false, run: done.failed }
      setupCache.set(checkout.folder, done.cached)
      return { ok: true }
    },
    tryExamples: ({ folder }, examples, signal, bounds) => {
      signal?.throwIfAborted()
      return tryExamples(examples, { folder, home: homeFor(folder), user, signal }, bounds)
    },
    run: async (checkout, check, changed, signal, options = {}) => {
      const { folder } = checkout
      signal?.throwIfAborted()
      const place = { folder, home: homeFor(folder), user, signal, reaches }
      // Before the run, which may change its own runner; a digest is made while it runs.
      const tools = toolsOf(check, folder)
      const run = await runCheck(check, filesFor(check, folder, changed), place, options)
      const made = await versions(run.tests, check.command, join(folder, check.cwd))
      const written = await writtenBy(check, checkout)
      return { ...run, ...written, ...(await tools(run, made)), versions: [...(run.versions ?? []), ...made] }
    },
    keyOf: (tree, check, setup, changed) => {
      const files = check.kind === 'validator' && takesFiles(check.command) ? changed.toSorted() : []
      return digestOf(['result 1', tree, checkHash(check), setup, files, toolchain(), givenBy(user)])
    },
    release,
  }
}
