// Runs one check or validator on one checkout.
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type CheckRun, isGreen } from '../core/evidence/evidence.ts'
import { readChannelLines, wasNarrowed } from '../core/test-output/channel/channel-lines.ts'
import { readChannel, type RunSeen, testsSeen } from '../core/test-output/channel/channel-reading.ts'
import type { CommandSteps } from '../core/test-output/runner/command-steps.ts'
import { expectedRunner, printingRunners } from '../core/test-output/runner/runner-uses.ts'
import { commandSteps } from './runner/resolve-runner.ts'
import { versionsSaid } from '../core/evidence/runner-version.ts'
import { shell } from '../system/process/command.ts'
import type { Check, RunOptions } from './check.ts'
import { digestOf } from './digest.ts'
import { ranOutOfSpace } from './disk-space.ts'
import { checkEnvironment, type CheckEnvironment, type EnvironmentParts } from './environment.ts'
import { filesToValidate, takesFiles, withFiles } from './files-argument.ts'
import { withTempHome } from './temp-home.ts'
import { type Channel, type ChannelReach, FULL_REACH, openChannel, reachAfter } from './channel/channel.ts'
import { type Outcome, runCommand } from './run-command.ts'
import { reportIn } from './validator-report.ts'

const NOTHING_PRINTED = `sha256:${createHash('sha256').digest('hex')}`

export interface CheckPlace {
  readonly folder: string
  /** The home that the setup filled; null: an empty one for this run. */
  readonly home: string | null
  readonly user: EnvironmentParts['user']
  readonly signal: AbortSignal | undefined
  /** Of the checks that do not have all of it, by their hash; a run adds to it. */
  readonly reaches?: Map<string, ChannelReach>
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
  const steps = commandSteps(check.command, cwd)
  const start: Start = { check, argv: command.argv, cwd, place, options, steps }
  const hash = checkHash(check)
  for (let reach = place.reaches?.get(hash) ?? FULL_REACH; ;) {
    const { run, output } = await runOnce(start, reach)
    // A runner that refuses its environment has run no test.
    const left = reachAfter(reach, output)
    if (left === null) return run
    place.reaches?.set(hash, left)
    reach = left
  }
}

interface Start {
  readonly check: Check
  readonly argv: readonly string[]
  readonly cwd: string
  readonly place: CheckPlace
  readonly options: RunOptions
  readonly steps: CommandSteps
}

/** A runner that the reporters do not reach cannot report. */
function awaitedIn(steps: CommandSteps, reach: ChannelReach): Pick<RunSeen, 'expected' | 'printing'> {
  const expected = expectedRunner(steps)
  const isOut = (expected === 'pytest' && !reach.pytest) || (expected === 'node:test' && !reach.nodeTest)
  return { expected: isOut ? null : expected, printing: printingRunners(steps) }
}

function runOnce(
  { check, argv, cwd, place, options, steps }: Start,
  reach: ChannelReach,
): Promise<{ readonly run: CheckRun; readonly output: string }> {
  return withEnvironment(place, async (env, root) => {
    const timeoutMs = Math.min(check.timeoutMs, options.timeoutMs ?? Number.POSITIVE_INFINITY)
    const channel = openChannel({ root, folder: realpathSync.native(place.folder), options, reach })
    const variables = { ...channel.variables, ...env }
    const outcome = await runCommand({ argv, cwd, env: variables, timeoutMs, signal: place.signal })
    const rewrote = channel.changed()
    const run = {
      ...checkRunOf(check, outcome, channel, awaitedIn(steps, reach)),
      ...(rewrote.length === 0 ? {} : { rewrote }),
    }
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

function checkRunOf(
  check: Check,
  { output, stdout, ...outcome }: Outcome,
  channel: Channel,
  awaited: Pick<RunSeen, 'expected' | 'printing'>,
): CheckRun {
  const isCheck = check.kind === 'check'
  const lines = readChannelLines(channel.written(), channel.nonce)
  const isExitGood = outcome.how === 'exited' && outcome.exit === 0
  const seen = isCheck
    ? testsSeen({
        output,
        channel: readChannel(lines),
        isExitGood,
        ...awaited,
      })
    : null
  return {
    ...outcome,
    ...nameOf(check),
    tests: seen?.count ?? null,
    names: seen?.names ?? null,
    versions: seen?.count == null ? [] : versionsSaid(output),
    report: isCheck || stdout === null ? null : reportIn(stdout),
    cached: false,
    ...(seen?.from == null ? {} : { testsFrom: seen.from }),
    ...(seen?.contradiction == null ? {} : { contradiction: seen.contradiction }),
    ...(seen === null || seen.unloaded === 0 ? {} : { unloaded: seen.unloaded }),
    ...(wasNarrowed(lines) ? { narrowed: true } : {}),
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
