// Where no mutant is made: a change there keeps the behaviour, or breaks the file.
import { isDocstring } from '../inline-tests.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, isComment, textOf } from '../tree.ts'

const LEFT_OUT: ReadonlySet<string> = new Set([
  // imports
  'import_statement',
  'import_from_statement',
  'import_declaration',
  'use_declaration',
  'extern_crate_declaration',
  'package_clause',
  'package_declaration',
  'preproc_include',
  'preproc_ifdef',
  'preproc_if',
  'import_require_clause',
  // types
  'type_annotation',
  'type_arguments',
  'type_parameters',
  'type_alias_declaration',
  'interface_declaration',
  'ambient_declaration',
  'type_declaration',
  'type',
  'array_type',
  'field_declaration_list',
  'array_declarator',
  'where_clause',
  'function_signature',
  'implements_clause',
  'extends_type_clause',
  'literal_type',
  // notes for tools
  'decorator',
  'attribute_item',
  'inner_attribute_item',
  'marker_annotation',
  'annotation',
  // patterns have to cover every case
  'match_pattern',
  'case_pattern',
  'regex',
  'string_array',
  'symbol_array',
])

export function isOutOfReach(source: Source, node: SyntaxNode): boolean {
  if (!node.named) return false
  if (isComment(node) || LEFT_OUT.has(node.type)) return true
  if (node.type === 'export_statement') return field(node, 'source') !== null
  if (source.language === 'python') return isDocstring(node) || isMainGuard(source, node)
  if (node.type === 'call' && source.language === 'ruby')
    return /^(require|require_relative|attr_\w+|private|public|protected|include|extend)$/.test(
      fieldText(source, node, 'method'),
    )
  if (node.type === 'call_expression') return /^(import|require)$/.test(fieldText(source, node, 'function'))
  // `"use strict"`.
  return node.type === 'expression_statement' && /^(["'])use \w+\1;?$/.test(textOf(source, node))
}

function isMainGuard(source: Source, node: SyntaxNode): boolean {
  return node.type === 'if_statement' && /^__name__\s*==/.test(fieldText(source, node, 'condition'))
}
