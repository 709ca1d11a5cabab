// The syntax tree of a source file, as plain data: the rules about code are pure functions over it. The room
// `src/syntax` makes it with a real grammar.

export type Language = 'javascript' | 'typescript' | 'tsx' | 'python' | 'go' | 'rust' | 'java' | 'ruby' | 'c'

export interface SyntaxNode {
  /** The name that the grammar gives it: `function_declaration`, `string`. */
  readonly type: string
  /** False: punctuation and keywords. */
  readonly named: boolean
  /** The role that it plays in its parent: `body`, `name`, `return_type`. */
  readonly field: string | null
  /** In UTF-16 units of the text, the end exclusive. */
  readonly start: number
  readonly end: number
  /** The first line, counted from 1. */
  readonly line: number
  readonly children: readonly SyntaxNode[]
}

/** A source file that its grammar can read without an error. */
export interface Source {
  readonly path: string
  readonly language: Language
  readonly text: string
  readonly root: SyntaxNode
}
