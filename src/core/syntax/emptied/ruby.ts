// Takes the behaviour out of Ruby.
import { type Edit, replaceNode } from '../edit.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, namedChildren, nodes, textOf } from '../tree.ts'
import { type Emptier, FOLLOWED_MAX, usesLocals } from './emptier.ts'

const NOTHING = 'nil'

export const rubyEmptier: Emptier = {
  isFunction: ({ type, named }) => named && (type === 'method' || type === 'singleton_method' || type === 'lambda'),
  empty,
  constant,
  isLeftAlone: (source, node) =>
    /^if(_modifier)?$/.test(node.type) &&
    /^__FILE__\s*==|^\$0\s*==|^\$PROGRAM_NAME\s*==/.test(fieldText(source, node, 'condition')),
}

function empty(source: Source, node: SyntaxNode): Edit[] {
  const body = field(node, 'body')
  if (body === null) return []
  if (node.type === 'lambda') {
    const inner = field(body, 'body')
    return inner === null ? [] : [replaceNode(inner, resultOf(source, inner))]
  }
  if (body.type !== 'body_statement') return [replaceNode(body, neutralOf(source, body, node) ?? NOTHING)]
  if (namedChildren(body).length === 0) return []
  if (fieldText(source, node, 'name') === 'initialize') return emptyInitialize(source, body)
  return [replaceNode(body, resultOf(source, body))]
}

/** Keeps `super` and gives each field a neutral value; a field of an unknown kind keeps its own. */
function emptyInitialize(source: Source, body: SyntaxNode): Edit[] {
  const statements = namedChildren(body)
  const kept = statements.flatMap((statement) => {
    if (/^super\b/.test(textOf(source, statement))) return [textOf(source, statement)]
    const [left, right] = [field(statement, 'left'), field(statement, 'right')]
    if (statement.type !== 'assignment' || left?.type !== 'instance_variable' || right === null) return []
    const own = usesLocals(source, right, body) ? NOTHING : textOf(source, right)
    return [`${textOf(source, left)} = ${neutralOf(source, right, body) ?? own}`]
  })
  const made = kept.length === 0 ? NOTHING : kept.join('; ')
  return made === statements.map((one) => textOf(source, one)).join('; ') ? [] : [replaceNode(body, made)]
}

function resultOf(source: Source, body: SyntaxNode, depth = 0): string {
  const last = namedChildren(body).findLast(({ type }) => !/^(rescue|ensure|else)$/.test(type))
  const returns = [...nodes(body)]
    .filter(({ type, named }) => named && type === 'return')
    .map((one) => namedChildren(namedChildren(one)[0] ?? one)[0] ?? null)
  const values = [last ?? null, ...returns].map((one) => neutralOf(source, one, body, depth + 1))
  return values.find((value) => value !== null && value !== NOTHING) ?? NOTHING
}

const LITERALS: Readonly<Record<string, string>> = {
  string: "''",
  heredoc_beginning: "''",
  integer: '0',
  float: '0.0',
  true: 'false',
  false: 'false',
  nil: NOTHING,
  array: '[]',
  string_array: '[]',
  symbol_array: '[]',
  simple_symbol: ":''",
  regex: '//',
}

const CALLS: Readonly<Record<string, string>> = {
  "''": 'to_s join upcase downcase capitalize strip lstrip rstrip chomp gsub sub inspect format sprintf to_json rjust ljust center strftime',
  '0': 'to_i length size count sum index round floor ceil abs',
  '0.0': 'to_f',
  '[]': 'map flat_map select filter reject sort sort_by to_a keys values split uniq compact take drop reverse flatten each_slice zip partition chars lines',
  '{}': 'to_h group_by merge transform_values each_with_object tally',
}

