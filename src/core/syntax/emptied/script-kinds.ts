// The neutral value of a JavaScript expression, by the kind of value that it yields.
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, hasChild, namedChildren, nodes, textOf } from '../tree.ts'
import { FOLLOWED_MAX } from './emptier.ts'
import { NOTHING, neutralOfType, promised, valueIn } from './script-types.ts'

const FUNCTIONS: ReadonlySet<string> = new Set([
  'function_declaration',
  'generator_function_declaration',
  'function_expression',
  'generator_function',
  'arrow_function',
  'method_definition',
])

export function isScriptFunction({ type, named }: SyntaxNode): boolean {
  return named && FUNCTIONS.has(type)
}

const ARRAYS =
  /^(map|filter|slice|concat|split|flat|flatMap|sort|reverse|toSorted|toReversed|toSpliced|splice|keys|values|entries|from|of|matchAll|fill|getOwnPropertyNames)$/
const TEXTS =
  /^(join|to(Locale)?(Upper|Lower)Case|trim|trimStart|trimEnd|padStart|padEnd|replace|replaceAll|toString|toFixed|toPrecision|toISOString|toLocaleString|substring|substr|charAt|repeat|normalize|stringify|toJSON|String|encodeURIComponent|decodeURIComponent|format)$/
const NUMBERS =
  /^(indexOf|lastIndexOf|findIndex|findLastIndex|push|unshift|charCodeAt|codePointAt|getTime|valueOf|search|localeCompare|Number|parseInt|parseFloat|abs|floor|ceil|round|max|min|pow|sqrt|trunc|sign|now|random|log|hypot)$/
const TRUTHS =
  /^(includes|some|every|startsWith|endsWith|has|test|isArray|isInteger|isNaN|isFinite|isSafeInteger|is|hasOwn|hasOwnProperty|Boolean|delete)$/
const MADE = /^(Map|Set|WeakMap|WeakSet|Array|Object|URLSearchParams|Headers|FormData|AbortController|EventEmitter)$/

/** Null: nothing is known about this value. `owner`: the function in which the expression stands. */
export function neutralOf(
  source: Source,
  node: SyntaxNode | null | undefined,
  owner: SyntaxNode,
  depth = 0,
): string | null {
  if (node == null || depth > FOLLOWED_MAX) return null
  const inner = (one: SyntaxNode | null | undefined): string | null => neutralOf(source, one, owner, depth + 1)
  const known = literalValue(source, node, inner)
  if (known !== null) return known
  switch (node.type) {
    case 'parenthesized_expression':
    case 'non_null_expression':
      return inner(namedChildren(node)[0])
    case 'as_expression':
    case 'satisfies_expression': {
      const [value, type] = namedChildren(node)
      return inner(value) ?? neutralOfType(source, type ?? null)
    }
    case 'await_expression':
      return unwrapped(inner(namedChildren(node)[0]))
    case 'ternary_expression':
      return firstValue(['consequence', 'alternative'].map((role) => inner(field(node, role))))
    case 'assignment_expression':
      return inner(field(node, 'right'))
    case 'sequence_expression':
      return inner(namedChildren(node).at(-1))
    case 'binary_expression':
      return binaryValue(source, node, inner)
    case 'member_expression':
      return fieldText(source, node, 'property') === 'length' ? '0' : null
    case 'new_expression': {
      const name = fieldText(source, node, 'constructor')
      return MADE.test(name) ? `new ${name}()` : name === 'Date' ? 'new Date(0)' : null
    }
    case 'call_expression':
      return callValue(source, node, owner, depth, inner)
    case 'identifier':
      return namedValue(source, textOf(source, node), owner, depth)
    default:
      return null
  }
}

