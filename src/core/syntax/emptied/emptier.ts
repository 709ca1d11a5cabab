// What a language says about taking the behaviour out of its functions.
import type { Edit } from '../edit.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'

/** How deep a value is followed through names and calls. */
export const FOLLOWED_MAX = 4

export interface Emptier {
  readonly isFunction: (node: SyntaxNode) => boolean
  /** Its edits; `inside`: the function makes other functions, and those are emptied instead. */
  readonly empty: (source: Source, node: SyntaxNode, parents: readonly SyntaxNode[]) => readonly Edit[] | 'inside'
  /** Edits of a constant of the module or the class, which is no function. */
  readonly constant: (source: Source, node: SyntaxNode, parents: readonly SyntaxNode[]) => readonly Edit[]
  /** Code that only a direct start of the file runs. */
  readonly isLeftAlone?: (source: Source, node: SyntaxNode) => boolean
  /** What else the emptied file needs in order to compile. */
  readonly mend?: (source: Source, edits: readonly Edit[]) => readonly Edit[]
}
