// Test files that change what a failure means: assertions of their own under the names of the runner's, and runs that
// they end themselves.
import { isScript } from '../languages.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, namedChildren, nodes, stringValue, textOf } from '../tree.ts'
import type { CodeFinding } from '../under-test.ts'

export function tamperings(source: Source): CodeFinding[] {
  return [...nodes(source.root)].flatMap((node) => {
    if (!node.named) return []
    const own = ownAssertion(source, node)
    if (own !== null) return [{ line: node.line, what: `defines ${own} itself` }]
    if (endsRun(source, node)) return [{ line: node.line, what: 'ends the run with success' }]
    return catchesAll(source, node) ? [{ line: node.line, what: 'catches the errors of the whole run' }] : []
  })
}

const ASSERTIONS: Readonly<Record<string, RegExp>> = {
  javascript: /^(expect|assert)$/,
  python: /^(assert(Equal|True|False|Raises|Is|In|NotEqual|IsNone)|fail)$/,
  rust: /^(assert|assert_eq|assert_ne|panic)$/,
  java: /^(assert(Equals|True|False|Throws|That|Null|NotNull)|fail)$/,
  ruby: /^(assert|assert_equal|refute|expect|assert_raises)$/,
}

/** The name of an assertion that the file defines for itself. */
function ownAssertion(source: Source, node: SyntaxNode): string | null {
  const names = ASSERTIONS[isScript(source.language) ? 'javascript' : source.language]
  if (names === undefined) return null
  if (node.type === 'assignment_expression') {
    const target = /^(?:globalThis|global|window)\.(\w+)$/.exec(fieldText(source, node, 'left'))?.[1] ?? ''
    return names.test(target) && !isTakenOver(source, field(node, 'right')) ? target : null
  }
  if (
    !/^(variable_declarator|function_declaration|function_definition|macro_definition|method_declaration|method)$/.test(
      node.type,
    )
  )
    return null
  const name = fieldText(source, node, 'name')
  if (!names.test(name)) return null
  return node.type === 'variable_declarator' && isTakenOver(source, field(node, 'value')) ? null : name
}

/** `const expect = chai.expect`, `const assert = require('node:assert')`, `const { expect } = await import('chai')`. */
function isTakenOver(source: Source, value: SyntaxNode | null): boolean {
  return (
    value === null ||
    !/^(arrow_function|function_expression|object|class)$/.test(value.type) ||
    /\brequire\(/.test(textOf(source, value))
  )
}

const EXITS = /^(process\.(exit|reallyExit)|os\._exit|sys\.exit|os\.Exit|System\.exit|(std::)?process::exit|exit!?)$/

function endsRun(source: Source, node: SyntaxNode): boolean {
  if (node.type === 'assignment_expression')
    return (
      fieldText(source, node, 'left') === 'process.exitCode' && /^(0|undefined)$/.test(fieldText(source, node, 'right'))
    )
  if (node.type === 'assignment' && source.language === 'python')
    return fieldText(source, node, 'left').endsWith('.exitstatus') && fieldText(source, node, 'right') === '0'
  if (!/^(call_expression|call|method_invocation)$/.test(node.type)) return false
  const called = field(node, 'function') ?? field(node, 'method')
  const name =
    called === null ? `${fieldText(source, node, 'object')}.${fieldText(source, node, 'name')}` : textOf(source, called)
  const args = namedChildren(field(node, 'arguments') ?? { ...node, children: [] })
  const code = args[0] === undefined ? '0' : textOf(source, args[0])
  return EXITS.test(name) && /^(0|true)$/.test(code)
}

function catchesAll(source: Source, node: SyntaxNode): boolean {
  if (!isScript(source.language) || node.type !== 'call_expression') return false
  if (!/^process\.(on|once|addListener|prependListener)$/.test(fieldText(source, node, 'function'))) return false
  const [event] = namedChildren(field(node, 'arguments') ?? node)
  return /^(uncaughtException|unhandledRejection)$/.test(stringValue(source, event ?? null) ?? '')
}
