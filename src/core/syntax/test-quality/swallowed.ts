// Assertions whose failure reaches nobody: caught and dropped, not awaited, behind a `return`, in a loop over nothing.
import { isScript } from '../languages.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { descendant, field, fieldText, fields, hasChild, namedChildren, nodes, textOf, visits } from '../tree.ts'
import type { CodeFinding } from '../under-test.ts'
import { type TestFile, canFail, chainOf, isAssertion, lastName } from './assertions.ts'

export function swallowedAssertions(file: TestFile, code: SyntaxNode): CodeFinding[] {
  return [...nodes(code)].flatMap((node) => {
    const isDropped = isScript(file.source.language) ? scriptDrops(file, node) : otherDrops(file, node)
    return isDropped ? [{ line: node.line, what: 'catches what its assertions throw and drops it' }] : []
  })
}

function asserts(source: Source, node: SyntaxNode): boolean {
  return [...nodes(node)].some(
    (one) => one.type !== 'throw_statement' && one.type !== 'raise_statement' && isAssertion(source, one),
  )
}

function scriptDrops(file: TestFile, node: SyntaxNode): boolean {
  const { source } = file
  if (node.type === 'try_statement') {
    const [body, handler, last] = [field(node, 'body'), field(node, 'handler'), field(node, 'finalizer')]
    if (body === null || !asserts(source, body)) return false
    if (last !== null && descendant(last, 'return_statement', 'break_statement', 'continue_statement') !== null)
      return true
    return (
      handler !== null &&
      (!canFail(file, handler) || (comparesSomething(source, body) && acceptsAnyError(source, handler)))
    )
  }
  if (node.type !== 'call_expression' || lastName(source, node) !== 'catch') return false
  const called = field(node, 'function')
  const object = called === null ? null : field(called, 'object')
  const [handler] = namedChildren(field(node, 'arguments') ?? node)
  if (object === null || handler === undefined || !asserts(source, object)) return false
  return /function/.test(handler.type) && !canFail(file, handler)
}

/** An assertion that is not just there to be caught: `assert.fail()` behind a call that is to throw. */
function comparesSomething(source: Source, body: SyntaxNode): boolean {
  return [...nodes(body)].some(
    (one) =>
      one.type === 'call_expression' &&
      isAssertion(source, one) &&
      !/^(fail|unreachable|assertions|hasAssertions)$/.test(lastName(source, one)),
  )
}

