// What an assertion looks like in each language.
import { isScript } from '../languages.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, fields, hasChild, namedChildren, nodes, stringValue, textOf } from '../tree.ts'

/** How far an assertion is looked for in functions that the test calls. */
const FOLLOWED_MAX = 3

/** Names that helpers with assertions have. */
const ASSERTS = /^_?(assert|expect|verify|check|should|must|ensure|refute)([A-Z_]\w*|s?$)/

/** What the context of a test offers besides assertions. */
const CONTEXT =
  /^(test|it|diagnostic|mock|after|before|beforeEach|afterEach|skip|todo|plan|log|comment|pass|runOnly|teardown|timeout|end|waitFor|signal|slow|retries)$/

/** `expect(a).not.toBe(1)` is `expect() not toBe`. Null: it begins with something else than a name. */
export function chainOf(source: Source, called: SyntaxNode | null): string[] | null {
  if (called === null) return null
  if (called.type === 'identifier' || called.type === 'this') return [textOf(source, called)]
  if (called.type === 'member_expression') {
    const before = chainOf(source, field(called, 'object'))
    return before === null ? null : [...before, fieldText(source, called, 'property')]
  }
  if (called.type === 'call_expression') {
    const before = chainOf(source, field(called, 'function'))
    return before === null ? null : [...before.slice(0, -1), `${before.at(-1)}()`]
  }
  return called.type === 'await_expression' ||
    called.type === 'parenthesized_expression' ||
    called.type === 'non_null_expression'
    ? chainOf(source, namedChildren(called)[0] ?? null)
    : null
}

export function isAssertion(source: Source, node: SyntaxNode): boolean {
  if (!node.named) return false
  if (isScript(source.language)) return isScriptAssertion(source, node)
  switch (source.language) {
    case 'python':
      if (node.type === 'assert_statement' || node.type === 'raise_statement') return true
      return (
        node.type === 'call' &&
        /assert|^((expect|verify|should|ensure)\w*|check(_(?!output$|call$)\w+)?|fail|raises|warns|deprecated_call)$/i.test(
          lastName(source, node),
        )
      )
    case 'go':
      return node.type === 'call_expression' && isGoAssertion(source, node)
    case 'rust':
      if (node.type === 'macro_invocation')
        return /(^|::)(assert\w*|debug_assert\w*|panic|prop_assert\w*|unreachable|ensure|bail|check\w*)$/.test(
          fieldText(source, node, 'macro'),
        )
      // A test that unwraps what it made fails where that is an error.
      return (
        node.type === 'try_expression' ||
        (node.type === 'call_expression' &&
          /^(unwrap|unwrap_err|expect|expect_err)$|^(assert|check|verify|expect)_?/.test(lastName(source, node)))
      )
    case 'java':
      if (node.type === 'assert_statement' || node.type === 'throw_statement') return true
      return (
        node.type === 'method_invocation' &&
        /^((assert|verify|expect|check|should|ensure|then)\w*|fail|andExpect|is[A-Z]\w*|contains\w*|has[A-Z]\w*)$/.test(
          lastName(source, node),
        ) &&
        /assert|verify|expect|fail|check|should|then|ensure/i.test(textOf(source, node))
      )
    case 'ruby':
      return node.type === 'call'
        ? RUBY.test(lastName(source, node))
        : node.type === 'identifier' && /^(is_expected|flunk)$/.test(textOf(source, node))
    default:
      return false
  }
}

const RUBY =
  /^(assert\w*|refute\w*|expect\w*|is_expected|must_\w+|wont_\w+|should\w*|flunk|raise|fail|verify\w*|check\w*|to|not_to|to_not)$/

function isScriptAssertion(source: Source, node: SyntaxNode): boolean {
  if (node.type === 'throw_statement') return true
  if (node.type === 'member_expression') {
    // Chai asserts by reading a property.
    const chain = chainOf(source, node)
    return (
      chain?.[0] === 'expect()' &&
      /^(true|false|null|undefined|ok|empty|exist|NaN|called\w*|not\w*Called|exists|extensible|frozen|sealed)$/.test(
        chain.at(-1) ?? '',
      )
    )
  }
  if (node.type !== 'call_expression') return false
  const chain = chainOf(source, field(node, 'function'))
  if (chain === null) return textOf(source, node).includes('.should.')
  const [first = '', second = ''] = chain
  const last = chain.at(-1) ?? ''
  if (first === 'console') return false
  if (first === 'expect()' || first === 'expectTypeOf()' || first === 'assertType')
    return chain.length > 1 || first === 'assertType'
  if (first === 'expect') return /^(fail|unreachable|poll\(\)|soft\(\))$/.test(second)
  if (chain.some((word) => /^(assert|should)(\(\))?$/.test(word)) || last === 'expect')
    return chain.length > 1 || first === 'assert'
  if (/^(t|tt|ctx|context)$/.test(first) && chain.length > 1) return !CONTEXT.test(second)
  return chain.length === 1 ? ASSERTS.test(first) || first === 'fail' || first === 'done' : ASSERTS.test(last)
}

