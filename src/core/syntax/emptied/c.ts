// Takes the behaviour out of C.
import { type Edit, replaceNode } from '../edit.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, namedChildren, textOf } from '../tree.ts'
import type { Emptier } from './emptier.ts'

export const cEmptier: Emptier = { isFunction: ({ type }) => type === 'function_definition', empty, constant }

function empty(source: Source, node: SyntaxNode): Edit[] {
  const body = field(node, 'body')
  if (body === null || namedChildren(body).length === 0) return []
  return [replaceNode(body, bodyFor(source, node))]
}

function bodyFor(source: Source, node: SyntaxNode): string {
  const type = fieldText(source, node, 'type')
  const typeNode = field(node, 'type')
  let pointers = 0
  for (
    let at = field(node, 'declarator');
    at !== null && at.type !== 'function_declarator';
    at = field(at, 'declarator')
  )
    if (at.type === 'pointer_declarator') pointers += 1
  if (pointers === 1 && type === 'char') return '{ return ""; }'
  if (pointers === 1 && typeNode?.type !== 'type_identifier' && type !== 'void')
    return `{ static ${type} zero; return &zero; }`
  if (pointers > 0) return '{ return 0; }'
  if (type === 'void') return '{}'
  const isPlain = typeNode?.type === 'primitive_type' || typeNode?.type === 'sized_type_specifier'
  return isPlain || typeNode?.type === 'enum_specifier' ? '{ return 0; }' : `{ return (${type}){0}; }`
}

const LITERALS: Readonly<Record<string, string>> = {
  string_literal: '""',
  concatenated_string: '""',
  number_literal: '0',
  char_literal: "'\\0'",
  true: 'false',
  initializer_list: '{0}',
}

function constant(source: Source, node: SyntaxNode, parents: readonly SyntaxNode[]): Edit[] {
  if (node.type !== 'init_declarator' || !parents.every(({ type }) => OUTSIDE.test(type))) return []
  const value = field(node, 'value')
  if (value === null) return []
  const empty = LITERALS[value.type]
  // The length of an array comes from what stands in its list.
  const isSized = field(node, 'declarator')?.type === 'array_declarator' && !/\[\s*\]/.test(textOf(source, node))
  if (empty === undefined || (value.type === 'initializer_list' && !isSized)) return []
  return [replaceNode(value, empty)]
}

const OUTSIDE = /^(translation_unit|declaration|preproc_(if|ifdef|else|elif)|linkage_specification|declaration_list)$/
