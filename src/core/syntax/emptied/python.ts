// Takes the behaviour out of Python.
import { type Edit, replaceNode } from '../edit.ts'
import { isDocstring } from '../inline-tests.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, namedChildren, nodes, textOf } from '../tree.ts'
import { type Emptier, FOLLOWED_MAX, usesLocals } from './emptier.ts'

const NOTHING = 'None'

export const pythonEmptier: Emptier = {
  isFunction: ({ type }) => type === 'function_definition' || type === 'lambda',
  empty,
  constant,
  isLeftAlone: (source, node) =>
    node.type === 'if_statement' && /^__name__\s*==/.test(fieldText(source, node, 'condition')),
}

function empty(source: Source, node: SyntaxNode): readonly Edit[] | 'inside' {
  const body = field(node, 'body')
  if (body === null) return []
  if (node.type === 'lambda') return [replaceNode(body, neutralOf(source, body, node) ?? NOTHING)]
  const statements = namedChildren(body).filter((one) => !isDocstring(one))
  const [first] = statements
  if (first === undefined || (statements.length === 1 && first.type === 'pass_statement')) return []
  if (makesFunctions(source, node)) return 'inside'
  const from = { start: first.start, end: body.end }
  if (fieldText(source, node, 'name') === '__init__') return emptyInit(source, node, statements, from)
  if (own(body).some(({ type }) => type === 'yield')) return [replaceNode(from, 'return; yield')]
  const value = resultOf(source, node)
  return [replaceNode(from, value === NOTHING ? 'pass' : `return ${value}`)]
}

/** What the function itself runs, without the functions and classes inside it. */
function own(body: SyntaxNode): SyntaxNode[] {
  return [...nodes(body, ({ type }) => !/^(function_definition|class_definition|lambda)$/.test(type))]
}

function returned(node: SyntaxNode): (SyntaxNode | null)[] {
  const body = field(node, 'body')
  if (body === null) return []
  if (node.type === 'lambda') return [body]
  return own(body)
    .filter(({ type }) => type === 'return_statement')
    .map((one) => namedChildren(one)[0] ?? null)
}

/** A decorator or a factory: it returns a function or class of its own. */
function makesFunctions(source: Source, node: SyntaxNode): boolean {
  const inner = [...nodes(node)].filter((one) => one !== node && /^(function|class)_definition$/.test(one.type))
  const names = new Set(inner.map((one) => fieldText(source, one, 'name')))
  return returned(node).some(
    (value) => value?.type === 'lambda' || (value?.type === 'identifier' && names.has(textOf(source, value))),
  )
}

/** Keeps `super().__init__(…)` and gives each field a neutral value; a field of an unknown kind keeps its own. */
function emptyInit(
  source: Source,
  node: SyntaxNode,
  statements: readonly SyntaxNode[],
  from: { readonly start: number; readonly end: number },
): Edit[] {
  const kept = statements.flatMap((statement) => {
    const only = statement.type === 'expression_statement' ? namedChildren(statement)[0] : undefined
    if (only === undefined) return []
    if (only.type === 'call' && fieldText(source, only, 'function').startsWith('super(')) return [textOf(source, only)]
    const [left, right] = [field(only, 'left'), field(only, 'right')]
    if (only.type !== 'assignment' || left === null || right === null) return []
    if (!textOf(source, left).startsWith('self.')) return []
    const value = neutralOf(source, right, node)
    const whole = source.text.slice(only.start, right.start)
    const own = usesLocals(source, right, field(node, 'body') ?? node) ? NOTHING : textOf(source, right)
    return [`${whole}${value === null || value === NOTHING ? own : value}`]
  })
  const made = kept.length === 0 ? 'pass' : kept.join('; ')
  return made === statements.map((one) => textOf(source, one)).join('; ') ? [] : [replaceNode(from, made)]
}

function resultOf(source: Source, node: SyntaxNode, depth = 0): string {
  const byType = neutralOfType(textOfType(source, field(node, 'return_type')))
  if (byType !== null) return byType
  const values = returned(node).map((one) => (one === null ? NOTHING : neutralOf(source, one, node, depth + 1)))
  return values.find((value) => value !== null && value !== NOTHING) ?? NOTHING
}

