// Checks as shell commands of the operator.
import { join } from 'node:path'
import type { CheckRun } from '../core/evidence.ts'
import type { Check, CheckFolder, Checks, Setup } from './check.ts'
import { searchPath } from './environment.ts'
import { openGreenResults } from './green-results.ts'
import { homeOf, type Outfit, park } from './outfits.ts'
import { relock } from './relock.ts'
import { checkHash, filesFor, runCheck } from './run-check.ts'
import { type SetUp, setUp } from './setup.ts'
import { watchToolchain } from './toolchain.ts'
import { openVersions } from './versions.ts'
import { namingVariables } from './witness.ts'

export interface ChecksGround {
  /** Green results and outfits are kept here; on the file system of the checkouts, so that outfits move by renaming. */
  readonly cacheFolder: string
  /** The user's environment, of which the checks see little (see environment.ts). */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What `prepare` left for `run`. */
interface Ready {
  readonly checkout: CheckFolder
  readonly setup: Setup | null
  /** `owed`: the setup is known to succeed on this tree, and waits until a check has to run at all. */
  readonly outfit: Outfit | 'owed' | null
}

/** Trees whose setup is known to succeed; a build has a few hundred. */
const KNOWN_MAX = 1_000

function knownAs({ tree }: CheckFolder, { command, installScripts }: Setup): string {
  return `${tree} ${installScripts} ${command}`
}

export function openChecks({ cacheFolder, env: user }: ChecksGround): Checks {
  const green = openGreenResults(join(cacheFolder, 'green'))
  const versions = openVersions(user)
  const ready = new Map<string, Ready>()
  const known = new Set<string>()
  const toolchain = watchToolchain(searchPath(user['PATH']))

  const release = async ({ folder }: CheckFolder): Promise<void> => {
    const outfit = ready.get(folder)?.outfit ?? null
    ready.delete(folder)
    if (outfit !== null && outfit !== 'owed') await park(outfit, folder)
  }
  const settle = async (checkout: CheckFolder, setup: Setup, signal?: AbortSignal): Promise<SetUp> => {
    const place = { root: join(cacheFolder, 'outfits'), toolchain: toolchain(), user, signal }
    const done = await setUp(checkout, setup, place)
    if ('failed' in done) return done
    ready.set(checkout.folder, { checkout, setup, outfit: done.outfit })
    if (known.size >= KNOWN_MAX) known.clear()
    known.add(knownAs(checkout, setup))
    return done
  }
  const readyFor = ({ folder, tree }: CheckFolder): Ready | null => {
    const found = ready.get(folder) ?? null
    return found?.checkout.tree === tree ? found : null
  }
  const runNow = async (
    checkout: CheckFolder,
    check: Check,
    files: readonly string[],
    signal?: AbortSignal,
  ): Promise<CheckRun> => {
    const { setup = null, outfit = null } = readyFor(checkout) ?? {}
    const done = outfit === 'owed' && setup !== null ? await settle(checkout, setup, signal) : { outfit }
    if ('failed' in done) return done.failed
    const home = done.outfit === null || done.outfit === 'owed' ? null : homeOf(done.outfit.place)
    const naming = await namingVariables(cacheFolder)
    const run = await runCheck(check, files, { folder: checkout.folder, home, user, naming, signal })
    const made = await versions(run.tests, check.command, join(checkout.folder, check.cwd))
    return { ...run, versions: [...(run.versions ?? []), ...made] }
  }

  return {
    relock: (checkout, signal) => relock(checkout, { user, signal }),
    prepare: async (checkout, setup, signal) => {
      signal?.throwIfAborted()
      await release(checkout)
      if (setup === null || known.has(knownAs(checkout, setup))) {
        ready.set(checkout.folder, { checkout, setup, outfit: setup === null ? null : 'owed' })
        return { ok: true }
      }
      const done = await settle(checkout, setup, signal)
      return 'failed' in done ? { ok: false, run: done.failed } : { ok: true }
    },
    run: async (checkout, check, changed, signal) => {
      signal?.throwIfAborted()
      const files = filesFor(check, checkout.folder, changed)
      const key = ['named', checkout.tree, checkHash(check), readyFor(checkout)?.setup ?? null, files, toolchain()]
      const kept = await green.find(key)
      if (kept !== null) return { ...kept, name: check.name }
      const run = await runNow(checkout, check, files, signal)
      if (run.checkHash === checkHash(check)) await green.keep(key, run)
      return run
    },
    runAgain: async (checkout, check, changed, signal) => {
      signal?.throwIfAborted()
      return runNow(checkout, check, filesFor(check, checkout.folder, changed), signal)
    },
    release,
  }
}
