// Code that agrees with whatever a test expects instead of computing it: objects that equal everything, answers in the
// order in which a test asks.
import { isScript } from './languages.ts'
import { normalForm } from './normal-form.ts'
import type { Source, SyntaxNode } from './syntax-tree.ts'
import { field, nodes, stringValue, textOf } from './tree.ts'
import type { CodeFinding } from './under-test.ts'

/** For a source file that is no test. What the base has in the same words is no finding. */
export function pretences(now: Source, base: Source | null): CodeFinding[] {
  const known = new Set(base === null ? [] : found(base).map(({ key }) => key))
  return found(now)
    .filter(({ key }) => !known.has(key))
    .map(({ line, what }) => ({ line, what }))
}

interface Found extends CodeFinding {
  readonly key: string
}

function found(source: Source): Found[] {
  const top = topNames(source)
  return [...nodes(source.root)].flatMap((node) => {
    const what = isScript(source.language) ? ofScript(source, node) : ofOthers(source, node)
    const said = what ?? answersInTurn(source, node, top)
    return said === null ? [] : [{ line: node.line, what: said, key: `${said} ${normalForm(source, node)}` }]
  })
}

const EQUALS_ALL = 'an object decides itself what it equals'

/** Test libraries ask an object for these before they compare. */
const asked = /^(?:asymmetricMatch|valueOf|\$\$typeof|Symbol\.toPrimitive)$/

function ofScript(source: Source, node: SyntaxNode): string | null {
  if (node.type !== 'pair' && node.type !== 'method_definition' && node.type !== 'field_definition') return null
  const key = field(node, 'key') ?? field(node, 'name') ?? field(node, 'property')
  const name = key === null ? '' : textOf(source, key).replaceAll(/^[['"]+|[\]'"]+$/g, '')
  return asked.test(name) ? EQUALS_ALL : null
}

const comparison = /^__(?:eq|ne|lt|le|gt|ge)__$/
const functions = /^(?:function_definition|function_item|method_declaration|method)$/

function ofOthers(source: Source, node: SyntaxNode): string | null {
  const { language } = source
  if (language === 'python' && node.type === 'string' && comparison.test(stringValue(source, node) ?? ''))
    return EQUALS_ALL
  if (language === 'python' && node.type === 'assignment') {
    const left = field(node, 'left')
    return left !== null && comparison.test(textOf(source, left)) ? EQUALS_ALL : null
  }
  if (!functions.test(node.type)) return null
  const name = field(node, 'name')
  const isComparison = name !== null && /^(?:__(?:eq|ne|lt|le|gt|ge)__|eq|ne|equals|==|<=>)$/.test(textOf(source, name))
  return isComparison && !comparesOther(source, node) ? EQUALS_ALL : null
}

/** Whether the body uses what it is compared with, for more than its kind. */
function comparesOther(source: Source, node: SyntaxNode): boolean {
  const parameters = field(node, 'parameters')
  const body = field(node, 'body')
  if (parameters === null || body === null) return true
  const names = [...nodes(parameters)].filter(({ type }) => type === 'identifier').map((one) => textOf(source, one))
  const other = names.filter((name) => name !== 'self').at(-1)
  if (other === undefined) return false
  const text = textOf(source, body).replaceAll(/\bisinstance\([^)]*\)|\binstanceof\s+\w+|\btype\([^)]*\)/g, '')
  return new RegExp(String.raw`(?<![\w$])${other.replaceAll(/\W/g, String.raw`\$&`)}(?![\w$])`).test(text)
}

const lists = /^(?:tuple|list|array|array_expression|parenthesized_expression)$/

/** `(28, 29, 29)[calls % 3]`: an element of a written list by a count that outlives the call. */
function answersInTurn(source: Source, node: SyntaxNode, top: ReadonlySet<string>): string | null {
  if (node.type !== 'subscript' && node.type !== 'subscript_expression' && node.type !== 'index_expression') return null
  const [list, ...rest] = node.children.filter(({ named }) => named)
  if (list === undefined || !lists.test(list.type) || !/\d|['"]/.test(textOf(source, list))) return null
  const names = rest.flatMap((index) => [...nodes(index)]).filter(({ type }) => type === 'identifier')
  const counted = names.find((name) => top.has(textOf(source, name)))
  return counted === undefined
    ? null
    : `answers from a written list, by a count of its calls (${textOf(source, counted)})`
}

/** Variables of the module, which outlive a call. */
function topNames(source: Source): ReadonlySet<string> {
  const statements = source.root.children.flatMap((node) => [node, ...node.children])
  const declared = statements.flatMap((node) => [...nodes(node, ({ type }) => !/function|class|lambda/.test(type))])
  return new Set(
    declared
      .filter(({ type }) => type === 'assignment' || type === 'variable_declarator' || type === 'augmented_assignment')
      .flatMap((node) => {
        const name = field(node, 'left') ?? field(node, 'name')
        return name === null ? [] : [textOf(source, name)]
      }),
  )
}
