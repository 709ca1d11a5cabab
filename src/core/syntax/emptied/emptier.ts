// What a language says about taking the behaviour out of its functions.
import type { Edit } from '../edit.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, nodes, textOf } from '../tree.ts'

/** How deep a value is followed through names and calls. */
export const FOLLOWED_MAX = 4

/** Whether the value names a variable of the body, which an emptied constructor does not have any more. */
export function usesLocals(source: Source, value: SyntaxNode, body: SyntaxNode): boolean {
  const locals = new Set<string>()
  for (const node of nodes(body)) {
    const declared = LOCALS.test(node.type)
      ? (field(node, 'name') ?? field(node, 'left') ?? field(node, 'alias'))
      : null
    if (declared === null || /^(attribute|member_expression|instance_variable)$/.test(declared.type)) continue
    for (const one of nodes(declared))
      if (/identifier/.test(one.type) && one.children.length === 0) locals.add(textOf(source, one))
  }
  return [...nodes(value)].some((one) => one.type === 'identifier' && locals.has(textOf(source, one)))
}

const LOCALS =
  /^(variable_declarator|assignment|named_expression|for_statement|for_in_statement|as_pattern|function_declaration)$/

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