function isGoAssertion(source: Source, node: SyntaxNode): boolean {
  if (/^(Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/.test(lastName(source, node))) return true
  const called = fieldText(source, node, 'function')
  if (/^(assert|require|is|qt|must|panic|cmp)(\.|$)/.test(called)) return true
  // A helper that gets the test can end it.
  const isRun = /\.(Run|Cleanup|Parallel|Helper|Log|Logf|Skip|Setenv|TempDir)$/.test(called)
  return !isRun && namedChildren(field(node, 'arguments') ?? node).some((one) => /^(t|tb|b)$/.test(textOf(source, one)))
}

/** `equal` of `assert.equal(…)`. */
export function lastName(source: Source, call: SyntaxNode): string {
  const called = field(call, 'function') ?? field(call, 'name') ?? field(call, 'method')
  return called === null
    ? ''
    : (
        textOf(source, called)
          .split(/\.|::|&\./)
          .at(-1) ?? ''
      ).trim()
}

/** A test file with what its tests may call. */
export interface TestFile {
  readonly source: Source
  /** The bodies of its functions by name. */
  readonly functions: ReadonlyMap<string, SyntaxNode>
  /** The bodies of its async functions. */
  readonly waits: ReadonlySet<SyntaxNode>
  readonly helpers: ReadonlySet<string>
  /** A class of the file has methods from elsewhere, which may assert. */
  readonly inherits: boolean
  /** Answers of `canFail` for functions of the file. */
  readonly answers: Map<SyntaxNode, boolean>
}

export function testFileOf(source: Source): TestFile {
  const functions = new Map<string, SyntaxNode>()
  const waits = new Set<SyntaxNode>()
  for (const node of nodes(source.root)) {
    if (!node.named) continue
    const value = node.type === 'variable_declarator' ? field(node, 'value') : node
    const body = value === null || !/function|method|arrow/.test(value.type) ? null : field(value, 'body')
    if (value === null || body === null) continue
    const name = fieldText(source, node, 'name')
    if (name !== '' && !functions.has(name)) functions.set(name, body)
    if (hasChild(value, 'async')) waits.add(body)
  }
  const inherits = [...nodes(source.root)].some((node) => {
    const from = fieldText(source, node, 'superclasses') || fieldText(source, node, 'superclass')
    return (
      from !== '' &&
      !/^(\(|<\s*|extends\s+)?\s*((unittest|django\.test|Minitest|ActiveSupport|Test::Unit|junit\.framework)(\.|::))*(TestCase|Test|object|IsolatedAsyncioTestCase)\s*\)?$/.test(
        from,
      )
    )
  })
  return { source, functions, waits, helpers: helperNames(source), inherits, answers: new Map() }
}

interface Looked {
  readonly depth?: number
  /** What does not count. */
  readonly except?: (node: SyntaxNode) => boolean
}

/** Whether running this can fail a test, as far as the file shows. What other test files offer may. */
export function canFail(file: TestFile, node: SyntaxNode, { depth = 0, except = () => false }: Looked = {}): boolean {
  const { source, functions, helpers, answers } = file
  return [...nodes(node, (one) => !except(one))].some((one) => {
    if (except(one)) return false
    if (isAssertion(source, one)) return true
    if (one.type === 'identifier' && helpers.has(textOf(source, one))) return true
    if (depth >= FOLLOWED_MAX || !/^(call_expression|call|method_invocation)$/.test(one.type)) return false
    const own = functions.get(lastName(source, one))
    if (own === undefined) return file.inherits && isInherited(source, one)
    const known = answers.get(own)
    if (known !== undefined) return known
    // A function that calls itself adds nothing to what it does.
    answers.set(own, false)
    const answer = canFail(file, own, { depth: depth + 1 })
    answers.set(own, answer)
    return answer
  })
}

/** `self.check_all()` of a class that another file begins. */
function isInherited(source: Source, call: SyntaxNode): boolean {
  if (source.language === 'python') return fieldText(source, call, 'function').startsWith('self.')
  if (source.language === 'java') return field(call, 'object') === null
  return source.language === 'ruby' && field(call, 'receiver') === null
}

/** Names that come from other files of the tests. */
function helperNames(source: Source): ReadonlySet<string> {
  const isTests = (path: string): boolean =>
    /test|spec|rig|helper|fixture|support|util|setup|mock|conformance|common/i.test(path)
  const names = new Set<string>()
  for (const node of nodes(source.root, ({ type }) =>
    /^(program|module|import_statement|import_clause|named_imports|lexical_declaration|variable_declarator)$/.test(
      type,
    ),
  )) {
    if (node.type === 'import_statement' && isScript(source.language)) {
      const path = stringValue(source, field(node, 'source')) ?? ''
      if (!path.startsWith('.') || !isTests(path)) continue
      for (const one of nodes(node)) if (one.type === 'identifier') names.add(textOf(source, one))
    }
    if (node.type === 'import_from_statement' && isTests(fieldText(source, node, 'module_name')))
      for (const one of fields(node, 'name')) names.add(fieldText(source, one, 'alias') || textOf(source, one))
  }
  for (const name of ['unittest', 'pytest', 'TestCase', 'test', 'it', 'describe', 'mock', 'patch']) names.delete(name)
  return names
}
