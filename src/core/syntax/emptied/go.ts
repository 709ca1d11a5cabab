// Takes the behaviour out of Go.
import { type Edit, replaceNode } from '../edit.ts'
import type { Source, SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, fields, namedChildren, nodes, textOf } from '../tree.ts'
import type { Emptier } from './emptier.ts'

export const goEmptier: Emptier = {
  isFunction: ({ type }) => /^(function_declaration|method_declaration|func_literal)$/.test(type),
  empty,
  constant,
  mend: unusedImports,
}

function empty(source: Source, node: SyntaxNode): readonly Edit[] | 'inside' {
  const body = field(node, 'body')
  if (body === null || namedChildren(body).length === 0) return []
  if (makesFunctions(node)) return 'inside'
  const result = field(node, 'result')
  if (result === null) return [replaceNode(body, '{}')]
  const values = resultTypes(result).map((type) => zeroOf(source, type))
  return [replaceNode(body, `{ return ${values.join(', ')} }`)]
}

function makesFunctions(node: SyntaxNode): boolean {
  const result = field(node, 'result')
  if (result === null || !resultTypes(result).some(({ type }) => type === 'function_type')) return false
  return [...nodes(node)].some((one) => one !== node && one.type === 'func_literal')
}

/** One for each value: `(a, b int, err error)` are three. */
function resultTypes(result: SyntaxNode): SyntaxNode[] {
  if (result.type !== 'parameter_list') return [result]
  return namedChildren(result).flatMap((parameter) => {
    const type = field(parameter, 'type')
    if (type === null) return []
    return Array.from({ length: Math.max(1, fields(parameter, 'name').length) }, () => type)
  })
}

/** A zero value that a caller can use: an empty map instead of nil, a pointer to a zero value instead of nil. */
function zeroOf(source: Source, type: SyntaxNode): string {
  const text = textOf(source, type)
  if (type.type === 'slice_type' || type.type === 'map_type' || type.type === 'array_type') return `${text}{}`
  if (type.type === 'pointer_type') return `new(${text.slice(1).trim()})`
  if (type.type === 'type_identifier') {
    if (text === 'string') return '""'
    if (text === 'bool') return 'false'
    if (text === 'error' || text === 'any') return 'nil'
    if (/^(u?int\d*|float\d+|byte|rune|uintptr)$/.test(text)) return '0'
  }
  return `*new(${text})`
}

/** A constant or variable of the package. */
function constant(_source: Source, node: SyntaxNode, parents: readonly SyntaxNode[]): Edit[] {
  if (node.type !== 'const_spec' && node.type !== 'var_spec') return []
  if (!parents.every(({ type }) => /^(source_file|const_declaration|var_declaration|var_spec_list)$/.test(type)))
    return []
  const values = field(node, 'value')
  if (values === null) return []
  return namedChildren(values).flatMap((value) => {
    if (value.type === 'composite_literal') {
      const body = field(value, 'body')
      const isCode = [...nodes(value)].some(({ type }) => type === 'func_literal')
      return body === null || isCode ? [] : [replaceNode(body, '{}')]
    }
    const empty = LITERALS[value.type]
    return empty === undefined ? [] : [replaceNode(value, empty)]
  })
}

const LITERALS: Readonly<Record<string, string>> = {
  interpreted_string_literal: '""',
  raw_string_literal: '""',
  int_literal: '0',
  float_literal: '0.0',
  rune_literal: "'\\x00'",
  true: 'false',
}

/** Go refuses an import that nothing uses, so each that only the removed code used becomes a blank one. */
function unusedImports(source: Source, edits: readonly Edit[]): Edit[] {
  const isRemoved = ({ start, end }: SyntaxNode): boolean =>
    edits.some((edit) => start >= edit.start && end <= edit.end)
  const uses = [...nodes(source.root)].filter(
    (node) =>
      (node.type === 'package_identifier' && node.field === 'package') ||
      (node.type === 'identifier' && node.field === 'operand'),
  )
  // A type that the edits write stands for its own package.
  const written = edits.map(({ text }) => text).join('\n')
  return [...nodes(source.root)].flatMap((node) => {
    const path = node.type === 'import_spec' ? field(node, 'path') : null
    if (path === null) return []
    const name = fieldText(source, node, 'name') || packageName(textOf(source, path).slice(1, -1))
    const users = uses.filter((use) => textOf(source, use) === name)
    const isStillUsed = users.some((use) => !isRemoved(use)) || new RegExp(`\\b${name}\\.`).test(written)
    if (users.length === 0 || isStillUsed || name === '.' || name === '_') return []
    return [replaceNode(node, `_ ${textOf(source, path)}`)]
  })
}

/** `example.org/go-yaml/v3` is most often the package `yaml`. */
function packageName(path: string): string {
  const parts = path.split('/').filter((part) => !/^v\d+$/.test(part))
  return (parts.at(-1) ?? '').replace(/\.v\d+$/, '').replace(/^go-|-go$|\.go$/g, '')
}
