// The test runners of the corpus: how a project starts one, and whether it is on this machine. No network is needed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Project, Runner } from './corpus.ts'

/** Where the packages of this repository are; a missing one throws. */
const packages = {
  vitest: () => import.meta.resolve('vitest/package.json'),
  jest: () => import.meta.resolve('jest/package.json'),
  mocha: () => import.meta.resolve('mocha/package.json'),
}
/** Shared by all cases: without it every `go test` compiles the standard library. */
const GO_CACHE = join(tmpdir(), 'ralph-gate-go-cache')

const CHECKS: Readonly<Record<Runner, string>> = {
  'node:test': 'npm test',
  vitest: 'npm test',
  jest: 'npm test',
  mocha: 'npm test',
  pytest: 'python3 -m pytest',
  go: `GOCACHE=${GO_CACHE} go test ./...`,
  cargo: 'cargo test --offline',
}

export function checkOf({ runner, check }: Project): string {
  return check ?? CHECKS[runner]
}

/** Links the runner into the project, as an install would. */
export function setupOf({ runner }: Project): string {
  if (!isPackage(runner)) return ''
  const home = dirname(fileURLToPath(packages[runner]()))
  return [
    'mkdir -p node_modules/.bin',
    `ln -sfn ${home} node_modules/${runner}`,
    `ln -sfn ${join(home, '../.bin', runner)} node_modules/.bin/${runner}`,
  ].join(' && ')
}

function isPackage(runner: Runner): runner is keyof typeof packages {
  return Object.hasOwn(packages, runner)
}

const programs: Readonly<Record<Runner, readonly string[]>> = {
  'node:test': ['npm', '--version'],
  vitest: ['npm', '--version'],
  jest: ['npm', '--version'],
  mocha: ['npm', '--version'],
  pytest: ['python3', '-m', 'pytest', '--version'],
  go: ['go', 'version'],
  cargo: ['cargo', '--version'],
}

const known = new Map<Runner, string | null>()

/** Why its cases cannot be played here; null where they can. */
export function lacking(runner: Runner): string | null {
  const before = known.get(runner)
  if (before !== undefined) return before
  const why = look(runner)
  known.set(runner, why)
  return why
}

function look(runner: Runner): string | null {
  const [program = '', ...args] = programs[runner]
  if (spawnSync(program, args).status !== 0) return runner === 'pytest' ? 'no pytest' : `no ${program}`
  try {
    return isPackage(runner) && !existsSync(fileURLToPath(packages[runner]())) ? `no ${runner}` : null
  } catch {
    return `no ${runner}`
  }
}
