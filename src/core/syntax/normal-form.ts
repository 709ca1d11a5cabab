// Code as its structure alone: without comments, white space, types and the choices of a formatter.
import { isDocstring } from './inline-tests.ts'
import { isScript } from './languages.ts'
import type { Source, SyntaxNode } from './syntax-tree.ts'
import { isComment, namedChildren, textOf } from './tree.ts'

/** Parts of TypeScript that no program sees at run time. */
const TYPES: ReadonlySet<string> = new Set([
  'type_annotation',
  'type_arguments',
  'type_parameters',
  'type_predicate_annotation',
  'asserts_annotation',
  'interface_declaration',
  'type_alias_declaration',
  'ambient_declaration',
  'function_signature',
  'abstract_method_signature',
  'method_signature',
  'implements_clause',
  'accessibility_modifier',
  'override_modifier',
  'readonly',
  'abstract',
  'declare',
  'index_signature',
])

/** Wrappers that only types need: the value inside is the code. */
const WRAPPERS =
  /^((as|satisfies|non_null)_expression|(required|optional)_parameter|type_assertion|instantiation_expression)$/

const CLOSING: ReadonlySet<string> = new Set([')', ']', '}'])
const KEEPS_COMMA: ReadonlySet<string> = new Set([
  'tuple',
  'tuple_expression',
  'tuple_pattern',
  'expression_list',
  'subscript',
])

/** Some of their names may be types, which are left out. */
const LISTS_OF_NAMES: ReadonlySet<string> = new Set(['named_imports', 'export_clause'])

export function normalForm(source: Source, node: SyntaxNode = source.root): string {
  const parts: string[] = []
  write(source, node, parts)
  return parts.join('')
}

function write(source: Source, node: SyntaxNode, parts: string[]): void {
  const inner = isScript(source.language) ? unwrapped(node) : node
  if (inner !== node) return write(source, inner, parts)
  const text = leafText(source, node)
  if (text !== null) {
    parts.push(text, ' ')
    return
  }
  parts.push(typeName(node), '(')
  for (const [at, child] of node.children.entries())
    if (!isLeftOut(source, node, child, at)) write(source, child, parts)
  parts.push(')')
}

/** The name of a class is one kind of node in JavaScript and another in TypeScript. */
function typeName({ type }: SyntaxNode): string {
  return type === 'public_field_definition'
    ? 'field_definition'
    : type === 'abstract_class_declaration'
      ? 'class_declaration'
      : type
}

/** The text of a node that is read as one piece. */
function leafText(source: Source, node: SyntaxNode): string | null {
  if (node.children.length === 0) return textOf(source, node)
  if (node.type === 'string' || node.type === 'string_literal') return stringText(source, node)
  return null
}

/** The quotes are the formatter's choice; what stands between them is not. */
function stringText(source: Source, node: SyntaxNode): string | null {
  const text = textOf(source, node)
  if (isScript(source.language)) return `"${text.slice(1, -1).replace(/\\(['"])/g, '$1')}"`
  if (source.language !== 'python' || node.children.some(({ type }) => type === 'interpolation')) return null
  const match = /^([a-z]*)("""|'''|["'])([^]*)\2$/i.exec(text)
  return match === null ? null : `${match[1]?.toLowerCase()}"${match[3]?.replace(/\\(['"])/g, '$1')}"`
}

/** `(x as T)`, `x!` and `(x: T)` are `x`; the only parameter of an arrow function needs no parentheses. */
function unwrapped(node: SyntaxNode): SyntaxNode {
  if (WRAPPERS.test(node.type)) {
    const values = namedChildren(node).filter((child) => !TYPES.has(child.type) && child.type !== 'decorator')
    const only = node.type === 'type_assertion' ? values.at(-1) : values[0]
    const isPlain = !node.type.endsWith('parameter') || values.length === 1
    if (only !== undefined && isPlain && !isProperty(node)) return only
  }
  if (node.type === 'formal_parameters') {
    const [only, ...others] = namedChildren(node)
    const inner = only === undefined ? undefined : unwrapped(only)
    if (others.length === 0 && inner?.type === 'identifier') return inner
  }
  if (node.type === 'parenthesized_expression') {
    const only = namedChildren(node)[0]
    if (only !== undefined && WRAPPERS.test(only.type) && unwrapped(only).children.length === 0) return only
  }
  return node
}

/** `constructor(private readonly x: T)` makes a field: it is code. */
function isProperty(node: SyntaxNode): boolean {
  return node.children.some(({ type }) => type === 'accessibility_modifier' || type === 'readonly')
}

function isLeftOut(source: Source, parent: SyntaxNode, child: SyntaxNode, at: number): boolean {
  if (isComment(child)) return true
  if (child.type === ',') return isTrailingComma(parent, at) || LISTS_OF_NAMES.has(parent.type)
  if (source.language === 'python') return isDocstring(child)
  if (source.language === 'ruby') return child.type === 'then' && child.children.length === 0
  if (!isScript(source.language)) return child.type === ';' && parent.type === 'source_file'
  if (child.type === ';') return !/^for_statement$/.test(parent.type)
  if (child.type === 'empty_statement') return parent.type === 'program' || parent.type === 'statement_block'
  if (child.type === 'jsx_text') return textOf(source, child).trim() === '' && textOf(source, child).includes('\n')
  if (parent.type.endsWith('parameter') && (child.type === 'accessibility_modifier' || child.type === 'readonly'))
    return false
  if (TYPES.has(child.type)) return true
  if (child.type === 'class_heritage') return child.children.every(({ type }) => type === 'implements_clause')
  if (child.type === '?' || child.type === '!') return /(parameter|definition|declarator|signature)$/.test(parent.type)
  return isTypeImport(source, child)
}

function isTrailingComma(parent: SyntaxNode, at: number): boolean {
  if (KEEPS_COMMA.has(parent.type)) return false
  const next = parent.children.slice(at + 1).find((one) => !isComment(one))
  const before = parent.children[at - 1]
  return next !== undefined && CLOSING.has(next.type) && before?.type !== ',' && before?.type !== '['
}

/** `import type …`, `export type …` and `{ type A }`. */
function isTypeImport(source: Source, node: SyntaxNode): boolean {
  if (node.type === 'import_specifier' || node.type === 'export_specifier')
    return node.children[0]?.type === 'type' && node.children.length > 1
  if (node.type !== 'import_statement' && node.type !== 'export_statement') return false
  if (node.children[1]?.type === 'type') return true
  const declaration = node.children.find((child) => child.field === 'declaration')
  return (
    declaration !== undefined && TYPES.has(declaration.type) && !/\bdefault\b/.test(textOf(source, node).slice(0, 20))
  )
}
