// Takes the behaviour out of JavaScript and TypeScript.
import { type Edit, replaceNode } from '../edit.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, hasChild, namedChildren, nodes, textOf } from '../tree.ts'
import { type Emptier, usesLocals } from './emptier.ts'
import { declarationOf, isScriptFunction, neutralOf, neutralResult, returned } from './script-kinds.ts'
import { NOTHING, arrowValue } from './script-types.ts'

export const scriptEmptier: Emptier = { isFunction: isScriptFunction, empty, constant }

function empty(source: Source, node: SyntaxNode, parents: readonly SyntaxNode[]): readonly Edit[] | 'inside' {
  const body = field(node, 'body')
  if (body === null) return []
  if (isCalledAtOnce(parents) || makesFunctions(source, node)) return 'inside'
  if (fieldText(source, node, 'name') === 'constructor') return emptyConstructor(source, body, node)
  if (namedChildren(body).length === 0 && body.type === 'statement_block') return []
  const value = hasChild(node, '*') ? NOTHING : neutralResult(source, node)
  if (value === NOTHING) return [replaceNode(body, '{}')]
  if (body.type === 'statement_block') return [replaceNode(body, `{ return ${value ?? 'undefined'} }`)]
  return [replaceNode(body, arrowValue(value ?? 'undefined'))]
}

/** `(function () { … })()` is a module, not a function that somebody calls. */
function isCalledAtOnce(parents: readonly SyntaxNode[]): boolean {
  const around = parents.at(-1)
  const call = around?.type === 'parenthesized_expression' ? parents.at(-2) : around
  const called = call?.type === 'call_expression' ? field(call, 'function') : null
  return called !== null && (called === around || called === parents.at(-1))
}

/** What it returns are functions, or an object or class that has some: its callers need those. */
function makesFunctions(source: Source, node: SyntaxNode): boolean {
  return returned(node).some((value) => {
    const made = plain(value)
    if (made === null) return false
    if (isScriptFunction(made) || made.type === 'class') return true
    if (made.type === 'identifier') return isLocalFunction(source, textOf(source, made), node)
    if (made.type !== 'object') return false
    return namedChildren(made).some((member) => {
      if (member.type === 'method_definition') return true
      if (member.type === 'shorthand_property_identifier') return isLocalFunction(source, textOf(source, member), node)
      const one = plain(field(member, 'value'))
      if (one === null) return false
      return isScriptFunction(one) || (one.type === 'identifier' && isLocalFunction(source, textOf(source, one), node))
    })
  })
}

function isLocalFunction(source: Source, name: string, owner: SyntaxNode): boolean {
  const declared = declarationOf(source, name, owner)
  if (declared !== null) return isScriptFunction(declared) && declared.start > owner.start && declared.end <= owner.end
  return [...nodes(owner)].some((node) => node.type === 'class_declaration' && fieldText(source, node, 'name') === name)
}

function plain(node: SyntaxNode | null): SyntaxNode | null {
  if (node === null || !/^(parenthesized|as|satisfies|non_null)_expression$/.test(node.type)) return node
  return plain(namedChildren(node)[0] ?? null)
}

/** Keeps `super(…)` and gives each field a neutral value; a field of an unknown kind keeps its own. */
function emptyConstructor(source: Source, body: SyntaxNode, node: SyntaxNode): Edit[] {
  const statements = namedChildren(body)
  const kept = statements.flatMap((statement) => {
    const only = statement.type === 'expression_statement' ? namedChildren(statement)[0] : undefined
    if (only?.type === 'call_expression' && field(only, 'function')?.type === 'super') return [textOf(source, only)]
    if (only?.type !== 'assignment_expression') return []
    const [left, right] = [field(only, 'left'), field(only, 'right')]
    if (left === null || right === null || !/^this\b/.test(textOf(source, left))) return []
    const value = neutralOf(source, right, node)
    const own = usesLocals(source, right, body) ? 'undefined' : textOf(source, right)
    return [`${textOf(source, left)} = ${value === null || value === NOTHING ? own : value}`]
  })
  const made = kept.length === 0 ? '{}' : `{ ${kept.join('; ')} }`
  const before = `{ ${statements.map((one) => textOf(source, one).replace(/;$/, '')).join('; ')} }`
  return statements.length === 0 || made === before ? [] : [replaceNode(body, made)]
}

const EMPTY: Readonly<Record<string, string>> = {
  string: "''",
  template_string: "''",
  number: '0',
  true: 'false',
  false: 'false',
  array: '[]',
  object: '{}',
  regex: '/(?:)/',
}

function constant(source: Source, node: SyntaxNode, parents: readonly SyntaxNode[]): Edit[] {
  if (node.type === 'variable_declarator' && isTop(parents.slice(0, -1)))
    return emptyValue(source, field(node, 'value'))
  if (node.type === 'public_field_definition' || node.type === 'field_definition')
    return emptyValue(source, field(node, 'value'))
  if (node.type === 'pair' && isPartOfModule(parents)) return emptyValue(source, field(node, 'value'))
  return []
}

function emptyValue(source: Source, value: SyntaxNode | null): Edit[] {
  if (value === null) return []
  if (/^(as|satisfies|parenthesized)_expression$/.test(value.type))
    return emptyValue(source, namedChildren(value)[0] ?? null)
  if (value.type === 'unary_expression' && field(value, 'argument')?.type === 'number') return [replaceNode(value, '0')]
  if (value.type === 'new_expression' && /^(Map|Set)$/.test(fieldText(source, value, 'constructor'))) {
    const args = field(value, 'arguments')
    return args === null || namedChildren(args).length === 0 ? [] : [replaceNode(args, '()')]
  }
  if (value.type === 'call_expression' && fieldText(source, value, 'function') === 'Object.freeze')
    return emptyValue(source, namedChildren(field(value, 'arguments') ?? value)[0] ?? null)
  if (!Object.hasOwn(EMPTY, value.type)) return []
  // An object with functions keeps its keys; the functions are emptied one by one.
  if ((value.type === 'object' || value.type === 'array') && holdsCode(value)) return []
  const text = textOf(source, value).endsWith('n') && value.type === 'number' ? '0n' : (EMPTY[value.type] ?? '')
  return [replaceNode(value, text)]
}

function holdsCode(value: SyntaxNode): boolean {
  return [...nodes(value)].some((one) => isScriptFunction(one) || one.type === 'shorthand_property_identifier')
}

function isTop(parents: readonly SyntaxNode[]): boolean {
  return parents.every(({ type }) => type === 'program' || type === 'export_statement')
}

/** A value in an object that the module itself makes. */
function isPartOfModule(parents: readonly SyntaxNode[]): boolean {
  const outside =
    /^(program|export_statement|lexical_declaration|variable_declaration|variable_declarator|object|pair|(as|satisfies|assignment)_expression|expression_statement)$/
  return parents.every(({ type }) => outside.test(type))
}
