// Tests that do not run, or that keep others from running.
import { isScript } from '../languages.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { type TestCase, attributesOf, scriptCall } from '../test-cases.ts'
import { field, fieldText, namedChildren, nodes, textOf, visits } from '../tree.ts'
import type { CodeFinding } from '../under-test.ts'
import { isEmptyList } from './swallowed.ts'

export function switchedOff(source: Source, tests: readonly TestCase[]): CodeFinding[] {
  const marked = [...visits(source.root)].flatMap(({ node, parents }) => {
    const what = markOf(source, node, parents.at(-1))
    return what === null ? [] : [{ line: node.line, what }]
  })
  const inside = tests.flatMap(({ code }) => (code === null ? [] : skipsInside(source, code)))
  return [...marked, ...inside]
}

function markOf(source: Source, node: SyntaxNode, parent: SyntaxNode | undefined): string | null {
  if (isScript(source.language)) return scriptMark(source, node)
  const text = node.named ? textOf(source, node) : ''
  switch (source.language) {
    case 'python':
      if (node.type === 'decorator') return pythonMark(text)
      if (node.type === 'assignment' && fieldText(source, node, 'left') === '__test__')
        return fieldText(source, node, 'right') === 'False' ? 'is switched off' : null
      return node.type === 'assignment' && fieldText(source, node, 'left') === 'pytestmark'
        ? pythonMark(fieldText(source, node, 'right'))
        : null
    case 'rust': {
      if (node.type !== 'function_item' || parent === undefined) return null
      const attributes = attributesOf(parent, node)
      return attributes.some((one) => /^#\[\s*ignore\b/.test(textOf(source, one))) ? 'is switched off' : null
    }
    case 'java':
      if (node.type !== 'marker_annotation' && node.type !== 'annotation') return null
      return /^@(\w+\.)*(Disabled|Ignore)\b/.test(text) || /^@Test\b[^]*enabled\s*=\s*false/.test(text)
        ? 'is switched off'
        : null
    case 'ruby': {
      if (node.type !== 'call' || field(node, 'receiver') !== null) return null
      const method = fieldText(source, node, 'method')
      if (/^x(it|describe|context|specify|example|scenario)$/.test(method)) return 'is switched off'
      if (/^f(it|describe|context|specify|example|scenario)$/.test(method)) return 'keeps other tests from running'
      const options = /^(it|describe|context|specify|test)$/.test(method) ? fieldText(source, node, 'arguments') : ''
      return /(,|^\()\s*:(skip|pending)\b|\b(skip|pending):\s*(?!false|nil)/.test(options) ? 'is switched off' : null
    }
    default:
      return null
  }
}

function pythonMark(text: string): string | null {
  if (/\bmark\.skip\b|\bunittest\.skip\(|^@skip\(|\bexpectedFailure\b|\bmark\.xfail\b/.test(text))
    return 'is switched off'
  if (/\b(skipif|skipIf)\(\s*(condition\s*=\s*)?(True|1|not False)\b|\bskipUnless\(\s*(False|0|not True)\b/.test(text))
    return 'is switched off'
  return /\bparametrize\([^,]+,\s*(\[\s*\]|\(\s*\))/.test(text) ? 'has no cases' : null
}

function scriptMark(source: Source, node: SyntaxNode): string | null {
  const call = scriptCall(source, node)
  if (call === null) return null
  const [first = '', ...rest] = call.words
  if (!/^[fx]?(it|test|describe|suite|context|specify|bench)$/.test(first)) return null
  // `context.skip()` ends a test of vitest while it runs.
  if (first === 'context' && !call.args.some(({ type }) => type.includes('function'))) return null
  // `test.skip` without anything is a mark inside a test of playwright.
  if (rest.includes('skip') || rest.includes('todo') || /^x(it|test|describe|context|specify)$/.test(first))
    return 'is switched off'
  if (rest.includes('only') || /^f(it|describe|context)$/.test(first)) return 'keeps other tests from running'
  if (rest.includes('fails') || rest.includes('failing')) return 'is meant to fail'
  const [table] = call.tables
  if (table !== undefined) {
    const text = textOf(source, table).replace(/\s/g, '')
    if (
      (rest.includes('runIf') && /^\((false|0|!1|!true)\)$/.test(text)) ||
      (rest.includes('skipIf') && /^\((true|1|!0|!false)\)$/.test(text))
    )
      return 'is switched off'
    const [list] = namedChildren(table)
    if ((rest.includes('each') || rest.includes('for')) && list !== undefined && isEmptyList(source, list))
      return 'has no cases'
  }
  return optionMark(source, call.args)
}

/** `test('a', { skip: true }, …)`. */
function optionMark(source: Source, args: readonly SyntaxNode[]): string | null {
  for (const pair of args.filter(({ type }) => type === 'object').flatMap((one) => namedChildren(one))) {
    const key = fieldText(source, pair, 'key')
    const value = field(pair, 'value')
    // A condition is asked when the test runs; a literal is an answer.
    if (pair.type !== 'pair' || value === null || !/^(true|string|number)$/.test(value.type)) continue
    if (key === 'skip' || key === 'todo') return 'is switched off'
    if (key === 'only') return 'keeps other tests from running'
    if (key === 'fails') return 'is meant to fail'
  }
  return null
}

/** A statement of the test itself, not one behind a condition. */
function skipsInside(source: Source, code: SyntaxNode): CodeFinding[] {
  const inner = namedChildren(code).find(({ type }) => type === 'statement_list') ?? code
  return namedChildren(inner).flatMap((statement) => {
    const text = textOf(source, statement).replace(/\s/g, '')
    const isSkipped =
      SKIPS.test(text) &&
      ![...nodes(statement)].some(({ type }) => /^(if_statement|if_modifier|unless_modifier)$/.test(type))
    return isSkipped ? [{ line: statement.line, what: 'is switched off' }] : []
  })
}

const SKIPS =
  /^(return)?(await)?((t|ctx|context|this|test)\.(skip|todo)\((\)|["'`]|true\b)|pytest\.(skip|xfail)\(|self\.skipTest\(|raise(unittest\.)?SkipTest|[tb]\.Skip(Now|f)?\(|(Assumptions\.)?assumeTrue\(false\)|(Assumptions\.)?assumeFalse\(true\)|(skip|pending|omit)($|\(\)|\(["'`]|["']))/
