// Asks for a runner: its globals, its modules, its functions.
import { isScript } from '../languages.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { type Visit, field, fieldText, namedChildren, nodes, stringValue, textOf } from '../tree.ts'
import { RUNNER_GLOBAL } from './signs.ts'

export function asksForRunner(source: Source, visit: Visit): string | null {
  const { node } = visit
  if (isScript(source.language)) return asksForGlobal(source, visit)
  const text = node.children.length === 0 ? '' : textOf(source, node)
  if (source.language === 'go') {
    if (
      node.type === 'call_expression' &&
      /^testing\.(Testing|Short|Verbose|CoverMode)$/.test(fieldText(source, node, 'function'))
    )
      return `calls ${fieldText(source, node, 'function')}()`
    return null
  }
  if (source.language === 'ruby') {
    const isDefined = node.type === 'unary' && /^defined\?\s*\(?\s*(::)?(RSpec|Minitest|Test::Unit|Capybara)/.test(text)
    const isAsked = node.type === 'call' && /const_defined\?\s*\(?\s*:?["']?(RSpec|Minitest)/.test(text)
    return isDefined || isAsked ? 'asks whether a test runner is loaded' : null
  }
  if (
    source.language === 'java' &&
    node.type === 'string_literal' &&
    /^"(org\.junit|org\.testng|junit\.framework|org\.mockito)/.test(text)
  )
    return 'asks for the classes of a test runner'
  return null
}

/** `typeof describe`, `globalThis.jest`, `'it' in globalThis`, and a name that only a runner defines. */
function asksForGlobal(source: Source, { node, parents }: Visit): string | null {
  if (node.type === 'unary_expression' && fieldText(source, node, 'operator') === 'typeof') {
    const name = fieldText(source, node, 'argument')
    return RUNNER_GLOBAL.test(name) && !isDeclared(source, name) ? `asks whether ${name} is defined` : null
  }
  if (
    /^(member_expression|subscript_expression)$/.test(node.type) &&
    isGlobalObject(fieldText(source, node, 'object'))
  ) {
    const index = field(node, 'index')
    const name = index === null ? fieldText(source, node, 'property') : (stringValue(source, index) ?? '')
    return RUNNER_GLOBAL.test(name) ? `asks whether ${name} is defined` : null
  }
  if (node.type === 'binary_expression' && fieldText(source, node, 'operator') === 'in') {
    const name = stringValue(source, field(node, 'left')) ?? ''
    return RUNNER_GLOBAL.test(name) && isGlobalObject(fieldText(source, node, 'right'))
      ? `asks whether ${name} is defined`
      : null
  }
  if (node.type === 'call_expression' && /^(Reflect\.has|Object\.hasOwn)$/.test(fieldText(source, node, 'function'))) {
    const [object, key] = namedChildren(field(node, 'arguments') ?? node)
    const name = stringValue(source, key ?? null) ?? ''
    const isAsked = object !== undefined && isGlobalObject(textOf(source, object)) && RUNNER_GLOBAL.test(name)
    return isAsked ? `asks whether ${name} is defined` : null
  }
  return isBareGlobal(source, node, parents) ? `uses ${textOf(source, node)}, which only a test runner defines` : null
}

function isGlobalObject(text: string): boolean {
  return /^\(?(globalThis|global|window|self)( as \w+)?\)?$/.test(text)
}

function isBareGlobal(source: Source, node: SyntaxNode, parents: readonly SyntaxNode[]): boolean {
  if (node.type !== 'identifier') return false
  const name = textOf(source, node)
  if (!/^(describe|jest|vi|beforeEach|afterEach|beforeAll|afterAll|__vitest_worker__|__coverage__)$/.test(name))
    return false
  return parents.at(-1)?.type !== 'unary_expression' && !isDeclared(source, name)
}

/** Whether the file itself gives this name a meaning. */
function isDeclared(source: Source, name: string): boolean {
  return [...nodes(source.root)].some(
    (node) =>
      /^(variable_declarator|function_declaration|class_declaration|import_specifier|import_clause|namespace_import|required_parameter|optional_parameter|formal_parameters|object_pattern|array_pattern|catch_clause|pair_pattern)$/.test(
        node.type,
      ) &&
      [
        field(node, 'name'),
        field(node, 'alias'),
        field(node, 'pattern'),
        field(node, 'parameter'),
        field(node, 'value'),
        ...(/clause|import|parameters|pattern/.test(node.type) ? namedChildren(node) : []),
      ].some((one) => one !== null && one.children.length === 0 && textOf(source, one) === name),
  )
}
