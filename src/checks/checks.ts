// Checks as shell commands of the operator.
import { join } from 'node:path'
import type { CheckFolder, Checks } from './check.ts'
import { searchPath } from './environment.ts'
import { openGreenResults } from './green-results.ts'
import { homeOf, type Outfit, park } from './outfits.ts'
import { checkHash, filesFor, runCheck } from './run-check.ts'
import { setUp } from './setup.ts'
import { toolchainOf } from './toolchain.ts'

export interface ChecksGround {
  /** Green results and outfits are kept here; on the file system of the checkouts, so that outfits move by renaming. */
  readonly cacheFolder: string
  /** The user's environment, of which the checks see little (see environment.ts). */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What `prepare` left for `run`. */
interface Ready {
  readonly checkout: CheckFolder
  readonly setup: string | null
  readonly outfit: Outfit | null
}

export function openChecks({ cacheFolder, env: user }: ChecksGround): Checks {
  const outfits = join(cacheFolder, 'outfits')
  const green = openGreenResults(join(cacheFolder, 'green'))
  const ready = new Map<string, Ready>()
  const readyFor = ({ folder, tree }: CheckFolder): Ready | null => {
    const found = ready.get(folder) ?? null
    return found?.checkout.tree === tree ? found : null
  }
  const release = async ({ folder }: CheckFolder): Promise<void> => {
    const outfit = ready.get(folder)?.outfit ?? null
    ready.delete(folder)
    if (outfit !== null) await park(outfit, folder)
  }

  return {
    prepare: async (checkout, setup, signal) => {
      signal?.throwIfAborted()
      await release(checkout)
      if (setup === null) {
        ready.set(checkout.folder, { checkout, setup, outfit: null })
        return { ok: true }
      }
      const toolchain = toolchainOf(searchPath(user['PATH']))
      const done = await setUp(checkout, setup, { root: outfits, toolchain, user, signal })
      if ('failed' in done) return { ok: false, run: done.failed }
      ready.set(checkout.folder, { checkout, setup, outfit: done.outfit })
      return { ok: true }
    },
    run: async (checkout, check, changed, signal) => {
      signal?.throwIfAborted()
      const prepared = readyFor(checkout)
      const files = filesFor(check, checkout.folder, changed)
      const toolchain = toolchainOf(searchPath(user['PATH']))
      const key = [checkout.tree, checkHash(check), prepared?.setup ?? null, files, toolchain]
      const known = await green.find(key)
      if (known !== null) return { ...known, name: check.name }
      const home = prepared?.outfit == null ? null : homeOf(prepared.outfit.place)
      const run = await runCheck(check, files, { folder: checkout.folder, home, user, signal })
      await green.keep(key, run)
      return run
    },
    release,
  }
}
