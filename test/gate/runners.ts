// The test runners of the corpus: how a project starts one, and whether it is on this machine. No network is needed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Project, Runner } from './corpus.ts'

const MODULES = join(import.meta.dirname, '../../node_modules')
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
  if (runner !== 'vitest' && runner !== 'jest' && runner !== 'mocha') return ''
  return [
    'mkdir -p node_modules/.bin',
    `ln -sfn ${join(MODULES, runner)} node_modules/${runner}`,
    `ln -sfn ${join(MODULES, '.bin', runner)} node_modules/.bin/${runner}`,
  ].join(' && ')
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
  const isPackage = setupOf({ name: '', runner, check: null, files: [] }) !== ''
  return isPackage && !existsSync(join(MODULES, runner)) ? `no ${runner}` : null
}
