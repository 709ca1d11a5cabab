// Takes the behaviour out of Rust. One function that does not compile would spoil the whole file, so a function whose
// neutral value is not known for sure stays as it is.
import { type Edit, replaceNode } from '../edit.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, namedChildren, nodes, textOf } from '../tree.ts'
import { type Emptier, FOLLOWED_MAX } from './emptier.ts'

export const rustEmptier: Emptier = {
  isFunction: ({ type }) => type === 'function_item',
  empty,
  constant,
}

function empty(source: Source, node: SyntaxNode): Edit[] {
  const body = field(node, 'body')
  if (body === null || namedChildren(body).length === 0) return []
  const type = field(node, 'return_type')
  if (type === null) return [replaceNode(body, '{}')]
  const value = neutralOfType(source, type)
  return value === null ? [] : [replaceNode(body, `{ ${value} }`)]
}

const NAMED: Readonly<Record<string, string>> = {
  String: 'String::new()',
  PathBuf: 'Default::default()',
  OsString: 'Default::default()',
  Duration: 'Default::default()',
}

const GENERIC: Readonly<Record<string, string>> = {
  Vec: 'Vec::new()',
  Option: 'None',
  VecDeque: 'Default::default()',
  HashMap: 'Default::default()',
  BTreeMap: 'Default::default()',
  HashSet: 'Default::default()',
  BTreeSet: 'Default::default()',
  BinaryHeap: 'Default::default()',
}

function neutralOfType(source: Source, type: SyntaxNode, depth = 0): string | null {
  if (depth > FOLLOWED_MAX) return null
  const text = textOf(source, type)
  switch (type.type) {
    case 'primitive_type':
      if (text === 'bool') return 'false'
      if (text === 'char') return "'\\0'"
      return text === 'str' ? null : text.startsWith('f') ? '0.0' : '0'
    case 'unit_type':
      return '()'
    case 'reference_type':
      return referenceValue(source, type)
    case 'tuple_type': {
      const parts = namedChildren(type).map((one) => neutralOfType(source, one, depth + 1))
      return parts.includes(null) ? null : `(${parts.join(', ')}${parts.length === 1 ? ',' : ''})`
    }
    case 'array_type': {
      const element = field(type, 'element')
      const value = element?.type === 'primitive_type' ? neutralOfType(source, element, depth + 1) : null
      return value === null ? null : `[${value}; ${fieldText(source, type, 'length')}]`
    }
    case 'abstract_type':
      return /^impl\s+(\w+::)*Iterator\b/.test(text)
        ? 'std::iter::empty()'
        : /^impl\s+(\w+::)*(Display|ToString|Into<String>)$/.test(text)
          ? 'String::new()'
          : null
    case 'generic_type':
      return genericValue(source, type, depth)
    case 'scoped_type_identifier':
      return text === 'fmt::Result' ? 'Ok(())' : (NAMED[lastName(text)] ?? null)
    case 'type_identifier':
      if (Object.hasOwn(NAMED, text)) return NAMED[text] ?? null
      return declaredValue(source, text === 'Self' ? ownType(source, type) : text, depth)
    default:
      return null
  }
}

function referenceValue(source: Source, type: SyntaxNode): string | null {
  const inner = field(type, 'type')
  if (inner === null) return null
  const isMutable = type.children.some((child) => child.type === 'mutable_specifier')
  if (textOf(source, inner) === 'str') return isMutable ? null : '""'
  return inner.type === 'array_type' && field(inner, 'length') === null ? (isMutable ? '&mut []' : '&[]') : null
}

function genericValue(source: Source, type: SyntaxNode, depth: number): string | null {
  const name = lastName(fieldText(source, type, 'type'))
  const held = namedChildren(field(type, 'type_arguments') ?? type)
  const inner = held[0] === undefined ? null : neutralOfType(source, held[0], depth + 1)
  if (name.endsWith('Result')) return inner === null ? null : `Ok(${inner})`
  if (/^(Box|Rc|Arc|Cell|RefCell|Mutex)$/.test(name))
    return inner === null ? null : `${fieldText(source, type, 'type')}::new(${inner})`
  if (Object.hasOwn(GENERIC, name)) return GENERIC[name] ?? null
  return null
}

