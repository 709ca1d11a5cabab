// Takes the behaviour out of Java.
import { type Edit, replaceNode } from '../edit.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, namedChildren, nodes, textOf } from '../tree.ts'
import type { Emptier } from './emptier.ts'

export const javaEmptier: Emptier = {
  isFunction: ({ type }) => /^(method_declaration|constructor_declaration|compact_constructor_declaration)$/.test(type),
  empty,
  constant,
}

function empty(source: Source, node: SyntaxNode): Edit[] {
  const body = field(node, 'body')
  if (body === null || namedChildren(body).length === 0) return []
  if (node.type !== 'method_declaration') return emptyConstructor(source, body)
  const type = field(node, 'type')
  if (type === null || type.type === 'void_type') return [replaceNode(body, '{}')]
  return [replaceNode(body, `{ return ${neutralOfType(source, type)}; }`)]
}

/** Keeps `super(…)` and what the fields get, which the compiler asks for where they are final. */
function emptyConstructor(source: Source, body: SyntaxNode): Edit[] {
  const statements = namedChildren(body)
  const kept = statements.filter((statement) => {
    if (/^(explicit_constructor_invocation|local_variable_declaration)$/.test(statement.type)) return true
    const only = namedChildren(statement)[0]
    return only?.type === 'assignment_expression' && /^(field_access|identifier)$/.test(field(only, 'left')?.type ?? '')
  })
  if (kept.length === statements.length) return []
  return [replaceNode(body, `{ ${kept.map((one) => textOf(source, one)).join(' ')} }`)]
}

const NAMED: Readonly<Record<string, string>> = {
  String: '""',
  CharSequence: '""',
  Integer: '0',
  Long: '0L',
  Short: '(short) 0',
  Byte: '(byte) 0',
  Double: '0.0',
  Float: '0f',
  Boolean: 'false',
  Character: "'\\0'",
  Number: '0',
  Object: '""',
  BigDecimal: 'java.math.BigDecimal.ZERO',
  BigInteger: 'java.math.BigInteger.ZERO',
  StringBuilder: 'new StringBuilder()',
  List: 'new java.util.ArrayList<>()',
  ArrayList: 'new java.util.ArrayList<>()',
  Collection: 'new java.util.ArrayList<>()',
  Iterable: 'new java.util.ArrayList<>()',
  LinkedList: 'new java.util.LinkedList<>()',
  Queue: 'new java.util.LinkedList<>()',
  Deque: 'new java.util.ArrayDeque<>()',
  Set: 'new java.util.HashSet<>()',
  HashSet: 'new java.util.HashSet<>()',
  LinkedHashSet: 'new java.util.LinkedHashSet<>()',
  SortedSet: 'new java.util.TreeSet<>()',
  TreeSet: 'new java.util.TreeSet<>()',
  Map: 'new java.util.HashMap<>()',
  HashMap: 'new java.util.HashMap<>()',
  LinkedHashMap: 'new java.util.LinkedHashMap<>()',
  SortedMap: 'new java.util.TreeMap<>()',
  TreeMap: 'new java.util.TreeMap<>()',
  Optional: 'java.util.Optional.empty()',
  OptionalInt: 'java.util.OptionalInt.empty()',
  OptionalLong: 'java.util.OptionalLong.empty()',
  OptionalDouble: 'java.util.OptionalDouble.empty()',
  Stream: 'java.util.stream.Stream.empty()',
  IntStream: 'java.util.stream.IntStream.empty()',
  Iterator: 'java.util.Collections.emptyIterator()',
  Runnable: '() -> {}',
}

function neutralOfType(source: Source, type: SyntaxNode): string {
  switch (type.type) {
    case 'boolean_type':
      return 'false'
    case 'integral_type':
    case 'floating_point_type':
      return '0'
    case 'array_type':
      return arrayOf(source, type)
    case 'generic_type': {
      const name = textOf(source, namedChildren(type)[0] ?? type)
      if (name === 'CompletableFuture') {
        const inner = namedChildren(namedChildren(type)[1] ?? type)[0]
        return `java.util.concurrent.CompletableFuture.completedFuture(${inner === undefined ? 'null' : neutralOfType(source, inner)})`
      }
      return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? 'null') : 'null'
    }
    default: {
      const name = textOf(source, type)
      return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? 'null') : declaredValue(source, name)
    }
  }
}

/** An enum or a record of this file. */
function declaredValue(source: Source, name: string): string {
  for (const node of nodes(source.root)) {
    if (fieldText(source, node, 'name') !== name) continue
    if (node.type === 'enum_declaration') return `${name}.values()[0]`
    const parameters = field(node, 'parameters')
    if (node.type !== 'record_declaration' || parameters === null || field(node, 'type_parameters') !== null) continue
    const values = namedChildren(parameters).map((one) => {
      const type = field(one, 'type')
      return type === null || textOf(source, type) === name ? 'null' : neutralOfType(source, type)
    })
    return `new ${name}(${values.join(', ')})`
  }
  return 'null'
}

/** `new int[0][]` for `int[][]`; a generic element cannot be made. */
function arrayOf(source: Source, type: SyntaxNode): string {
  const element = field(type, 'element')
  if (element === null || element.type === 'generic_type') return 'null'
  const dimensions = fieldText(source, type, 'dimensions').replace(/\s/g, '')
  return `new ${textOf(source, element)}[0]${dimensions.slice(2)}`
}

const LITERALS: Readonly<Record<string, string>> = {
  string_literal: '""',
  decimal_integer_literal: '0',
  hex_integer_literal: '0',
  decimal_floating_point_literal: '0',
  character_literal: "'\\0'",
  true: 'false',
  array_initializer: '{}',
}

/** A field with a literal. */
function constant(_source: Source, node: SyntaxNode, parents: readonly SyntaxNode[]): Edit[] {
  if (node.type !== 'variable_declarator' || parents.at(-1)?.type !== 'field_declaration') return []
  const value = field(node, 'value')
  const empty = value === null ? undefined : LITERALS[value.type]
  return value === null || empty === undefined ? [] : [replaceNode(value, empty)]
}
