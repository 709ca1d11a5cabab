// The tests that a test file holds, each with its body in normal form, so that a test which was renamed or moved can be
// told from one that is gone.
import { isTestAttribute } from './inline-tests.ts'
import { isScript } from './languages.ts'
import { normalForm } from './normal-form.ts'
import type { Source, SyntaxNode } from './syntax-tree.ts'
import { field, fieldText, lastLine, namedChildren, stringValue, textOf } from './tree.ts'

export interface TestCase {
  /** As its runner prints it, without the file: `group > adds`, `TestGroup::test_adds`, `TestAdd/empty`, `tests::adds`. */
  readonly title: string
  readonly line: number
  /** The last line, inclusive. */
  readonly end: number
  /** Without title, comments and white space; with the table that its cases come from. Empty: the test has no body. */
  readonly body: string
  /** The nodes themselves, for rules that look at the code of a test. */
  readonly node: SyntaxNode
  readonly code: SyntaxNode | null
}

export function testCases(source: Source): TestCase[] {
  const cases: TestCase[] = []
  const read = readerOf(source)
  if (read === null) return []
  const go = (node: SyntaxNode, groups: readonly string[], parent: SyntaxNode): void => {
    if (!node.named) return
    const found = read(source, node, groups, parent)
    if (found?.test !== undefined) cases.push(found.test)
    const inner = found?.groups ?? groups
    for (const child of node.children) go(child, inner, node)
  }
  go(source.root, [], source.root)
  return cases
}

interface Found {
  readonly test?: TestCase
  /** The groups of what stands inside this node. */
  readonly groups?: readonly string[]
}

type Reader = (source: Source, node: SyntaxNode, groups: readonly string[], parent: SyntaxNode) => Found | null

function readerOf({ language }: Source): Reader | null {
  if (isScript(language)) return scriptTest
  if (language === 'python') return pythonTest
  if (language === 'go') return goTest
  if (language === 'rust') return rustTest
  if (language === 'java') return javaTest
  return language === 'ruby' ? rubyTest : null
}

function testCase(
  source: Source,
  node: SyntaxNode,
  title: string,
  code: SyntaxNode | null,
  tables: readonly SyntaxNode[] = [],
): TestCase {
  const parts = [...tables, ...(code === null ? [] : [code])]
  const body = parts.map((part) => normalForm(source, part)).join('\n')
  return { title, line: node.line, end: lastLine(source, node), body, node, code }
}

const GROUPS = /^([fx]?describe|[fx]?context|suite|xdescribe)$/
const TESTS = /^([fx]?it|[fx]?test|specify)$/

/** What a runner's function is called by: `it`, `test.skip`, `t.test`, `it.each([…])`. */
export function scriptCall(
  source: Source,
  node: SyntaxNode,
): { readonly words: readonly string[]; readonly tables: readonly SyntaxNode[]; readonly args: SyntaxNode[] } | null {
  if (node.type !== 'call_expression') return null
  let called = field(node, 'function')
  const given = field(node, 'arguments')
  if (called === null || given === null) return null
  const tables: SyntaxNode[] = []
  if (called.type === 'call_expression') {
    const table = field(called, 'arguments')
    if (table !== null) tables.push(table)
    called = field(called, 'function')
  }
  if (called === null || !/^(identifier|member_expression)$/.test(called.type)) return null
  const words = textOf(source, called).replace(/\s/g, '').split('.')
  return { words, tables, args: given.type === 'arguments' ? namedChildren(given) : [] }
}

function scriptTest(source: Source, node: SyntaxNode, groups: readonly string[]): Found | null {
  const call = scriptCall(source, node)
  if (call === null) return null
  const [first, second] = call.words
  const isSub = call.words.length === 2 && second === 'test' && /^(t|ctx|context)$/.test(first ?? '')
  const isGroup = GROUPS.test(first ?? '') || (first === 'test' && second === 'describe')
  if (!isSub && !isGroup && !TESTS.test(first ?? '')) return null
  if (
    !isSub &&
    second !== undefined &&
    !/^(skip|only|todo|each|for|concurrent|sequential|fails|failing|describe|runIf|skipIf|extend)$/.test(second)
  )
    return null
  const [name, ...rest] = call.args
  const title = name === undefined ? null : titleOf(source, name)
  if (title === null) return null
  const inner = [...groups, title]
  if (isGroup) return { groups: inner }
  const code = rest.find(({ type }) => /^(arrow_function|function_expression)$/.test(type))
  const test = testCase(source, node, inner.join(' > '), code === undefined ? null : field(code, 'body'), call.tables)
  return { test, groups: inner }
}

/** A title that is put together while the test runs keeps its own words. */
function titleOf(source: Source, node: SyntaxNode): string | null {
  const plain = stringValue(source, node)
  if (plain !== null) return plain
  if (node.type === 'template_string') return textOf(source, node).slice(1, -1)
  return /^(identifier|member_expression|binary_expression|call_expression)$/.test(node.type)
    ? textOf(source, node)
    : null
}

