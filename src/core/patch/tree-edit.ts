// An edit from an agent that cannot write files: a unified diff, or whole files. The engine applies it, by the rules of
// patch-rules.ts.

export type TreeEdit = { readonly diff: string } | { readonly files: readonly EditedFile[] }

export interface EditedFile {
  readonly path: string
  readonly content: string
}

/** One file that really changed, as git reports it; a rename is a deletion and an addition. */
export interface TreeChange {
  readonly path: string
  readonly change: 'added' | 'modified' | 'deleted'
  /** Git's mode, such as 100644; 000000 where there was or is no file. */
  readonly oldMode: string
  readonly newMode: string
  /** Git shows no lines of it. */
  readonly isBinary: boolean
}
