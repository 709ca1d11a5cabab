// Brings npm's lockfile up to date with package.json, for agents that cannot: it installs nothing and runs no script.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { lastLine } from '../../system/text.ts'
import type { CheckFolder, Relocked } from '../check.ts'
import type { CheckPlace } from '../run-check.ts'
import { withEnvironment } from '../run-check.ts'
import { runCommand } from '../run-command.ts'

const ARGV = ['npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']
const LOCKFILE = 'package-lock.json'
const TIMEOUT_MS = 5 * 60_000
/** A monorepo of hundreds of packages has some 3 MB. */
const LOCKFILE_BYTES_MAX = 32 * 1024 * 1024

export async function relock(
  { folder }: CheckFolder,
  { user, signal }: Pick<CheckPlace, 'user' | 'signal'>,
): Promise<Relocked> {
  const outcome = await withEnvironment({ folder, home: null, user, signal }, (env) =>
    runCommand({ argv: ARGV, cwd: folder, env, timeoutMs: TIMEOUT_MS, signal }),
  )
  const command = ARGV.join(' ')
  if (outcome.how !== 'exited' || outcome.exit !== 0)
    return { ok: false, reason: `"${command}" failed: ${lastLine(outcome.outputTail) || outcome.how}` }
  const path = join(folder, LOCKFILE)
  const size = (await stat(path).catch(() => null))?.size ?? 0
  if (size === 0 || size > LOCKFILE_BYTES_MAX) return { ok: false, reason: `"${command}" left no usable ${LOCKFILE}` }
  return { ok: true, file: LOCKFILE, text: await readFile(path, 'utf8') }
}