function pythonTest(source: Source, node: SyntaxNode, groups: readonly string[]): Found | null {
  if (node.type === 'class_definition') return { groups: [...groups, fieldText(source, node, 'name')] }
  const definition = node.type === 'decorated_definition' ? field(node, 'definition') : node
  if (definition?.type !== 'function_definition') return null
  const name = fieldText(source, definition, 'name')
  // What stands inside a function is no test, and a decorated one was read with its decorators.
  if (groups.includes('()') || (node === definition && node.field === 'definition'))
    return { groups: [...groups, '()'] }
  if (!name.startsWith('test')) return { groups: [...groups, '()'] }
  const tables = node.children.filter(
    (child) => child.type === 'decorator' && /parametrize|expand|ddt|data\b|given|subTest/.test(textOf(source, child)),
  )
  const test = testCase(source, node, [...groups, name].join('::'), field(definition, 'body'), tables)
  return { test, groups: node === definition ? [...groups, '()'] : groups }
}

function goTest(source: Source, node: SyntaxNode, groups: readonly string[]): Found | null {
  if (node.type === 'function_declaration') {
    const name = fieldText(source, node, 'name')
    if (!/^(Test|Fuzz|Example)([^a-z]|$)/.test(name) || name === 'TestMain') return null
    return { test: testCase(source, node, name, field(node, 'body')), groups: [name] }
  }
  if (node.type === 'method_declaration') {
    // testify's suites.
    const name = fieldText(source, node, 'name')
    if (!/^Test[^a-z]/.test(name)) return null
    return { test: testCase(source, node, name, field(node, 'body')), groups: [name] }
  }
  if (node.type !== 'call_expression' || !fieldText(source, node, 'function').endsWith('.Run')) return null
  const [name, code] = namedChildren(field(node, 'arguments') ?? node)
  const title = stringValue(source, name ?? null)
  if (title === null || code?.type !== 'func_literal' || groups.length === 0) return null
  const inner = [...groups, title.replace(/\s/g, '_')]
  return { test: testCase(source, node, inner.join('/'), field(code, 'body')), groups: inner }
}

function rustTest(source: Source, node: SyntaxNode, groups: readonly string[], parent: SyntaxNode): Found | null {
  if (node.type === 'mod_item') return { groups: [...groups, fieldText(source, node, 'name')] }
  if (node.type !== 'function_item') return null
  const attributes = attributesOf(parent, node)
  if (!attributes.some((one) => isTestAttribute(source, one) && !/^#!?\[\s*cfg\b/.test(textOf(source, one))))
    return null
  const tables = attributes.filter((one) => /^#\[\s*(\w+::)?(test_case|case|rstest)\b/.test(textOf(source, one)))
  const title = [...groups, fieldText(source, node, 'name')].join('::')
  return { test: testCase(source, node, title, field(node, 'body'), tables) }
}

/** The attributes right before an item. */
export function attributesOf(parent: SyntaxNode, item: SyntaxNode): SyntaxNode[] {
  const before = parent.children.slice(0, parent.children.indexOf(item))
  const last = before.findLastIndex(({ type }) => !/^(attribute_item|line_comment|block_comment)$/.test(type))
  return before.slice(last + 1).filter(({ type }) => type === 'attribute_item')
}

function javaTest(source: Source, node: SyntaxNode, groups: readonly string[]): Found | null {
  if (/^(class|record|enum|interface)_declaration$/.test(node.type))
    return { groups: [...groups, fieldText(source, node, 'name')] }
  if (node.type !== 'method_declaration') return null
  const modifiers = node.children.find(({ type }) => type === 'modifiers')
  const annotations = modifiers === undefined ? [] : namedChildren(modifiers)
  const named = (pattern: RegExp): SyntaxNode[] =>
    annotations.filter((one) => pattern.test(fieldText(source, one, 'name')))
  const isOld = groups.length > 0 && annotations.length === 0 && /^test[A-Z]/.test(fieldText(source, node, 'name'))
  if (named(/^(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)$/).length === 0 && !isOld)
    return null
  const title = [groups.join('$'), fieldText(source, node, 'name')].join('.')
  return { test: testCase(source, node, title, field(node, 'body'), named(/Source$|^RepeatedTest$/)) }
}

function rubyTest(source: Source, node: SyntaxNode, groups: readonly string[]): Found | null {
  if (node.type === 'class' && node.named) return { groups: [`${fieldText(source, node, 'name')}#`] }
  if (node.type === 'method') {
    const name = fieldText(source, node, 'name')
    if (!name.startsWith('test_')) return null
    return { test: testCase(source, node, `${groups.join('')}${name}`, field(node, 'body')) }
  }
  if (node.type !== 'call') return null
  const block = field(node, 'block')
  const method = fieldText(source, node, 'method')
  const args = field(node, 'arguments')
  const [name] = args === null ? [] : namedChildren(args)
  const title = name === undefined ? '' : (stringValue(source, name) ?? textOf(source, name))
  if (/^[fx]?(describe|context|feature|example_group)$/.test(method)) return { groups: [...groups, `${title} `] }
  if (!/^([fx]?(it|specify|example|scenario)|test|pending)$/.test(method) || (block === null && name === undefined))
    return null
  return {
    test: testCase(source, node, `${groups.join('')}${title}`.trim(), block === null ? null : field(block, 'body')),
  }
}
