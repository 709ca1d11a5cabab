// Checks: commands that the engine runs itself, on exactly the tree that is judged, and what came out.
import type { CheckRun } from '../core/evidence.ts'
import type { TreeId } from '../core/id.ts'

export interface Check {
  readonly name: string
  readonly kind: 'check' | 'validator'
  /** The operator's own command line, run by /bin/sh; `{files}` in a validator's stands for the changed files. */
  readonly command: string
  readonly timeoutMs: number
  /** Relative to the checkout. */
  readonly cwd: string
}

export interface Checks {
  /** Makes the checkout runnable: the setup command, its result cached by command and lockfile. */
  prepare(checkout: CheckFolder, setup: string | null): Promise<Prepared>
  /** Runs one check; a green result on the same tree, check, lockfile and platform is not run twice. */
  run(checkout: CheckFolder, check: Check, files: readonly string[]): Promise<CheckRun>
}

export interface CheckFolder {
  readonly folder: string
  readonly tree: TreeId
}

/** A setup that fails is shown as a red run. */
export type Prepared = { readonly ok: true } | { readonly ok: false; readonly run: CheckRun }
