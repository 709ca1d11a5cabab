// Assertions that hold whatever the code does: on constants, and of a value with itself.
import { isScript } from '../languages.ts'
import { normalForm } from '../normal-form.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, namedChildren, nodes, textOf, visits } from '../tree.ts'
import type { CodeFinding } from '../under-test.ts'
import { type TestFile, canFail, chainOf, isAssertion, lastName } from './assertions.ts'

const LITERAL =
  /^(string|template_string|number|true|false|null|integer|float|none|nil|string_literal|interpreted_string_literal|raw_string_literal|int_literal|integer_literal|float_literal|boolean_literal|decimal_integer_literal|null_literal|simple_symbol|undefined)$/
const FALSY = /^(false|False|0|null|nil|None|undefined|''|""|``)$/

const CONSTANT = 'asserts a constant'
const ITSELF = 'compares a value with itself'
const ANYTHING = 'accepts any value'

/** Of one test. A constant among other assertions marks a place that was reached, and is no finding. */
export function pointlessAssertions(file: TestFile, code: SyntaxNode): CodeFinding[] {
  const { source } = file
  const found = [...visits(code)].flatMap(({ node, parents }) => {
    if (!isAssertion(source, node)) return []
    const what = problemOf(source, node)
    return what === null
      ? []
      : [{ node, what, isInner: parents.some((one) => /function|lambda|closure/.test(one.type)) }]
  })
  if (found.length === 0) return []
  const isOwn = (one: SyntaxNode): boolean => found.some(({ node }) => one.start >= node.start && one.end <= node.end)
  const hasOthers = canFail(file, code, { except: isOwn })
  const isCounted = /\.plan\(|expect\.(assertions|hasAssertions)\(/.test(textOf(source, code))
  return found
    .filter(({ what, isInner }) => what !== CONSTANT || !(hasOthers || (isInner && isCounted)))
    .map(({ node, what }) => ({ line: node.line, what }))
}

function problemOf(source: Source, node: SyntaxNode): string | null {
  if (source.language === 'rust') return rustProblem(source, node)
  const values = valuesOf(source, node)
  if (values === null) return null
  const [left, right] = values
  if (left === undefined) return null
  if (right === undefined) return isAlwaysTrue(source, left) ? CONSTANT : inside(source, left)
  if (isAnything(source, right)) return ANYTHING
  if (normalForm(source, left) !== normalForm(source, right)) {
    // `expect(f() || true).toBe(true)`
    if (textOf(source, right) === 'true' && isAlwaysTrue(source, left)) return CONSTANT
    // `expect(1 === 1).toBe(true)`
    return LITERAL.test(right.type) && !FALSY.test(textOf(source, right)) ? inside(source, left) : null
  }
  return isConstant(left) ? CONSTANT : ITSELF
}

/** `assert(a === a)`. */
function inside(source: Source, node: SyntaxNode): string | null {
  const plain = node.type === 'parenthesized_expression' ? (namedChildren(node)[0] ?? node) : node
  if (!/^(binary_expression|comparison_operator|binary)$/.test(plain.type)) return null
  const [left, right] = namedChildren(plain)
  const operator = plain.children.find((child) => !child.named)
  if (left === undefined || right === undefined || operator === undefined || !/^(===?|is|>=|<=)$/.test(operator.type))
    return null
  if (isAnything(source, right)) return ANYTHING
  if (normalForm(source, left) !== normalForm(source, right)) return null
  return isConstant(left) ? CONSTANT : ITSELF
}

/** `expect.anything()`, `mock.ANY`. */
function isAnything(source: Source, node: SyntaxNode): boolean {
  return /^(expect\.anything\(\)|(\w+\.)*ANY)$/.test(textOf(source, node))
}

function isConstant(node: SyntaxNode): boolean {
  if (/^(array|list|object|tuple|dictionary|hash)$/.test(node.type))
    return namedChildren(node).every(
      (one) => isConstant(one) || (one.type === 'pair' && isConstant(field(one, 'value') ?? one)),
    )
  return LITERAL.test(node.type) && !node.children.some(({ type }) => /substitution|interpolation/.test(type))
}

function isAlwaysTrue(source: Source, node: SyntaxNode): boolean {
  // `assert (a == 1, 'message')` asserts a tuple.
  if (node.type === 'tuple') return namedChildren(node).length > 0
  if (node.type === 'parenthesized_expression') return namedChildren(node).some((one) => isAlwaysTrue(source, one))
  // `assert f() or True`.
  if (
    /^(binary_expression|boolean_operator|binary)$/.test(node.type) &&
    /^(or|\|\|)$/.test(fieldText(source, node, 'operator'))
  )
    return ['left', 'right'].some((side) => isAlwaysTrue(source, field(node, side) ?? { ...node, type: '' }))
  return isConstant(node) && !FALSY.test(textOf(source, node))
}

/** One value that is asserted, or two that are compared; null: something else is asserted. */
function valuesOf(source: Source, node: SyntaxNode): SyntaxNode[] | null {
  if (isScript(source.language)) return scriptValues(source, node)
  const args = namedChildren(field(node, 'arguments') ?? { ...node, children: [] })
  const name = lastName(source, node)
  switch (source.language) {
    case 'python':
      if (node.type === 'assert_statement') return namedChildren(node).slice(0, 1)
      if (/^assert(Equals?|ListEqual|DictEqual|Is|SequenceEqual|AlmostEqual|CountEqual)$/.test(name))
        return args.slice(0, 2)
      return /^assert(True|_)$/.test(name) ? args.slice(0, 1) : null
    case 'go': {
      const rest = /^t$/.test(textOf(source, args[0] ?? node)) ? args.slice(1) : args
      if (/^(Equal|EqualValues|Exactly|Same|Is)$/.test(name)) return rest.slice(0, 2)
      return /^(True|NotNil|NotEmpty)$/.test(name) ? rest.slice(0, 1) : null
    }
    case 'java': {
      if (/^assert(Equals|Same|ArrayEquals)$/.test(name)) return args.slice(0, 2)
      if (/^(assertTrue|assertNotNull)$/.test(name)) return args.slice(0, 1)
      const of = field(node, 'object')
      if (
        /^(isEqualTo|isSameAs|is)$/.test(name) &&
        of?.type === 'method_invocation' &&
        lastName(source, of) === 'assertThat'
      )
        return [...namedChildren(field(of, 'arguments') ?? of).slice(0, 1), ...args.slice(0, 1)]
      return null
    }
    case 'ruby': {
      if (/^assert_(equal|same)$/.test(name)) return args.slice(0, 2)
      if (name === 'assert') return args.slice(0, 1)
      const of = field(node, 'receiver')
      if (name !== 'to' || of === null || lastName(source, of) !== 'expect') return null
      const [matcher] = args
      if (matcher === undefined || !/^(eq|eql|equal|be)$/.test(lastName(source, matcher))) return null
      return [
        ...namedChildren(field(of, 'arguments') ?? of).slice(0, 1),
        ...namedChildren(field(matcher, 'arguments') ?? matcher).slice(0, 1),
      ]
    }
    default:
      return null
  }
}

function scriptValues(source: Source, node: SyntaxNode): SyntaxNode[] | null {
  const called = field(node, 'function')
  const chain = chainOf(source, called)
  if (chain === null || called === null) return null
  const args = namedChildren(field(node, 'arguments') ?? node)
  const last = chain.at(-1) ?? ''
  if (chain[0] === 'expect()') {
    if (chain.includes('not')) return null
    const subject = [...nodes(called)].find(
      (one) => one.type === 'call_expression' && fieldText(source, one, 'function') === 'expect',
    )
    const values = namedChildren(
      (subject === undefined ? null : field(subject, 'arguments')) ?? { ...node, children: [] },
    ).slice(0, 1)
    if (/^(toBe|toEqual|toStrictEqual|toMatchObject|equal|equals|eql|eq|deep)$/.test(last))
      return [...values, ...args.slice(0, 1)]
    return /^(toBeTruthy|toBeDefined|ok)$/.test(last) ? values : null
  }
  if (/^(strictEqual|equal|deepEqual|deepStrictEqual|is|same|equals)$/.test(last)) return args.slice(0, 2)
  return /^(assert|ok|true|truthy|isTrue|isOk)$/.test(last) ? args.slice(0, 1) : null
}

/** A macro is a row of tokens: its values stand between the commas. */
function rustProblem(source: Source, node: SyntaxNode): string | null {
  const tree = node.type === 'macro_invocation' ? node.children.find(({ type }) => type === 'token_tree') : undefined
  if (tree === undefined) return null
  const macro = fieldText(source, node, 'macro')
  const values: string[][] = [[]]
  for (const token of tree.children.slice(1, -1)) {
    if (token.type === ',') values.push([])
    else values.at(-1)?.push(textOf(source, token))
  }
  const [left = '', right = ''] = values.map((tokens) => tokens.join(' '))
  const isLiteral = /^(true|\d[\w.]*|"[^"]*"|'.')$/.test(left)
  if (macro === 'assert') return left === 'true' ? CONSTANT : sameSides(left)
  if (macro !== 'assert_eq' || left === '' || left !== right) return null
  return isLiteral ? CONSTANT : ITSELF
}

function sameSides(text: string): string | null {
  const [left, right, ...others] = text.split(' == ')
  if (left === undefined || left !== right || others.length > 0) return null
  return /^\d/.test(left) ? CONSTANT : ITSELF
}
