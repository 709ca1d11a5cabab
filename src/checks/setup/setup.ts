// The setup command: makes a checkout runnable, or reuses an earlier result (see setup-cache.ts).
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { causeLines } from '../../core/values/cause-lines.ts'
import type { CheckRun } from '../../core/evidence/evidence.ts'
import { isGreen } from '../../core/evidence/evidence.ts'
import { withoutControls } from '../../core/test-output/plain-lines.ts'
import { shell } from '../../system/process/command.ts'
import type { CheckFolder, Setup } from '../check.ts'
import { digestOf } from '../digest.ts'
import { removeAll } from '../../system/remove-all.ts'
import { switchingScripts } from './install-switch.ts'
import { canMove, goodFor, type SetupProducts, productsBetween } from './setup-products.ts'
import { contentStamp, homeOf, newPlace, type CachedSetup, prune, reclaim, settle, take } from './setup-cache.ts'
import { type CheckPlace, withEnvironment } from '../run-check.ts'
import { runCommand } from '../run-command.ts'
import { setupKey } from './setup-key.ts'
import { type FileManifest, takeManifest } from './file-manifest.ts'

/** A first install of a large project over a slow connection. */
const SETUP_TIMEOUT_MS = 20 * 60_000
/** Cached setups that are free: a few lockfiles for a few checkouts. Each may take a gigabyte. */
const OUTFITS_MAX = 12

/** Half of what an install writes, and useless after it. */
const downloads = ['.npm', '.cache/pip']

export interface SetupPlace extends Pick<CheckPlace, 'user' | 'signal'> {
  /** The folder of cached setups, on the file system of the checkouts. */
  readonly root: string
  readonly toolchain: readonly string[]
}

export type SetUp = { readonly cached: CachedSetup } | { readonly failed: CheckRun }

export async function setUp(checkout: CheckFolder, setup: Setup, place: SetupPlace): Promise<SetUp> {
  const { folder, tree } = checkout
  await reclaim(place.root, folder)
  const wanted = { key: await setupKey(folder, setup, place.toolchain), folder, tree }
  const known = await take(place.root, wanted)
  if (known !== null) return { cached: known }
  await prune(place.root, OUTFITS_MAX, Date.now())
  const home = await newPlace(place.root, wanted)
  let cached: CachedSetup | null = null
  try {
    const made = await makeRunnable(folder, setup, home, place)
    if ('failed' in made) return made
    cached = await recordProducts(checkout, setup.command, home, made)
    return { cached }
  } finally {
    if (cached === null) await removeAll(home)
  }
}

async function makeRunnable(
  folder: string,
  setup: Setup,
  place: string,
  { user, signal }: SetupPlace,
): Promise<SetupProducts | { readonly failed: CheckRun }> {
  const before = await manifestOf(folder)
  const home = homeOf(place)
  const run = await switchingScripts(home, setup.installScripts, (switched) =>
    withEnvironment({ folder, home, user, signal }, async (own) => {
      const env = { ...switched, ...own }
      const argv = shell(setup.command)
      const command = { argv, cwd: folder, env, timeoutMs: SETUP_TIMEOUT_MS, signal }
      const { output, stdout: _, ...outcome } = await runCommand(command)
      return { ...setupRun(setup.command), ...outcome, cause: causeLines(withoutControls(output)) }
    }),
  )
  if (!isGreen(run)) return { failed: run }
  const made = productsBetween(before, await manifestOf(folder))
  if (made.spoilt.length === 0) return made
  const errors = [
    `the setup command changed ${made.spoilt.slice(0, 5).join(', ')}, but the tree must stay as it is: ` +
      'use a command that installs what the lockfile says and writes to nothing else (npm ci, uv sync --frozen)',
  ]
  return { failed: { ...run, report: { ok: false, errors, normalizedHtml: null } } }
}

async function recordProducts(
  { folder, tree }: CheckFolder,
  command: string,
  place: string,
  made: SetupProducts,
): Promise<CachedSetup> {
  for (const path of downloads) await removeAll(join(homeOf(place), path))
  const roots = [homeOf(place), ...made.paths.map((path) => join(folder, path))]
  const manifests: FileManifest[] = []
  for (const root of roots) manifests.push(await manifestOfProducts(root))
  const installed = roots.map((root, at) => ({ root, manifest: manifests[at] ?? new Map() }))
  const isGeneral = goodFor(folder, made, installed) === 'any tree'
  const record = { folder, isMovable: canMove(command, made), tree: isGeneral ? null : tree, paths: made.paths }
  return settle(place, record, manifests)
}

function manifestOf(folder: string): Promise<FileManifest> {
  return takeManifest(folder, (path) => path === '.git')
}

async function manifestOfProducts(path: string): Promise<FileManifest> {
  if ((await lstat(path)).isDirectory()) return takeManifest(path)
  return new Map([['', await contentStamp(path)]])
}

function setupRun(
  command: string,
): Pick<CheckRun, 'name' | 'kind' | 'checkHash' | 'tests' | 'report' | 'cached' | 'names' | 'step'> {
  const checkHash = digestOf(['setup 1', command])
  return {
    name: 'setup',
    kind: 'check',
    checkHash,
    tests: null,
    names: null,
    report: null,
    cached: false,
    step: 'setup',
  }
}
