// The changes that one node of a tree allows, with their rank: what decides something before what only says something.
import { type Edit, replaceNode } from '../edit.ts'
import { isScript } from '../languages.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, namedChildren, textOf } from '../tree.ts'

export interface Change {
  readonly line: number
  readonly what: string
  readonly edit: Edit
  /** Smaller is more telling. */
  readonly rank: number
}

const RANK = { comparison: 1, condition: 2, result: 3, truth: 3, sum: 4, logic: 4, number: 5, call: 6, text: 8 }
/** What only people read comes last. */
const MESSAGE = 20

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '==': '!=',
  '!=': '==',
  '===': '!==',
  '!==': '===',
}
const LOGIC: Readonly<Record<string, string>> = { '&&': '||', '||': '&&', and: 'or', or: 'and' }
const SUMS: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '+',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
  '++': '--',
  '--': '++',
}

const BINARY = /^(binary_expression|binary|binary_operator|comparison_operator|boolean_operator)$/
const UPDATES =
  /^(update_expression|inc_statement|dec_statement|augmented_assignment(_expression)?|compound_assignment_expr|assignment_statement|operator_assignment|assignment_expression)$/
const NUMBERS =
  /^(number|integer|float|int_literal|float_literal|integer_literal|number_literal|decimal_integer_literal|decimal_floating_point_literal)$/
const STRINGS = /^(string|template_string|string_literal|raw_string_literal|interpreted_string_literal)$/
const LOOPS =
  /^(for_statement|while_statement|do_statement|for_expression|while_expression|loop_expression|while|until|for|for_in_statement|enhanced_for_statement)$/

export function changesAt(source: Source, node: SyntaxNode, parents: readonly SyntaxNode[]): Change[] {
  const parent = parents.at(-1)
  const rankOf = (rank: number): number => (isMessage(source, parents) ? MESSAGE : rank)
  const change = (rank: number, what: string, edit: Edit): Change[] => [
    { line: node.line, what, edit, rank: rankOf(rank) },
  ]
  const isInMacro = parents.some(({ type }) => type === 'token_tree')
  if (!node.named) return parent === undefined || isInMacro ? [] : operatorChanges(source, node, parent, change)
  if (isInMacro) return []
  const condition = conditionChange(source, node, parent)
  return [
    ...(condition === null ? [] : change(RANK.condition, 'the condition was negated', condition)),
    ...literalChanges(source, node, parents, change),
    ...resultChanges(source, node, change),
    ...callChanges(source, node, parents, change),
  ]
}

type MakeChange = (rank: number, what: string, edit: Edit) => Change[]

function operatorChanges(source: Source, node: SyntaxNode, parent: SyntaxNode, change: MakeChange): Change[] {
  const operator = textOf(source, node)
  const become = (rank: number, other: string): Change[] =>
    change(rank, `\`${operator}\` became \`${other}\``, replaceNode(node, other))
  if (BINARY.test(parent.type)) {
    const comparison = COMPARISONS[operator]
    if (comparison !== undefined) return become(RANK.comparison, comparison)
    const logic = LOGIC[operator]
    // A pattern of Rust can stand beside `&&`.
    if (logic !== undefined) return /\blet\b/.test(textOf(source, parent)) ? [] : become(RANK.logic, logic)
    const sum = SUMS[operator]
    if (sum !== undefined && operator.length === 1) return isOfNumbers(source, parent) ? become(RANK.sum, sum) : []
  }
  if (!UPDATES.test(parent.type) || operator.length !== 2) return []
  const update = SUMS[operator]
  if (update === undefined) return []
  return operator === '+=' && !isOfNumbers(source, parent) ? [] : become(RANK.sum, update)
}

/** A sum of texts or lists would not be one of the same type any more. */
function isOfNumbers(source: Source, node: SyntaxNode): boolean {
  const operands = namedChildren(node)
  if (operands.some(({ type }) => STRINGS.test(type) || /^(array|list)$/.test(type))) return false
  const operator = fieldText(source, node, 'operator')
  if (operands.some(({ type }) => NUMBERS.test(type) || type === 'update_expression'))
    return operator !== '*' || source.language !== 'python'
  // `%` formats in Python and Ruby, `*` repeats there.
  if (source.language === 'python' || source.language === 'ruby') return operator === '-' || operator === '/'
  return /^[-*/%]=?$/.test(operator) && source.language !== 'rust' && source.language !== 'go'
    ? true
    : /^[-*]=?$/.test(operator)
}