/** `catch (e) { expect(e).toBeDefined() }`: a failed assertion is an error like any other. */
function acceptsAnyError(source: Source, handler: SyntaxNode): boolean {
  const name = fieldText(source, handler, 'parameter')
  const calls = [...nodes(handler)].filter((one) => isAssertion(source, one))
  return calls.every((one) => {
    if (one.type !== 'call_expression') return false
    const text = textOf(source, one).replace(/\s/g, '')
    const isAny =
      /\.(toBeDefined|toBeTruthy|ok|isOk|toBeInstanceOf|exist|instanceOf|toBe|toEqual)\((Error|true|\w+,Error|\w+)?\)$|^assert\(\w+\)$/.test(
        text,
      )
    return (
      isAny &&
      (text.includes(`(${name})`) || text.includes(`(${name},Error)`) || /\(true\)/.test(text)) &&
      !/\.(toBe|toEqual)\((?!true)/.test(text)
    )
  })
}

/** Only where what is caught holds a failed assertion. */
function otherDrops(file: TestFile, node: SyntaxNode): boolean {
  const { source } = file
  switch (source.language) {
    case 'python': {
      if (node.type === 'with_statement') {
        const clause = node.children.find(({ type }) => type === 'with_clause')
        const isSuppressed =
          clause !== undefined &&
          /\bsuppress\([^)]*\b(AssertionError|Exception|BaseException)\b/.test(textOf(source, clause))
        return isSuppressed && asserts(source, node)
      }
      const body = node.type === 'try_statement' ? field(node, 'body') : null
      if (body === null || !asserts(source, body)) return false
      return node.children.some((clause) => {
        if (clause.type !== 'except_clause') return false
        const [caught] = namedChildren(clause).filter(({ type }) => type !== 'block')
        const isWide =
          caught === undefined || /\b(AssertionError|Exception|BaseException)\b/.test(textOf(source, caught))
        return isWide && !canFail(file, clause)
      })
    }
    case 'java': {
      const body = node.type === 'try_statement' ? field(node, 'body') : null
      if (body === null || !asserts(source, body)) return false
      return node.children.some((clause) => {
        const type = clause.type === 'catch_clause' ? descendant(clause, 'catch_type') : null
        return (
          type !== null && /\b(Throwable|AssertionError|Error)\b/.test(textOf(source, type)) && !canFail(file, clause)
        )
      })
    }
    case 'ruby': {
      const rescue = node.children.find(({ type, named }) => named && type === 'rescue')
      if (
        rescue === undefined ||
        !asserts(source, { ...node, children: node.children.filter((one) => one !== rescue) })
      )
        return false
      const caught = fieldText(source, rescue, 'exceptions')
      return (
        /\b(Exception|Assertion|ExpectationNotMetError)\b/.test(caught) &&
        !canFail(file, field(rescue, 'body') ?? { ...rescue, children: [] })
      )
    }
    case 'rust':
      return (
        /^(expression_statement|let_declaration)$/.test(node.type) &&
        (node.type === 'expression_statement' || fieldText(source, node, 'pattern') === '_') &&
        [...nodes(node)].some(
          (one) => one.type === 'call_expression' && lastName(source, one) === 'catch_unwind' && asserts(source, one),
        )
      )
    default:
      return false
  }
}

/** Assertions that run after the test has ended. */
export function unawaitedAssertions(file: TestFile, code: SyntaxNode): CodeFinding[] {
  const { source } = file
  const what = 'does not wait for its assertions'
  return [...visits(code)].flatMap(({ node, parents }) => {
    const isLost = isScript(source.language)
      ? scriptLoses(file, node, parents)
      : source.language === 'python'
        ? pythonLoses(file, node)
        : source.language === 'go' && goLoses(source, node, code)
    return isLost ? [{ line: node.line, what }] : []
  })
}

function scriptLoses(file: TestFile, node: SyntaxNode, parents: readonly SyntaxNode[]): boolean {
  const { source, functions, waits } = file
  if (node.type !== 'expression_statement') return false
  let [only] = namedChildren(node)
  if (only?.type === 'unary_expression' && fieldText(source, only, 'operator') === 'void')
    only = field(only, 'argument') ?? only
  if (only?.type !== 'call_expression') return false
  const chain = chainOf(source, field(only, 'function'))
  const last = chain?.at(-1) ?? ''
  if (chain?.[0] === 'expect()' && (chain.includes('resolves') || chain.includes('rejects'))) return true
  if (/^(rejects|doesNotReject|throwsAsync|notThrowsAsync)$/.test(last) && /^(assert|t)$/.test(chain?.[0] ?? ''))
    return true
  // A test that gets a callback, or waits for it in another way, says itself when it ends.
  const usesCallback = parents.some(
    (one) =>
      /function/.test(one.type) &&
      /\b(done|resolve|cb)\b/.test(fieldText(source, one, 'parameters') + fieldText(source, one, 'parameter')),
  )
  if (usesCallback) return false
  if (/^(then|finally)$/.test(last) && asserts(source, only)) return true
  if (/^(setTimeout|setImmediate|process\.nextTick|queueMicrotask)$/.test(fieldText(source, only, 'function'))) {
    // Fake clocks run what waits for them.
    return asserts(source, only) && !/\b(useFakeTimers|timers\.enable|waitFor|advanceTimers|plan)\b/.test(source.text)
  }
  const callbacks = namedChildren(field(only, 'arguments') ?? only).filter(
    (one) => /function/.test(one.type) && hasChild(one, 'async'),
  )
  if (last === 'forEach' && callbacks.some((one) => asserts(source, one))) return true
  const called = field(only, 'function')
  const made = called?.type === 'parenthesized_expression' ? namedChildren(called)[0] : undefined
  if (made !== undefined && hasChild(made, 'async') && asserts(source, made)) return true
  // An async helper of this file that asserts.
  const own = called?.type === 'identifier' ? functions.get(textOf(source, called)) : undefined
  return own !== undefined && waits.has(own) && asserts(source, own)
}

function pythonLoses({ source, functions, waits }: TestFile, node: SyntaxNode): boolean {
  const only = node.type === 'expression_statement' ? namedChildren(node)[0] : undefined
  if (only?.type !== 'call') return false
  const own = functions.get(fieldText(source, only, 'function'))
  return own !== undefined && waits.has(own) && asserts(source, own)
}

function goLoses(source: Source, node: SyntaxNode, code: SyntaxNode): boolean {
  if (node.type !== 'go_statement' || !asserts(source, node)) return false
  const waits = [...nodes(code)].some(
    (one) =>
      (one.type === 'call_expression' && /^(Wait|Sleep|Eventually)$/.test(lastName(source, one))) ||
      one.type === 'receive_statement' ||
      one.type === 'select_statement' ||
      (one.type === 'unary_expression' && textOf(source, one).startsWith('<-')) ||
      one.type === 'range_clause',
  )
  return !waits
}

/** A statement that ends the test before the first assertion. */
export function earlyEnds(source: Source, code: SyntaxNode): CodeFinding[] {
  const inner = namedChildren(code).find(({ type }) => type === 'statement_list') ?? code
  const statements = namedChildren(inner)
  const at = statements.findIndex((one) => ends(source, one))
  if (at === -1 || !statements.slice(at + 1).some((one) => asserts(source, one))) return []
  return [{ line: statements[at]?.line ?? code.line, what: 'ends before its assertions' }]
}

function ends(source: Source, node: SyntaxNode): boolean {
  if (/^(return_statement|return|return_expression)$/.test(node.type)) return true
  const text = textOf(source, node).replace(/;$/, '')
  if (
    /^(process\.exit|sys\.exit|os\._exit|os\.Exit|System\.exit|(std::)?process::exit|exit!?)\(\s*(0|)\s*\)$/.test(text)
  )
    return true
  if (node.type === 'expression_statement' && namedChildren(node)[0]?.type === 'return_expression') return true
  if (!/^(if_statement|if|if_expression)$/.test(node.type)) return false
  const condition = fieldText(source, node, 'condition').replace(/[()\s]/g, '')
  const then = field(node, 'consequence')
  return (
    /^(true|True|1|!0|!false|notFalse)$/.test(condition) &&
    then !== null &&
    [then, ...namedChildren(then)].some((one) => ends(source, one))
  )
}

/** `for (const a of [])`, `if (false)`, `it.each([])`: nothing in it ever runs. */
export function deadAssertions(source: Source, code: SyntaxNode): CodeFinding[] {
  return [...nodes(code)].flatMap((node) => {
    if (!isNeverRun(source, node) || !asserts(source, node)) return []
    return [{ line: node.line, what: 'has assertions that never run' }]
  })
}

function isNeverRun(source: Source, node: SyntaxNode): boolean {
  if (/^(for_in_statement|for_statement|enhanced_for_statement|for_expression|for)$/.test(node.type)) {
    const over = field(node, 'right') ?? field(node, 'value') ?? descendant(node, 'range_clause')
    if (over === null) return false
    const list =
      over.type === 'range_clause' ? field(over, 'right') : over.type === 'in' ? (namedChildren(over)[0] ?? null) : over
    return list !== null && isEmptyList(source, list)
  }
  if (/^(while_statement|while|if_statement|if|if_expression)$/.test(node.type)) {
    const condition = fieldText(source, node, 'condition').replace(/[()\s]/g, '')
    return /^(false|False|0|!true|!1|notTrue)$/.test(condition) && fields(node, 'alternative').length === 0
  }
  if (node.type !== 'call_expression' && node.type !== 'call') return false
  if (!/^(forEach|map|each|for)$/.test(lastName(source, node))) return false
  const called = field(node, 'function')
  const object = field(node, 'receiver') ?? (called === null ? null : field(called, 'object'))
  return object !== null && isEmptyList(source, object)
}

export function isEmptyList(source: Source, node: SyntaxNode): boolean {
  if (/^(array|list|tuple|dictionary|object|hash|set|array_expression|array_initializer)$/.test(node.type))
    return namedChildren(node).length === 0
  return /^(\[\]\w+\{\}|\(\)|range\(0\)|List\.of\(\)|vec!\[\]|new Set\(\)|new Map\(\)|set\(\)|Object\.\w+\(\{\}\))$/.test(
    textOf(source, node).replace(/\s/g, ''),
  )
}
