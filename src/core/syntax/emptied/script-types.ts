// The neutral value of a TypeScript type: what an emptied function returns so that its caller still gets a value of the
// same kind.
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, hasChild, namedChildren, nodes, textOf } from '../tree.ts'
import { FOLLOWED_MAX } from './emptier.ts'

/** The function returns nothing. */
export const NOTHING = ''

const PREDEFINED: Readonly<Record<string, string>> = {
  string: "''",
  number: '0',
  boolean: 'false',
  bigint: '0n',
  void: NOTHING,
  undefined: NOTHING,
  never: NOTHING,
  object: '{}',
}

const GENERIC: Readonly<Record<string, string>> = {
  Array: '[]',
  ReadonlyArray: '[]',
  Iterable: '[]',
  Record: '{}',
  Map: 'new Map()',
  ReadonlyMap: 'new Map()',
  WeakMap: 'new WeakMap()',
  Set: 'new Set()',
  ReadonlySet: 'new Set()',
  WeakSet: 'new WeakSet()',
}

const NAMED: Readonly<Record<string, string>> = {
  Date: 'new Date(0)',
  RegExp: '/(?:)/',
  Uint8Array: 'new Uint8Array()',
  Buffer: 'Buffer.alloc(0)',
  ReactNode: 'null',
  ReactElement: 'null',
}

/** `Promise<…>`: what the promise holds. */
export function promised(source: Source, type: SyntaxNode | null): SyntaxNode | null {
  if (type?.type !== 'generic_type' || !/^Promise(Like)?$/.test(fieldText(source, type, 'name'))) return null
  const inner = field(type, 'type_arguments')
  return inner === null ? null : (namedChildren(inner)[0] ?? null)
}

/** Null: nothing is known about this type. */
export function neutralOfType(source: Source, type: SyntaxNode | null, depth = 0): string | null {
  if (type === null || depth > FOLLOWED_MAX) return null
  const inner = (node: SyntaxNode | null | undefined): string | null => neutralOfType(source, node ?? null, depth + 1)
  const text = textOf(source, type)
  switch (type.type) {
    case 'type_annotation':
    case 'parenthesized_type':
    case 'readonly_type':
      return inner(namedChildren(type)[0])
    case 'predefined_type':
      return PREDEFINED[text] ?? null
    case 'type_predicate_annotation':
    case 'type_predicate':
      return 'false'
    case 'asserts_annotation':
    case 'asserts':
      return NOTHING
    case 'this_type':
      return 'this'
    case 'literal_type':
      return text === 'undefined' ? NOTHING : text
    case 'template_literal_type':
      return "''"
    case 'array_type':
      return '[]'
    case 'tuple_type':
      return `[${namedChildren(type)
        .filter(({ type: kind }) => !/^(rest|optional)_type$/.test(kind))
        .map((one) => valueIn(inner(one)))
        .join(', ')}]`
    case 'union_type':
      return unionValue(namedChildren(type).map(inner))
    case 'object_type':
      return objectValue(source, type, inner)
    case 'function_type':
      return `() => ${arrowValue(valueIn(inner(field(type, 'return_type'))))}`
    case 'generic_type':
      return genericValue(source, type, inner)
    case 'nested_type_identifier':
      return /^(JSX\.Element|React\.(ReactNode|ReactElement))$/.test(text) ? 'null' : null
    case 'type_identifier':
      return Object.hasOwn(NAMED, text) ? (NAMED[text] ?? null) : declaredValue(source, text, inner)
    default:
      return null
  }
}

function genericValue(
  source: Source,
  type: SyntaxNode,
  inner: (node: SyntaxNode | null) => string | null,
): string | null {
  const name = fieldText(source, type, 'name')
  const held = promised(source, type)
  if (held !== null) return `Promise.resolve(${valueIn(inner(held))})`
  if (Object.hasOwn(GENERIC, name)) return GENERIC[name] ?? null
  if (/^(Readonly|Partial|Required|NonNullable|Awaited)$/.test(name)) {
    const one = field(type, 'type_arguments')
    return one === null ? null : inner(namedChildren(one)[0] ?? null)
  }
  return name.startsWith('React.') ? 'null' : declaredValue(source, name, inner)
}

/** `null` and nothing stand back behind a value. */
function unionValue(values: readonly (string | null)[]): string | null {
  const known = values.filter((value) => value !== null)
  return (
    known.find((value) => value !== NOTHING && value !== 'null') ?? (values.includes(null) ? null : known[0]) ?? null
  )
}

function objectValue(source: Source, type: SyntaxNode, inner: (node: SyntaxNode | null) => string | null): string {
  const members = namedChildren(type).flatMap((member) => {
    if (hasChild(member, '?')) return []
    const name = fieldText(source, member, 'name')
    if (member.type === 'property_signature') return [`${name}: ${valueIn(inner(field(member, 'type')))}`]
    if (member.type === 'method_signature')
      return [`${name}: () => ${arrowValue(valueIn(inner(field(member, 'return_type'))))}`]
    return []
  })
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** An interface, alias or enum of the same file. */
function declaredValue(source: Source, name: string, inner: (node: SyntaxNode | null) => string | null): string | null {
  for (const node of nodes(source.root, ({ type }) => /^(program|export_statement)$/.test(type))) {
    if (fieldText(source, node, 'name') !== name) continue
    if (node.type === 'type_alias_declaration') return inner(field(node, 'value'))
    if (node.type === 'interface_declaration' && !node.children.some(({ type }) => type === 'extends_type_clause')) {
      const body = field(node, 'body')
      return body === null ? null : objectValue(source, body, inner)
    }
  }
  return null
}

/** In the place of a value, nothing is written as `undefined`. */
export function valueIn(value: string | null): string {
  return value === null || value === NOTHING ? 'undefined' : value
}

/** Behind `=>` an object stands in parentheses. */
export function arrowValue(value: string): string {
  return value.startsWith('{') ? `(${value})` : value
}