function lastName(path: string): string {
  return path.split('::').at(-1) ?? path
}

/** The type that the `impl` around this node is for. */
function ownType(source: Source, inside: SyntaxNode): string {
  const around = [...nodes(source.root)].findLast(
    (node) => node.type === 'impl_item' && node.start <= inside.start && node.end >= inside.end,
  )
  return around === undefined ? '' : fieldText(source, around, 'type')
}

/** A type of this file: its default, its fields with neutral values, or the first variant without any. */
function declaredValue(source: Source, name: string, depth: number): string | null {
  if (hasDefault(source, name)) return 'Default::default()'
  const item = [...nodes(source.root)].find(
    (node) => /^(struct|enum)_item$/.test(node.type) && fieldText(source, node, 'name') === name,
  )
  const body = item === undefined ? null : field(item, 'body')
  if (item === undefined || body === null || field(item, 'type_parameters') !== null) return null
  if (item.type === 'enum_item') {
    const variant = namedChildren(body).find((one) => one.type === 'enum_variant' && field(one, 'body') === null)
    return variant === undefined ? null : `${name}::${fieldText(source, variant, 'name')}`
  }
  if (body.type !== 'field_declaration_list') return null
  const values = namedChildren(body)
    .filter(({ type }) => type === 'field_declaration')
    .map((one) => {
      const type = field(one, 'type')
      const value = type === null ? null : neutralOfType(source, type, depth + 1)
      return value === null ? null : `${fieldText(source, one, 'name')}: ${value}`
    })
  return values.includes(null) ? null : `${name} { ${values.join(', ')} }`
}

/** A type of this file that derives or implements `Default`. */
function hasDefault(source: Source, name: string): boolean {
  if (name === '') return false
  for (const node of nodes(source.root)) {
    if (
      node.type === 'impl_item' &&
      lastName(fieldText(source, node, 'trait')) === 'Default' &&
      fieldText(source, node, 'type') === name
    )
      return true
    const at = node.children.findIndex(
      (child) => /^(struct|enum)_item$/.test(child.type) && fieldText(source, child, 'name') === name,
    )
    if (at === -1) continue
    for (let before = at - 1; node.children[before]?.type === 'attribute_item'; before -= 1) {
      const attribute = node.children[before]
      if (attribute !== undefined && /derive\b[^]*\bDefault\b/.test(textOf(source, attribute))) return true
    }
  }
  return false
}

const LITERALS: Readonly<Record<string, string>> = {
  string_literal: '""',
  raw_string_literal: '""',
  integer_literal: '0',
  float_literal: '0.0',
  char_literal: "'\\0'",
}

function constant(source: Source, node: SyntaxNode, parents: readonly SyntaxNode[]): Edit[] {
  if (node.type !== 'const_item' && node.type !== 'static_item') return []
  if (!parents.every(({ type }) => /^(source_file|mod_item|impl_item|declaration_list)$/.test(type))) return []
  const value = field(node, 'value')
  if (value === null) return []
  if (value.type === 'boolean_literal') return [replaceNode(value, 'false')]
  if (
    value.type === 'reference_expression' &&
    /^&\s*'?\w*\s*\[/.test(fieldText(source, node, 'type')) &&
    !/;/.test(fieldText(source, node, 'type'))
  )
    return [replaceNode(value, '&[]')]
  const empty = LITERALS[value.type]
  if (empty === undefined) return []
  return [
    replaceNode(
      value,
      value.type === 'integer_literal' && fieldText(source, node, 'type').startsWith('f') ? '0.0' : empty,
    ),
  ]
}