/** Not where the condition is a comparison, which has a change of its own, or decides whether a loop ends. */
function conditionChange(source: Source, node: SyntaxNode, parent: SyntaxNode | undefined): Edit | null {
  if (node.field !== 'condition' || parent === undefined || LOOPS.test(parent.type)) return null
  if (parent.type.startsWith('preproc') || /let_(condition|chain)/.test(node.type)) return null
  const inner = node.type === 'parenthesized_expression' ? (namedChildren(node)[0] ?? node) : node
  if (/^(comparison_operator|binary_expression|binary)$/.test(inner.type)) return null
  const text = textOf(source, inner)
  if (source.language === 'python') return replaceNode(inner, `not (${text})`)
  if (/^(unary_expression|not_operator|unary)$/.test(inner.type) && text.startsWith('!')) {
    const argument = field(inner, 'argument') ?? field(inner, 'operand') ?? namedChildren(inner).at(-1)
    if (argument != null && source.language !== 'c')
      return replaceNode(inner, isScript(source.language) ? `!(${text})` : `(${textOf(source, argument)})`)
  }
  return replaceNode(inner, `!(${text})`)
}

function literalChanges(
  source: Source,
  node: SyntaxNode,
  parents: readonly SyntaxNode[],
  change: MakeChange,
): Change[] {
  const text = textOf(source, node)
  if (/^(true|false|boolean_literal)$/i.test(node.type)) {
    const other = OPPOSITES[text]
    return other === undefined ? [] : change(RANK.truth, `\`${text}\` became \`${other}\``, replaceNode(node, other))
  }
  if (NUMBERS.test(node.type)) {
    const next = nextNumber(text)
    if (next === null || parents.at(-1)?.field === 'length') return []
    return change(RANK.number, `the number ${text} became ${next}`, replaceNode(node, next))
  }
  if (!STRINGS.test(node.type) || parents.some(({ type }) => STRINGS.test(type))) return []
  return isKeptText(source, node, parents) ? [] : textChange(node, text, change)
}

const OPPOSITES: Readonly<Record<string, string>> = { true: 'false', false: 'true', True: 'False', False: 'True' }

