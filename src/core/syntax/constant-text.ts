// Text that a program puts together from literals alone, however it is spelled: `'VI' + 'TEST'`, `path.join('test', 'a')`.
import type { Source, SyntaxNode } from './syntax-tree.ts'
import { descendant, field, fieldText, namedChildren, nodes, stringValue, textOf } from './tree.ts'

const FOLDED_MAX = 4

/** Null: not all of it is known. */
export function constantText(source: IndexedSource, node: SyntaxNode | null | undefined, depth = 0): string | null {
  if (node == null || depth > FOLDED_MAX) return null
  const inner = (one: SyntaxNode | null | undefined): string | null => constantText(source, one, depth + 1)
  const plain = stringValue(source, node)
  if (plain !== null) return unescaped(plain)
  switch (node.type) {
    case 'parenthesized_expression':
    case 'as_expression':
      return inner(namedChildren(node)[0])
    case 'concatenated_string':
      return joined(namedChildren(node).map(inner), '')
    case 'template_string':
      return joined(
        node.children
          .filter(({ type }) => type !== '`')
          .map((part) =>
            part.type === 'template_substitution' ? inner(namedChildren(part)[0]) : textOf(source, part),
          ),
        '',
      )
    case 'binary_expression':
    case 'binary_operator':
    case 'binary':
      return /^\+$/.test(fieldText(source, node, 'operator'))
        ? joined([inner(field(node, 'left')), inner(field(node, 'right'))], '')
        : null
    case 'call_expression':
    case 'call':
      return calledText(source, node, inner)
    case 'identifier':
    case 'constant':
      return inner(source.constants.get(textOf(source, node)))
    default:
      return null
  }
}

function calledText(
  source: IndexedSource,
  node: SyntaxNode,
  inner: (one: SyntaxNode | null | undefined) => string | null,
): string | null {
  const called = field(node, 'function') ?? field(node, 'method')
  const args = field(node, 'arguments')
  if (called === null || args === null) return null
  const name = textOf(source, called)
  if (/(^|\.)(join|resolve|Join)$/.test(name)) {
    const parts = namedChildren(args).map(inner)
    const object = field(called, 'object')
    // `['a', 'b'].join('')`.
    if (object?.type === 'array') return joined(namedChildren(object).map(inner), parts[0] ?? ',')
    return parts.every((part) => part === null) ? null : parts.filter((part) => part !== null).join('/')
  }
  return null
}

function joined(parts: readonly (string | null)[], by: string): string | null {
  return parts.includes(null) ? null : parts.join(by)
}

/** A file with its constants by name, so that each use need not look for them. */
export interface IndexedSource extends Source {
  /** Null: it is given something more than once. */
  readonly constants: ReadonlyMap<string, SyntaxNode | null>
}

export function withConstants(source: Source): IndexedSource {
  const constants = new Map<string, SyntaxNode | null>()
  for (const node of nodes(source.root)) {
    const isDeclared = node.type === 'variable_declarator'
    if (!isDeclared && node.type !== 'assignment') continue
    const name = fieldText(source, node, isDeclared ? 'name' : 'left')
    constants.set(name, constants.has(name) ? null : field(node, isDeclared ? 'value' : 'right'))
  }
  return { ...source, constants }
}

function unescaped(text: string): string {
  return text.replace(/\\(?:x([\da-f]{2})|u\{?([\da-f]{4,6})\}?)/gi, (_, short: string, long: string) =>
    String.fromCodePoint(Math.min(Number.parseInt(short ?? long, 16), 0x10_ff_ff)),
  )
}

/** Every text that is known inside this node, and every regular expression as it is written. */
export function constantTexts(source: IndexedSource, node: SyntaxNode): string[] {
  return [...nodes(node)].flatMap((one) => {
    if (one.type === 'regex' || one.type === 'simple_symbol') return [textOf(source, one)]
    if (one.type === 'identifier') return []
    const text = constantText(source, one)
    return text === null ? [] : [text]
  })
}

/** The texts that a call is given, also through constants of the file. */
export function givenTexts(source: IndexedSource, args: SyntaxNode): string[] {
  return [...nodes(args)].flatMap((one) => {
    if (one.type === 'template_string' && descendant(one, 'template_substitution') !== null)
      return [textOf(source, one).slice(1, -1)]
    const text = constantText(source, one)
    return text === null ? [] : [text]
  })
}
