// What somebody without hands wants changed: a unified diff, or whole files. The engine does it, after the rules of
// patch-rules.ts.

export type TreeEdit = { readonly diff: string } | { readonly files: readonly EditedFile[] }

export interface EditedFile {
  readonly path: string
  readonly content: string
}

/** One file that really changed, as git tells it; a renamed one is a deleted and an added one. */
export interface TreeChange {
  readonly path: string
  readonly change: 'added' | 'modified' | 'deleted'
  /** Git's, such as 100644; 000000 where there was or is no file. */
  readonly oldMode: string
  readonly newMode: string
  /** Git shows no lines of it. */
  readonly isBinary: boolean
}
