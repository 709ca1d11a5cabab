// One stack (Node, Python, …) in one folder.

export type CheckKind = 'typecheck' | 'lint' | 'unit'

export interface Finding {
  readonly command: string
  /** Why this command: what was found, in which file. One line. */
  readonly because: string
}

export type StackName = 'node' | 'python' | 'go' | 'rust' | 'make'

export interface Stack {
  readonly name: StackName
  readonly because: string
  readonly checks: Readonly<Partial<Record<CheckKind, Finding>>>
  readonly setup: Finding | null
  /** What was found and not used, and why. */
  readonly notes: readonly string[]
}

type Maybe<T> = { readonly [K in keyof T]: T[K] | null }

/** Leaves out the missing checks. */
export function found(checks: Maybe<Record<CheckKind, Finding>>): Stack['checks'] {
  return Object.fromEntries(Object.entries(checks).filter(([, finding]) => finding !== null))
}
