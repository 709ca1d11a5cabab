// Checks: commands that the engine runs itself, on exactly the tree that is judged, and what came out.
//
//   prepare ──> run, run, … ──> release
//
// A signal that is aborted makes the call reject with its reason; the processes are ended first.
import type { CheckRun } from '../core/evidence/evidence.ts'
import type { TreeId } from '../core/values/id.ts'

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
  prepare(checkout: CheckFolder, setup: Setup | null, signal?: AbortSignal): Promise<Prepared>
  /** Brings the lockfile of npm up to date with package.json, in a checkout that holds both; other files stay as they are. */
  relock(checkout: CheckFolder, signal?: AbortSignal): Promise<Relocked>
  /** Runs one check, whatever came out of it before. */
  run(checkout: CheckFolder, check: Check, files: readonly string[], signal?: AbortSignal): Promise<CheckRun>
  /** What its result depends on: tree, check, setup, changed files where it is given them, platform and tools. */
  keyOf(tree: TreeId, check: Check, setup: Setup | null, files: readonly string[]): string
  /**
   * Takes out of the folder what the setup made, for the next checkout that needs it. To be called before the folder is
   * given back; where it is not, nothing breaks, but the next setup runs anew.
   */
  release(checkout: CheckFolder): Promise<void>
}

export interface CheckFolder {
  readonly folder: string
  readonly tree: TreeId
}

export interface Setup {
  readonly command: string
  /** Those of packages: `preinstall`, `postinstall`, `prepare`, … */
  readonly installScripts: 'run' | 'off'
}

/** A setup that fails is shown as a red run. */
export type Prepared = { readonly ok: true } | { readonly ok: false; readonly run: CheckRun }

export type Relocked =
  | { readonly ok: true; readonly file: string; readonly text: string }
  | { readonly ok: false; readonly reason: string }
