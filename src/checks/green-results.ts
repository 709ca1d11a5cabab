// Green results that need not be made twice: one file each, named by what the result depends on. Red is never kept: it is
// always looked at again. A file that is torn, edited or of another version counts as not there.
import { readFileSync } from 'node:fs'
import { stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type CheckRun, isGreen } from '../core/evidence.ts'
import { digestOf, nameOf } from './digest.ts'
import { namesIn, writeWhole } from './folders.ts'

/** Some 5 KiB each; a long build has a few hundred trees. */
const RESULTS_MAX = 2_000
/** Looking at all of them costs some 20 ms, so it is done now and then. */
const PRUNE_EVERY = 100

export interface GreenResults {
  find(key: unknown): Promise<CheckRun | null>
  keep(key: unknown, run: CheckRun): Promise<void>
}

interface Kept {
  readonly run: CheckRun
  readonly digest: string
}

export function openGreenResults(folder: string, limit = RESULTS_MAX): GreenResults {
  const pathOf = (key: unknown): string => join(folder, `${nameOf(['green 1', key])}.json`)
  let written = 0
  return {
    find: async (key) => {
      const run = readKept(pathOf(key))
      return run && { ...run, cached: true }
    },
    keep: async (key, run) => {
      if (!isGreen(run) || run.how === 'notNeeded') return
      const kept: Kept = { run, digest: digestOf(run) }
      await writeWhole(pathOf(key), JSON.stringify(kept), 'passing')
      written += 1
      if (written % Math.min(PRUNE_EVERY, limit) === 0) await prune(folder, limit)
    },
  }
}

function readKept(path: string): CheckRun | null {
  try {
    const { run, digest } = JSON.parse(readFileSync(path, 'utf8')) as Kept
    return digestOf(run) === digest && isGreen(run) ? run : null
  } catch {
    return null
  }
}

/** The oldest go. */
async function prune(folder: string, limit: number): Promise<void> {
  const names = await namesIn(folder)
  if (names.length <= limit) return
  const aged = await Promise.all(
    names.map(async (name) => ({
      name,
      at: await stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  )
  const oldest = aged.sort((one, other) => one.at - other.at).slice(0, names.length - limit)
  await Promise.all(oldest.map(({ name }) => unlink(join(folder, name)).catch(() => undefined)))
}