function literalValue(
  source: Source,
  node: SyntaxNode,
  inner: (one: SyntaxNode | null | undefined) => string | null,
): string | null {
  switch (node.type) {
    case 'string':
    case 'template_string':
      return "''"
    case 'number':
      return textOf(source, node).endsWith('n') ? '0n' : '0'
    case 'true':
    case 'false':
      return 'false'
    case 'regex':
      return '/(?:)/'
    case 'array':
      return '[]'
    case 'object':
      return objectValue(source, node, inner)
    case 'this':
      return 'this'
    case 'null':
      return 'null'
    case 'undefined':
      return NOTHING
    case 'jsx_element':
    case 'jsx_self_closing_element':
    case 'jsx_fragment':
      return 'null'
    case 'arrow_function':
    case 'function_expression':
      return '() => {}'
    case 'update_expression':
      return '0'
    case 'unary_expression': {
      const operator = fieldText(source, node, 'operator')
      if (operator === '!' || operator === 'delete') return 'false'
      if (operator === 'typeof') return "''"
      return operator === 'void' ? NOTHING : '0'
    }
    default:
      return null
  }
}

/** The same keys with neutral values. */
function objectValue(
  source: Source,
  node: SyntaxNode,
  inner: (one: SyntaxNode | null | undefined) => string | null,
): string {
  const members = namedChildren(node).flatMap((member) => {
    if (member.type === 'shorthand_property_identifier')
      return [`${textOf(source, member)}: ${valueIn(inner({ ...member, type: 'identifier' }))}`]
    if (member.type === 'method_definition') return [`${fieldText(source, member, 'name')}() {}`]
    const key = field(member, 'key')
    if (member.type !== 'pair' || key === null || key.type === 'computed_property_name') return []
    return [`${textOf(source, key)}: ${valueIn(inner(field(member, 'value')))}`]
  })
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function binaryValue(
  source: Source,
  node: SyntaxNode,
  inner: (one: SyntaxNode | null | undefined) => string | null,
): string | null {
  const operator = fieldText(source, node, 'operator')
  const [left, right] = [inner(field(node, 'left')), inner(field(node, 'right'))]
  if (/^([<>]=?|[!=]==?|instanceof|in)$/.test(operator)) return 'false'
  if (/^(\?\?|\|\||&&)$/.test(operator)) return firstValue([right, left])
  if (operator !== '+') return left === '0n' || right === '0n' ? '0n' : '0'
  if (left === "''" || right === "''") return "''"
  return left === '0' || right === '0' ? '0' : null
}

function callValue(
  source: Source,
  node: SyntaxNode,
  owner: SyntaxNode,
  depth: number,
  inner: (one: SyntaxNode | null | undefined) => string | null,
): string | null {
  const called = field(node, 'function')
  if (called === null) return null
  const args = namedChildren(field(node, 'arguments') ?? node)
  if (called.type === 'identifier') {
    const name = textOf(source, called)
    const own = declarationOf(source, name, owner)
    if (own !== null) return isScriptFunction(own) ? returnedValue(source, own, depth + 1) : null
    return byName(name)
  }
  if (called.type !== 'member_expression') return null
  const object = fieldText(source, called, 'object')
  const method = fieldText(source, called, 'property')
  if (object === 'Promise' && method === 'resolve') return `Promise.resolve(${valueIn(inner(args[0]))})`
  if (object === 'Promise' && method.startsWith('all')) return 'Promise.resolve([])'
  if (object === 'Object' && /^(assign|freeze|fromEntries|create)$/.test(method)) return inner(args[0]) ?? '{}'
  if (/^reduce(Right)?$/.test(method)) return inner(args[1])
  // `slice` and `concat` of a text are a text.
  if (/^(slice|concat|at|valueOf)$/.test(method)) {
    const of = inner(field(called, 'object'))
    if (of === "''" || of === '[]') return of
    if (method !== 'concat' && method !== 'slice') return null
  }
  return byName(method)
}

function byName(name: string): string | null {
  if (ARRAYS.test(name)) return '[]'
  if (TEXTS.test(name)) return "''"
  if (NUMBERS.test(name)) return '0'
  return TRUTHS.test(name) ? 'false' : null
}

function namedValue(source: Source, name: string, owner: SyntaxNode, depth: number): string | null {
  for (const parameter of namedChildren(field(owner, 'parameters') ?? { ...owner, children: [] })) {
    const pattern = field(parameter, 'pattern') ?? field(parameter, 'left') ?? parameter
    if (textOf(source, pattern) !== name) continue
    const byType = neutralOfType(source, field(parameter, 'type'))
    if (byType !== null) return byType
    return neutralOf(source, field(parameter, 'value') ?? field(parameter, 'right'), owner, depth + 1)
  }
  const declared = declarationOf(source, name, owner)
  if (declared === null) return null
  if (isScriptFunction(declared)) return '() => {}'
  return neutralOfType(source, field(declared, 'type')) ?? neutralOf(source, field(declared, 'value'), owner, depth + 1)
}

/** The function or the `variable_declarator` that the name stands for: in the function, else in the module. */
export function declarationOf(source: Source, name: string, owner: SyntaxNode): SyntaxNode | null {
  const isIt = (node: SyntaxNode): boolean =>
    /^(variable_declarator|(generator_)?function_declaration)$/.test(node.type) &&
    fieldText(source, node, 'name') === name
  for (const node of nodes(owner)) if (node !== owner && isIt(node)) return functionIn(node)
  const top = /^(program|export_statement|lexical_declaration|variable_declaration)$/
  for (const node of nodes(source.root, ({ type }) => top.test(type))) if (isIt(node)) return functionIn(node)
  return null
}

/** `const f = () => …` declares a function. */
function functionIn(node: SyntaxNode): SyntaxNode {
  const value = field(node, 'value')
  return value !== null && isScriptFunction(value) ? value : node
}

/** The values that the function itself returns, without those of the functions inside it. */
export function returned(node: SyntaxNode): (SyntaxNode | null)[] {
  const body = field(node, 'body')
  if (body === null) return []
  if (body.type !== 'statement_block') return [body]
  return [...nodes(body, (one) => !isScriptFunction(one) && !one.type.startsWith('class'))]
    .filter(({ type, named }) => named && type === 'return_statement')
    .map((statement) => namedChildren(statement)[0] ?? null)
}

/** What a call of this function yields. */
function returnedValue(source: Source, node: SyntaxNode, depth: number): string | null {
  if (hasChild(node, '*')) return null
  const value = neutralResult(source, node, depth)
  return hasChild(node, 'async') ? `Promise.resolve(${valueIn(value)})` : value
}

/** What the body of this function returns once it is emptied; an async function without its promise. */
export function neutralResult(source: Source, node: SyntaxNode, depth = 0): string | null {
  const annotated = field(node, 'return_type')
  const type = annotated?.type === 'type_annotation' ? (namedChildren(annotated)[0] ?? null) : annotated
  const isAsync = hasChild(node, 'async')
  const byType = neutralOfType(source, isAsync ? (promised(source, type) ?? type) : type)
  if (byType !== null && byType !== 'null' && byType !== 'Promise.resolve(undefined)') return byType
  const values = returned(node).map((one) => (one === null ? NOTHING : neutralOf(source, one, node, depth + 1)))
  const value = values.length === 0 ? NOTHING : firstValue(values)
  return isAsync ? unwrapped(value) : (value ?? byType)
}

/** The first that is a value; else `null`, nothing, or not known. */
function firstValue(values: readonly (string | null)[]): string | null {
  const known = values.filter((value) => value !== null)
  const value = known.find((one) => one !== 'null' && one !== NOTHING)
  if (value !== undefined) return value
  if (known.length < values.length) return null
  return known.find((one) => one === 'null') ?? known[0] ?? null
}

function unwrapped(value: string | null): string | null {
  const match = /^Promise\.resolve\(([^]*)\)$/.exec(value ?? '')
  if (match === null) return value
  return match[1] === 'undefined' ? null : (match[1] ?? null)
}
