// The test runner that a check starts: its package with the integrity of the lockfile, or its program on PATH with a
// digest of the file.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import type { RunnerIdentity } from '../../core/test-output/runner-identity.ts'
import { type CommandSteps, type Step, stepsOf } from '../../core/test-output/runner/command-steps.ts'
import { type RunnerUse, runnerUses } from '../../core/test-output/runner/runner-uses.ts'
import type { FileDigests } from './file-digests.ts'
import { foldersUp, integrityOf } from './lockfile-integrity.ts'

export interface RunnerPlace {
  /** The checkout, by its real name. */
  readonly root: string
  /** Where the check runs. */
  readonly cwd: string
  readonly searchPath: string
  readonly digests: FileDigests
}

export function commandSteps(command: string, cwd: string): CommandSteps {
  return stepsOf(command, (folder) => scriptsIn(resolve(cwd, folder)))
}

/** Null where the command starts no runner that is known. */
export async function identifyRunner(steps: CommandSteps, place: RunnerPlace): Promise<RunnerIdentity | null> {
  const all: RunnerIdentity[] = []
  for (const use of runnerUses(steps)) all.push(await identityOf(use, place))
  const [first, ...more] = all
  if (first === undefined || more.length === 0) return first ?? null
  const joined = (part: (one: RunnerIdentity) => string | null): string | null =>
    all.every((one) => part(one) === null) ? null : all.map((one) => part(one) ?? 'unknown').join(' + ')
  return {
    name: all.map(({ name }) => name).join(' + '),
    version: joined((one) => one.version),
    digest: joined((one) => one.digest),
  }
}

async function identityOf({ runner, step }: RunnerUse, place: RunnerPlace): Promise<RunnerIdentity> {
  const file = fileOf(runner, step, place)
  if (file === null) return { name: runner, version: null, digest: null }
  const owner = packageAbove(file)
  const folder = resolve(place.cwd, step.folder)
  const integrity = owner === null ? null : integrityOf(folder, place.root, owner.name, owner.version)
  // A package of another name in the place of the runner is not the runner.
  const name =
    owner === null || owner.name === runner || !packages.includes(runner) ? runner : `${owner.name} as ${runner}`
  return { name, version: owner?.version ?? null, digest: integrity ?? (await place.digests(file)) }
}

const packages: readonly string[] = ['vitest', 'jest', 'mocha']

/** The file that is the runner: a script of Node where the command names one, else the program. */
function fileOf(runner: string, step: Step, place: RunnerPlace): string | null {
  const folder = resolve(place.cwd, step.folder)
  const script = step.args.find((word) => !word.startsWith('-'))
  const isScript = basename(step.program) === 'node' && packages.includes(runner)
  if (isScript) return script === undefined ? null : realFile(resolve(folder, script))
  if (step.program.includes('/')) return realFile(resolve(folder, step.program))
  const own = step.isOfPackage ? foldersUp(folder, place.root).map((at) => join(at, 'node_modules/.bin')) : []
  const folders = [...own, ...place.searchPath.split(delimiter)]
  return folders.map((at) => realFile(join(at, step.program))).find((file) => file !== null) ?? null
}

function realFile(path: string): string | null {
  try {
    const real = realpathSync.native(path)
    return statSync(real).isFile() ? real : null
  } catch {
    return null
  }
}

/** The package of an installed file. */
function packageAbove(file: string): { readonly name: string; readonly version: string } | null {
  if (!file.includes('/node_modules/')) return null
  for (let folder = dirname(file); basename(folder) !== 'node_modules'; folder = dirname(folder)) {
    const { name, version } = readJson(join(folder, 'package.json')) ?? {}
    if (typeof name === 'string' && typeof version === 'string') return { name, version }
    if (folder === dirname(folder)) return null
  }
  return null
}

function scriptsIn(folder: string): Readonly<Record<string, string>> {
  const scripts = readJson(join(folder, 'package.json'))?.['scripts']
  if (typeof scripts !== 'object' || scripts === null) return {}
  const texts = Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts)
}

function readJson(path: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null
  } catch {
    return null
  }
}
