// Looks at its callers, its arguments or what else is loaded, for the names of tests; reads the tests themselves.
import { type IndexedSource, constantTexts, givenTexts } from '../constant-text.ts'
import { importedPaths } from '../imports.ts'
import { isScript } from '../languages.ts'
import type { SyntaxNode } from '../syntax-tree.ts'
import { type Visit, field, fieldText, stringValue, textOf } from '../tree.ts'
import { LOOKS_AROUND, LOOKS_AT_CALLERS, READS_FILES, TEST_PATH, TEST_WORDS } from './signs.ts'

const LOOKED_AT =
  /^(member_expression|call_expression|attribute|call|selector_expression|method_invocation|identifier|global_variable|scoped_identifier|field_expression|constant)$/

/** A longer text is written for people. */
const WORDS_MAX = 60

export function looksAround(source: IndexedSource, { node, parents }: Visit): string | null {
  if (!node.named || !LOOKED_AT.test(node.type)) return null
  const signs = LOOKS_AROUND[isScript(source.language) ? 'javascript' : source.language]
  const text = calledText(source, node)
  if (signs === undefined || !signs.test(text)) return null
  // `require.main === module` and `if (process.argv[2])` ask nothing about tests.
  const scope = scopeOf(parents)
  const words = constantTexts(source, scope).find((one) => one.length <= WORDS_MAX && TEST_WORDS.test(one))
  if (words === undefined) {
    const callers = LOOKS_AT_CALLERS[isScript(source.language) ? 'javascript' : source.language]
    return callers?.test(text) === true ? `looks at its own callers (${text.slice(0, 40)})` : null
  }
  return `looks at ${text.length > 40 ? `${text.slice(0, 37)}…` : text} for ${shown(words)}`
}

function calledText(source: IndexedSource, node: SyntaxNode): string {
  if (node.type === 'method_invocation')
    return `${fieldText(source, node, 'object')}.${fieldText(source, node, 'name')}`
  if (node.type === 'call' && source.language === 'ruby') return textOf(source, node).replace(/\(.*$/s, '')
  return textOf(source, node).replace(/\s+/g, ' ')
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 40 ? `"${line.slice(0, 37)}…"` : `"${line}"`
}

/** The function around a node; at the top of the file, the statement. */
function scopeOf(parents: readonly SyntaxNode[]): SyntaxNode {
  const inner = parents.findLast(({ type }) =>
    /^(function_declaration|function_expression|arrow_function|method_definition|function_definition|lambda|method_declaration|func_literal|function_item|closure_expression|constructor_declaration|method|singleton_method)$/.test(
      type,
    ),
  )
  return inner ?? parents[1] ?? (parents[0] as SyntaxNode)
}

/** Opens test files, snapshots or their data, or imports them. */
export function readsTests(source: IndexedSource, { node }: Visit): string | null {
  if (node === source.root) {
    const path = importedPaths(source).find((one) => TEST_PATH.test(one) && /^[./]/.test(one))
    return path === undefined || source.language === 'c' ? null : `imports ${path}`
  }
  if (
    !/^(call_expression|call|method_invocation|new_expression|object_creation_expression|macro_invocation)$/.test(
      node.type,
    )
  )
    return null
  const called =
    field(node, 'function') ??
    field(node, 'name') ??
    field(node, 'method') ??
    field(node, 'constructor') ??
    field(node, 'type') ??
    field(node, 'macro')
  if (called === null) return null
  const name = textOf(source, called)
  if (node.type === 'macro_invocation') return /^include(_str|_bytes)?$/.test(name) ? readsIn(source, node) : null
  const isReader = READS_FILES.test(name) || textOf(source, node).startsWith('Path(')
  const args = field(node, 'arguments')
  return isReader && args !== null ? readsIn(source, args) : null
}

function readsIn(source: IndexedSource, args: SyntaxNode): string | null {
  const texts = args.type === 'macro_invocation' ? macroTexts(source, args) : givenTexts(source, args)
  const path = texts.find((text) => TEST_PATH.test(text) && !/\s/.test(text))
  return path === undefined ? null : `reads ${shown(path)} while it runs`
}

function macroTexts(source: IndexedSource, node: SyntaxNode): string[] {
  return node.children.flatMap((child) =>
    child.type === 'token_tree' ? child.children.flatMap((one) => stringValue(source, one) ?? []) : [],
  )
}