function neutralOf(source: Source, node: SyntaxNode | null, owner: SyntaxNode, depth = 0): string | null {
  if (node === null || depth > FOLLOWED_MAX) return null
  const inner = (one: SyntaxNode | null | undefined): string | null => neutralOf(source, one ?? null, owner, depth + 1)
  if (Object.hasOwn(LITERALS, node.type)) return LITERALS[node.type] ?? null
  switch (node.type) {
    case 'hash':
      return hashValue(source, node, inner)
    case 'parenthesized_statements':
    case 'then':
    case 'else':
      return inner(namedChildren(node).at(-1))
    case 'if':
    case 'unless':
    case 'conditional':
      return firstValue([inner(field(node, 'consequence')), inner(field(node, 'alternative'))])
    case 'return':
      return inner(namedChildren(namedChildren(node)[0] ?? node)[0])
    case 'unary':
      return fieldText(source, node, 'operator') === '!' ? 'false' : inner(field(node, 'operand'))
    case 'binary':
      return binaryValue(source, node, inner)
    case 'call':
      return callValue(source, node)
    case 'assignment':
      return inner(field(node, 'right'))
    case 'self':
      return 'self'
    case 'identifier': {
      const assigned = [...nodes(owner)].find(
        (one) => one.type === 'assignment' && fieldText(source, one, 'left') === textOf(source, node),
      )
      return assigned === undefined ? null : inner(field(assigned, 'right'))
    }
    default:
      return null
  }
}

function firstValue(values: readonly (string | null)[]): string | null {
  return values.find((value) => value !== null && value !== NOTHING) ?? null
}

function hashValue(source: Source, node: SyntaxNode, inner: (one: SyntaxNode | null) => string | null): string {
  const pairs = namedChildren(node).flatMap((pair) => {
    const [key, value] = [field(pair, 'key'), field(pair, 'value')]
    if (pair.type !== 'pair' || key === null || value === null) return []
    return [`${source.text.slice(pair.start, value.start)}${inner(value) ?? NOTHING}`]
  })
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
}

function binaryValue(
  source: Source,
  node: SyntaxNode,
  inner: (one: SyntaxNode | null) => string | null,
): string | null {
  const operator = fieldText(source, node, 'operator')
  if (/^([<>]=?|[!=]=|===|=~|!~)$/.test(operator)) return 'false'
  const value = firstValue([inner(field(node, 'right')), inner(field(node, 'left'))])
  return value ?? (/^[-*/%]$/.test(operator) ? '0' : null)
}

function callValue(source: Source, node: SyntaxNode): string | null {
  const name = fieldText(source, node, 'method')
  if (name.endsWith('?')) return 'false'
  if (name === 'new' && /^(Hash|Set|Array)$/.test(fieldText(source, node, 'receiver')))
    return `${fieldText(source, node, 'receiver')}.new`
  if (name === 'freeze' || name === 'dup') return neutralOf(source, field(node, 'receiver'), node, FOLLOWED_MAX)
  return Object.keys(CALLS).find((value) => CALLS[value]?.split(' ').includes(name)) ?? null
}

function constant(source: Source, node: SyntaxNode, parents: readonly SyntaxNode[]): Edit[] {
  if (node.type !== 'assignment' || field(node, 'left')?.type !== 'constant') return []
  if (!parents.every(({ type }) => /^(program|class|module|body_statement|singleton_class)$/.test(type))) return []
  const value = field(node, 'right')
  if (value === null) return []
  const literal =
    value.type === 'call' && fieldText(source, value, 'method') === 'freeze' ? field(value, 'receiver') : value
  if (literal === null) return []
  if (literal.type === 'hash' || literal.type === 'array')
    return [...nodes(literal)].some(({ type, named }) => named && type === 'lambda')
      ? []
      : [replaceNode(literal, literal.type === 'hash' ? '{}' : '[]')]
  const empty = literal.type === 'nil' || literal.type === 'heredoc_beginning' ? undefined : LITERALS[literal.type]
  return empty === undefined ? [] : [replaceNode(literal, empty)]
}
