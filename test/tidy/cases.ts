/** A few files, by path. */
type Sources = Readonly<Record<string, string>>

export interface Cases {
  /** What the rule must find, as `path:line`, and nothing else. */
  readonly planted: readonly { readonly what: string; readonly files: Sources; readonly found: readonly string[] }[]
  /** Similar code that is allowed. */
  readonly innocent: readonly { readonly what: string; readonly files: Sources }[]
}
