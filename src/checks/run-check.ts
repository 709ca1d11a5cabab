// Runs one check or validator on one checkout.
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type CheckRun, isGreen } from '../core/evidence/evidence.ts'
import { readChannelLines, wasNarrowed } from '../core/test-output/channel-lines.ts'
import { readTests } from '../core/test-output/read-tests.ts'
import { countUnloaded } from '../core/test-output/unloaded.ts'
import { versionsSaid } from '../core/evidence/runner-version.ts'
import { shell } from '../system/process/command.ts'
import type { Check, RunOptions } from './check.ts'
import { digestOf } from './digest.ts'
import { ranOutOfSpace } from './disk-space.ts'
import { checkEnvironment, type CheckEnvironment, type EnvironmentParts } from './environment.ts'
import { filesToValidate, takesFiles, withFiles } from './files-argument.ts'
import { withTempHome } from './temp-home.ts'
import { type Channel, openChannel } from './channel/channel.ts'
import { PLUGIN_REFUSED } from './channel/pytest-text.ts'
import { type Outcome, runCommand } from './run-command.ts'
import { reportIn } from './validator-report.ts'

const NOTHING_PRINTED = `sha256:${createHash('sha256').digest('hex')}`

export interface CheckPlace {
  readonly folder: string
  /** The home that the setup filled; null: an empty one for this run. */
  readonly home: string | null
  readonly user: EnvironmentParts['user']
  readonly signal: AbortSignal | undefined
  /** Hashes of checks whose commands keep pytest from finding our plugin; a run adds to it. */
  readonly withoutPlugin?: Set<string>
}

export function checkHash({ kind, command, cwd, timeoutMs }: Check): string {
  return digestOf(['check 1', kind, command, cwd, timeoutMs])
}

/** `files` as the validator gets them; they are part of the inputs of its result. */
export function filesFor(check: Check, folder: string, files: readonly string[]): readonly string[] {
  return check.kind === 'validator' && takesFiles(check.command) ? filesToValidate(folder, check.cwd, files) : []
}

export async function runCheck(
  check: Check,
  files: readonly string[],
  place: CheckPlace,
  options: RunOptions = {},
): Promise<CheckRun> {
  const isByFile = check.kind === 'validator' && takesFiles(check.command)
  if (isByFile && files.length === 0) return notRun(check, 'notNeeded', 'no changed file to look at')
  const command = isByFile ? withFiles(check.command, files) : { argv: shell(check.command) }
  if ('problem' in command) return notRun(check, 'notStarted', command.problem)
  const cwd = folderInside(place.folder, check.cwd)
  if (cwd === null)
    return notRun(check, 'notStarted', `${check.cwd} is no folder of the tree: correct cwd in ralph.toml`)
  const start: Start = { check, argv: command.argv, cwd, place, options }
  const hash = checkHash(check)
  const isKnownWithout = place.withoutPlugin?.has(hash) === true
  const ran = await runOnce(start, isKnownWithout ? 'without' : 'with')
  if (isKnownWithout || !PLUGIN_REFUSED.test(ran.output)) return ran.run
  // The command sets PYTHONPATH, or runs Python in isolation: pytest knows the plugin's name and does not find it.
  place.withoutPlugin?.add(hash)
  return (await runOnce(start, 'without')).run
}

interface Start {
  readonly check: Check
  readonly argv: readonly string[]
  readonly cwd: string
  readonly place: CheckPlace
  readonly options: RunOptions
}

function runOnce(
  { check, argv, cwd, place, options }: Start,
  pytestPlugin: 'with' | 'without',
): Promise<{ readonly run: CheckRun; readonly output: string }> {
  return withEnvironment(place, async (env, root) => {
    const timeoutMs = Math.min(check.timeoutMs, options.timeoutMs ?? Number.POSITIVE_INFINITY)
    const channel = openChannel({ root, folder: realpathSync.native(place.folder), options, pytestPlugin })
    const variables = { ...channel.variables, ...env }
    const outcome = await runCommand({ argv, cwd, env: variables, timeoutMs, signal: place.signal })
    const rewrote = channel.changed()
    const run = { ...checkRunOf(check, outcome, channel), ...(rewrote.length === 0 ? {} : { rewrote }) }
    // Before the temporary folder is removed, which may free space.
    const isOutOfSpace = !isGreen(run) && ranOutOfSpace(outcome.output, [cwd, root])
    return { run: isOutOfSpace ? { ...run, noSpace: true } : run, output: outcome.output }
  })
}

/** Gives the work a temporary folder, and a home where it has none; both are removed with `root`. */
export function withEnvironment<T>(
  { folder, home, user }: CheckPlace,
  work: (env: CheckEnvironment, root: string) => Promise<T>,
): Promise<T> {
  return withTempHome((own) => {
    const { temporary, root } = own
    return work(checkEnvironment({ user, home: home ?? own.home, temporary, folder }), root)
  })
}

function checkRunOf(check: Check, { output, stdout, ...outcome }: Outcome, channel: Channel): CheckRun {
  const isCheck = check.kind === 'check'
  const tests = isCheck ? readTests(output) : null
  const unloaded = isCheck ? countUnloaded(output) : 0
  const isNarrowed = wasNarrowed(readChannelLines(channel.written(), channel.nonce))
  return {
    ...outcome,
    ...nameOf(check),
    tests: tests?.count ?? null,
    names: tests?.names ?? null,
    versions: tests === null ? [] : versionsSaid(output),
    report: isCheck || stdout === null ? null : reportIn(stdout),
    cached: false,
    ...(unloaded > 0 ? { unloaded } : {}),
    ...(isNarrowed ? { narrowed: true } : {}),
  }
}

function notRun(check: Check, how: 'notNeeded' | 'notStarted', why: string): CheckRun {
  const nothing = { argv: [], exit: null, durationMs: 0, tests: null, names: null, report: null, cached: false }
  return { ...nameOf(check), ...nothing, how, outputDigest: NOTHING_PRINTED, outputTail: why }
}

function nameOf(check: Check): Pick<CheckRun, 'name' | 'kind' | 'checkHash'> {
  return { name: check.name, kind: check.kind, checkHash: checkHash(check) }
}

/** A link in the tree must not lead a check out of it. */
function folderInside(folder: string, cwd: string): string | null {
  try {
    const root = realpathSync.native(folder)
    const path = realpathSync.native(join(root, cwd))
    return relative(root, path).split('/')[0] === '..' ? null : path
  } catch {
    return null
  }
}
