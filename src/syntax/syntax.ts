// The port of the room that reads source code with real grammars. Nothing is loaded before the first file is read.
import type { Source } from '../core/syntax/syntax-tree.ts'

export interface Syntax {
  /** Null: no grammar for this file, or the grammar cannot read it without an error. */
  read(path: string, text: string): Promise<Source | null>
}
