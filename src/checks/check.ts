// Checks: commands that the engine runs itself on exactly the tree under judgement, and their results.
//
//   prepare ──> run, run, … ──> release
//
// An aborted signal ends the processes, then the call rejects with its reason.
import type { CheckRun } from '../core/evidence/evidence.ts'
import type { SealedExample } from '../core/sealed/example.ts'
import type { ExampleResult } from '../core/sealed/example-result.ts'
import type { TreeId } from '../core/values/id.ts'

export interface Check {
  readonly name: string
  readonly kind: 'check' | 'validator'
  /** The operator's own command line, run by /bin/sh; `{files}` in a validator's stands for the changed files. */
  readonly command: string
  readonly timeoutMs: number
  /** Relative to the checkout. */
  readonly cwd: string
  /** Patterns of the tree's files that it may rewrite while it runs; absent: none. */
  readonly writes?: readonly string[]
}

export interface Checks {
  /** Makes the checkout runnable with the setup command; its result is cached by command and lockfile. */
  prepare(checkout: CheckFolder, setup: Setup | null, signal?: AbortSignal): Promise<Prepared>
  /** Brings npm's lockfile up to date with package.json, in a checkout that has both; other files stay. */
  relock(checkout: CheckFolder, signal?: AbortSignal): Promise<Relocked>
  /** Runs one check, whatever its earlier results. The folder holds the tree again afterwards. */
  run(
    checkout: CheckFolder,
    check: Check,
    files: readonly string[],
    signal?: AbortSignal,
    options?: RunOptions,
  ): Promise<CheckRun>
  /**
   * Runs examples in a prepared checkout, one after the other. One that hangs or floods is a result; an example never
   * fails the call.
   */
  tryExamples(
    checkout: CheckFolder,
    examples: readonly SealedExample[],
    signal?: AbortSignal,
    bounds?: ExampleBounds,
  ): Promise<ExampleResult[]>
  /** The inputs of its result: tree, check, setup, changed files where it gets them, platform and tools. */
  keyOf(tree: TreeId, check: Check, setup: Setup | null, files: readonly string[]): string
  /**
   * Takes the products of the setup out of the folder, for the next checkout that needs them. Call it before the folder
   * is given back; without it nothing breaks, but the next setup runs again.
   */
  release(checkout: CheckFolder): Promise<void>
}

/** For a run that is no evidence by itself: it only has to show whether some tests fail. */
export interface RunOptions {
  /** Ends the run at its first failed test, where its runner can. */
  readonly stopAtFirstRed?: boolean
  /** Test files, relative to the checkout, to narrow the run to; `CheckRun.narrowed` tells whether it was. */
  readonly only?: readonly string[]
  /** A deadline shorter than the check's. */
  readonly timeoutMs?: number
}

export interface ExampleBounds {
  /** Of all examples together; those that would come later are not run. */
  readonly limitMs?: number
}

export interface CheckFolder {
  readonly folder: string
  readonly tree: TreeId
  /** Files of the tree whose content in the folder is another now, or that are gone; absent: nobody can tell. */
  readonly changedFiles?: () => Promise<readonly string[]>
  readonly restoreFiles?: (paths: readonly string[]) => Promise<void>
}

export interface Setup {
  readonly command: string
  /** Scripts of packages: `preinstall`, `postinstall`, `prepare`, … */
  readonly installScripts: 'run' | 'off'
}

/** A failed setup is shown as a red run. */
export type Prepared = { readonly ok: true } | { readonly ok: false; readonly run: CheckRun }

export type Relocked =
  | { readonly ok: true; readonly file: string; readonly text: string }
  | { readonly ok: false; readonly reason: string }