const TYPES: Readonly<Record<string, string>> = {
  str: "''",
  int: '0',
  float: '0.0',
  complex: '0j',
  bool: 'False',
  bytes: "b''",
  bytearray: 'bytearray()',
  list: '[]',
  List: '[]',
  Sequence: '[]',
  Iterable: '[]',
  Collection: '[]',
  Iterator: 'iter(())',
  dict: '{}',
  Dict: '{}',
  Mapping: '{}',
  MutableMapping: '{}',
  defaultdict: '{}',
  set: 'set()',
  Set: 'set()',
  frozenset: 'frozenset()',
  FrozenSet: 'frozenset()',
  tuple: '()',
  Tuple: '()',
  None: NOTHING,
  NoReturn: NOTHING,
}

function textOfType(source: Source, type: SyntaxNode | null): string {
  return type === null ? '' : textOf(source, type).replace(/^(["'])(.*)\1$/, '$2')
}

/** Of `tuple[int, str]` each part; of `Optional[str]` and `str | None` the value. */
function neutralOfType(type: string, depth = 0): string | null {
  if (type === '' || depth > FOLLOWED_MAX) return null
  const union = split(type, '|')
  if (union.length > 1) return firstValue(union.map((one) => neutralOfType(one, depth + 1)))
  const match = /^(?:typing\.|collections\.abc\.|t\.)?(\w+)\s*(?:\[([^]*)\])?$/.exec(type.trim())
  const [name, inner] = [match?.[1] ?? '', match?.[2] ?? '']
  if (name === 'Optional' || name === 'Union' || name === 'Annotated' || name === 'Awaitable')
    return firstValue(split(inner, ',').map((one) => neutralOfType(one, depth + 1)))
  if (name === 'Literal') return split(inner, ',')[0] ?? null
  if (/^tuple$/i.test(name) && inner !== '' && !inner.includes('...')) {
    const parts = split(inner, ',').map((one) => neutralOfType(one, depth + 1) ?? NOTHING)
    return `(${parts.join(', ')}${parts.length === 1 ? ',' : ''})`
  }
  return Object.hasOwn(TYPES, name) ? (TYPES[name] ?? null) : null
}

function firstValue(values: readonly (string | null)[]): string | null {
  return values.find((value) => value !== null && value !== NOTHING) ?? (values.includes(null) ? null : NOTHING)
}

/** At the separators that stand in no brackets. */
function split(text: string, separator: string): string[] {
  const parts = ['']
  let depth = 0
  for (const char of text) {
    if ('[('.includes(char)) depth += 1
    if ('])'.includes(char)) depth -= 1
    if (char === separator && depth === 0) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts.map((part) => part.trim())
}

const LITERALS: Readonly<Record<string, string>> = {
  string: "''",
  concatenated_string: "''",
  integer: '0',
  float: '0.0',
  true: 'False',
  false: 'False',
  none: NOTHING,
  list: '[]',
  list_comprehension: '[]',
  set: 'set()',
  set_comprehension: 'set()',
  dictionary_comprehension: '{}',
  generator_expression: 'iter(())',
  comparison_operator: 'False',
  not_operator: 'False',
  lambda: 'lambda *args, **kwargs: None',
}

const CALLS: Readonly<Record<string, string>> = {
  "''": 'str repr join upper lower strip lstrip rstrip replace format title capitalize dumps isoformat strftime hex chr',
  '0': 'len int sum abs round index count ord hash find',
  '0.0': 'float',
  False: 'bool isinstance issubclass any all startswith endswith isdigit isalpha hasattr callable exists',
  '[]': 'list sorted split splitlines readlines',
  '{}': 'dict',
  'set()': 'set',
  '()': 'tuple',
}

function neutralOf(source: Source, node: SyntaxNode | null, owner: SyntaxNode, depth = 0): string | null {
  if (node === null || depth > FOLLOWED_MAX) return null
  const inner = (one: SyntaxNode | null | undefined): string | null => neutralOf(source, one ?? null, owner, depth + 1)
  if (node.type === 'string' && /^\w*b/i.test(textOf(source, node))) return "b''"
  if (Object.hasOwn(LITERALS, node.type)) return LITERALS[node.type] ?? null
  switch (node.type) {
    case 'parenthesized_expression':
    case 'await':
      return inner(namedChildren(node)[0])
    case 'tuple':
    case 'expression_list': {
      const parts = namedChildren(node).map((one) => inner(one) ?? NOTHING)
      return `(${parts.join(', ')}${parts.length === 1 ? ',' : ''})`
    }
    case 'dictionary':
      return dictionaryValue(source, node, inner)
    case 'conditional_expression':
      return firstValue(
        namedChildren(node)
          .filter((_, at) => at !== 1)
          .map(inner),
      )
    case 'boolean_operator':
      return firstValue([inner(field(node, 'right')), inner(field(node, 'left'))])
    case 'unary_operator':
      return inner(field(node, 'argument'))
    case 'binary_operator': {
      const values = [inner(field(node, 'left')), inner(field(node, 'right'))]
      const known = firstValue(values)
      return known ?? (/[-*/%]/.test(fieldText(source, node, 'operator')) ? '0' : null)
    }
    case 'call':
      return callValue(source, node, depth)
    case 'identifier':
      return namedValue(source, textOf(source, node), owner, depth)
    default:
      return null
  }
}

/** The same keys with neutral values. */
function dictionaryValue(source: Source, node: SyntaxNode, inner: (one: SyntaxNode | null) => string | null): string {
  const pairs = namedChildren(node).flatMap((pair) => {
    const key = field(pair, 'key')
    if (pair.type !== 'pair' || key === null || !/^(string|integer)$/.test(key.type)) return []
    return [`${textOf(source, key)}: ${inner(field(pair, 'value')) ?? NOTHING}`]
  })
  return `{${pairs.join(', ')}}`
}

function callValue(source: Source, node: SyntaxNode, depth: number): string | null {
  const called = field(node, 'function')
  const name = called === null ? '' : (textOf(source, called).split('.').at(-1) ?? '')
  const definition =
    called?.type === 'identifier'
      ? [...nodes(source.root)].find(
          (one) => one.type === 'function_definition' && fieldText(source, one, 'name') === name,
        )
      : undefined
  if (definition !== undefined) {
    const value = depth > FOLLOWED_MAX ? NOTHING : resultOf(source, definition, depth + 1)
    return value === NOTHING ? null : value
  }
  return Object.keys(CALLS).find((value) => CALLS[value]?.split(' ').includes(name)) ?? null
}

function namedValue(source: Source, name: string, owner: SyntaxNode, depth: number): string | null {
  for (const parameter of namedChildren(field(owner, 'parameters') ?? { ...owner, children: [] })) {
    const called = field(parameter, 'name') ?? namedChildren(parameter)[0] ?? parameter
    if (textOf(source, called) !== name) continue
    const byType = neutralOfType(textOfType(source, field(parameter, 'type')))
    if (byType !== null) return byType
    return neutralOf(source, field(parameter, 'value'), owner, depth + 1)
  }
  const assigned = [...nodes(owner)].find(
    (one) => one.type === 'assignment' && fieldText(source, one, 'left') === name && field(one, 'right') !== null,
  )
  return assigned === undefined ? null : neutralOf(source, field(assigned, 'right'), owner, depth + 1)
}

/** An assignment of a module or of a class. */
function constant(source: Source, node: SyntaxNode, parents: readonly SyntaxNode[]): Edit[] {
  if (node.type !== 'assignment' || !parents.every(({ type }) => OUTSIDE.test(type))) return []
  const [left, right] = [field(node, 'left'), field(node, 'right')]
  if (left?.type !== 'identifier' || right === null || /^__\w+__$/.test(textOf(source, left))) return []
  if (right.type === 'dictionary')
    return [...nodes(right)].some(({ type }) => type === 'lambda') ? [] : [replaceNode(right, '{}')]
  if (right.type === 'tuple') return [replaceNode(right, '()')]
  const value = /^(none|lambda|comparison_operator|not_operator)$/.test(right.type) ? undefined : LITERALS[right.type]
  return value === undefined ? [] : [replaceNode(right, value)]
}

const OUTSIDE = /^(module|expression_statement|class_definition|block)$/