function textChange(node: SyntaxNode, text: string, change: MakeChange): Change[] {
  const match = /^([a-zA-Z]*#*)("""|'''|["'`])([^]*)\2(#*)$/.exec(text)
  if (match === null) return []
  const [, prefix = '', quote = '"', inner = '', suffix = ''] = match
  const other = `${prefix}${quote}${inner === '' ? 'x' : ''}${quote}${suffix}`
  const shown = text.length > 40 ? `${text.slice(0, 36)}…${quote}` : text
  return change(RANK.text, `the string ${shown.replace(/\s*\n\s*/g, ' ')} became ${other}`, replaceNode(node, other))
}

/** Names of modules and keys, empty templates of JSX, tags: a change there breaks more than a value. */
function isKeptText(source: Source, node: SyntaxNode, parents: readonly SyntaxNode[]): boolean {
  const parent = parents.at(-1)
  if (parent === undefined || node.field === 'key' || node.field === 'source' || node.field === 'path') return true
  if (/^(extern_modifier|field_declaration|concatenated_string|call_expression|format_expression)$/.test(parent.type))
    return true
  if (source.language === 'c' && parent.type === 'argument_list') return true
  return /^(case_clause|switch_case|expression_case|switch_label|enum_assignment)$/.test(parent.type)
}

function nextNumber(text: string): string | null {
  const match = /^(\d[\d_]*)(\.\d[\d_]*)?((?:[uif](?:\d+|size))|n|[lLuUfFdD]+)?$/.exec(text)
  if (match !== null) {
    const digits = (match[1] ?? '').replaceAll('_', '')
    // An octal number of C, or one that a double cannot hold.
    if ((digits.length > 1 && digits.startsWith('0')) || digits.length > 15) return null
    const whole = Number(digits) + 1
    return `${whole}${match[2] ?? ''}${match[3] ?? ''}`
  }
  return /^0x[\da-f]{1,8}$/i.test(text) ? `0x${(Number(text) + 1).toString(16)}` : null
}

/** A returned value that is not a plain literal becomes the neutral one of its kind. */
function resultChanges(source: Source, node: SyntaxNode, change: MakeChange): Change[] {
  if (!/^(return_statement|return|return_expression)$/.test(node.type)) return []
  let [value] = namedChildren(node)
  if (value?.type === 'argument_list' || value?.type === 'expression_list') {
    if (namedChildren(value).length !== 1) return []
    value = namedChildren(value)[0]
  }
  if (value === undefined) return []
  const neutral = neutralResult(source, value)
  if (neutral === null || neutral === textOf(source, value)) return []
  return change(RANK.result, `the return value became ${neutral}`, replaceNode(value, neutral))
}

function neutralResult(source: Source, value: SyntaxNode): string | null {
  const { language } = source
  if (value.type === 'parenthesized_expression') {
    const [inner] = namedChildren(value)
    return inner === undefined ? null : neutralResult(source, inner)
  }
  // A comparison gives way to an own change of its operator, a literal to one of itself.
  if (/^(array|list|list_comprehension)$/.test(value.type)) return language === 'rust' ? null : '[]'
  if (isScript(language)) {
    if (value.type === 'template_string') return "''"
    if (value.type === 'object') return null
  }
  if (language === 'python' && /^(string|concatenated_string)$/.test(value.type)) return "''"
  if (language === 'python' && value.type === 'dictionary') return '{}'
  if (language === 'ruby' && value.type === 'string') return "''"
  return null
}

/** A statement that only calls something. */
function callChanges(source: Source, node: SyntaxNode, parents: readonly SyntaxNode[], change: MakeChange): Change[] {
  const call = onlyCall(source, node, parents)
  if (call === null) return []
  const called = field(call, 'function') ?? field(call, 'method') ?? field(call, 'name') ?? field(call, 'macro')
  const object = field(call, 'object') ?? field(call, 'receiver')
  if (called === null || called.type === 'super' || /^super\b/.test(textOf(source, call))) return []
  const name = object === null ? textOf(source, called) : `${textOf(source, object)}.${textOf(source, called)}`
  const shown = name.length > 60 ? `…${name.slice(-56)}` : name
  const isTalk = TALK.test(name)
  const empty = NO_STATEMENT[source.language]
  if (empty === undefined) return []
  const made = change(
    isTalk ? MESSAGE : RANK.call,
    `the call ${shown.replace(/\s+/g, ' ')}(…) was dropped`,
    replaceNode(node, empty),
  )
  return made
}

const TALK = /^(console\.|log(ger)?\b|logging\.|print|puts|fmt\.Print|System\.(out|err)\.|debug|warn|eprintln|println)/i

/** What stands where a statement was. Go and Rust would name what the call used as unused, or miss its value. */
const NO_STATEMENT: Readonly<Record<string, string>> = {
  javascript: ';',
  typescript: ';',
  tsx: ';',
  python: 'pass',
  java: ';',
  c: ';',
  ruby: 'nil',
  rust: '();',
}

function onlyCall(source: Source, node: SyntaxNode, parents: readonly SyntaxNode[]): SyntaxNode | null {
  if (source.language === 'ruby') {
    const isStatement = /^(body_statement|block_body|then|else|do)$/.test(parents.at(-1)?.type ?? '')
    const isLast = parents.at(-1)?.children.findLast(({ named }) => named) === node
    return node.type === 'call' && isStatement && !isLast && parents.some(({ type }) => type.endsWith('method'))
      ? node
      : null
  }
  if (node.type !== 'expression_statement') return null
  let [only] = namedChildren(node)
  if (only?.type === 'await_expression' || only?.type === 'await' || only?.type === 'try_expression')
    only = namedChildren(only)[0]
  if (only === undefined || !/^(call_expression|call|method_invocation)$/.test(only.type)) return null
  // The last expression of a block of Rust is its value, unless a `;` ends it.
  return source.language === 'rust' && !textOf(source, node).endsWith(';') ? null : only
}

/** Inside what is thrown, logged or printed. */
function isMessage(source: Source, parents: readonly SyntaxNode[]): boolean {
  return parents.some((one) => {
    if (/^(throw_statement|raise_statement|assert_statement)$/.test(one.type)) return true
    if (one.type === 'new_expression') return fieldText(source, one, 'constructor').endsWith('Error')
    if (!/^(call_expression|call|method_invocation|macro_invocation)$/.test(one.type)) return false
    const called = field(one, 'function') ?? field(one, 'method') ?? field(one, 'name') ?? field(one, 'macro')
    const object = field(one, 'object') ?? field(one, 'receiver')
    const name = called === null ? '' : textOf(source, called)
    return (
      TALK.test(object === null ? name : `${textOf(source, object)}.${name}`) ||
      /^(errors\.New|fmt\.Errorf|raise|fail|panic)$/.test(name)
    )
  })
}
