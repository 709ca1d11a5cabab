// Ways through a syntax tree.
import type { Source, SyntaxNode } from './syntax-tree.ts'

/** Line numbers from 1; `all`: every line of the file. */
export type Lines = ReadonlySet<number> | 'all'

export interface LineRange {
  readonly start: number
  /** The last line, inclusive. */
  readonly end: number
}

export function textOf(source: Source, node: SyntaxNode): string {
  return source.text.slice(node.start, node.end)
}

/** The child in this role. */
export function field(node: SyntaxNode, name: string): SyntaxNode | null {
  return node.children.find((child) => child.field === name) ?? null
}

export function fields(node: SyntaxNode, name: string): SyntaxNode[] {
  return node.children.filter((child) => child.field === name)
}

/** The text of the child in this role; empty where there is none. */
export function fieldText(source: Source, node: SyntaxNode, name: string): string {
  const child = field(node, name)
  return child === null ? '' : textOf(source, child)
}

export function namedChildren(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter((child) => child.named && !isComment(child))
}

export function hasChild(node: SyntaxNode, ...types: readonly string[]): boolean {
  return node.children.some((child) => types.includes(child.type))
}

export function isComment({ type }: SyntaxNode): boolean {
  return type === 'comment' || type === 'line_comment' || type === 'block_comment' || type === 'html_comment'
}

export interface Visit {
  readonly node: SyntaxNode
  /** From the root down. */
  readonly parents: readonly SyntaxNode[]
}

/** Every node from the top down. `enters` says whether to look inside a node; the node itself is always visited. */
export function* visits(root: SyntaxNode, enters: (node: SyntaxNode) => boolean = () => true): Generator<Visit> {
  const open: Visit[] = [{ node: root, parents: [] }]
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    yield visit
    const { node, parents } = visit
    if (node.children.length === 0 || !enters(node)) continue
    const inside = [...parents, node]
    for (const child of node.children.toReversed()) open.push({ node: child, parents: inside })
  }
}

export function* nodes(root: SyntaxNode, enters: (node: SyntaxNode) => boolean = () => true): Generator<SyntaxNode> {
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node
    if (node.children.length === 0 || !enters(node)) continue
    for (let at = node.children.length - 1; at >= 0; at -= 1) open.push(node.children[at] as SyntaxNode)
  }
}

export function descendant(root: SyntaxNode, ...types: readonly string[]): SyntaxNode | null {
  for (const node of nodes(root)) if (types.includes(node.type)) return node
  return null
}

export function lastLine(source: Source, node: SyntaxNode): number {
  let line = node.line
  for (let at = source.text.indexOf('\n', node.start); at !== -1 && at < node.end - 1;) {
    line += 1
    at = source.text.indexOf('\n', at + 1)
  }
  return line
}

export function rangeOf(source: Source, node: SyntaxNode): LineRange {
  return { start: node.line, end: lastLine(source, node) }
}

export function overlaps(source: Source, node: SyntaxNode, lines: Lines): boolean {
  if (lines === 'all') return true
  const end = lastLine(source, node)
  for (let line = node.line; line <= end; line += 1) if (lines.has(line)) return true
  return false
}

export function isInside(line: number, ranges: readonly LineRange[]): boolean {
  return ranges.some(({ start, end }) => line >= start && line <= end)
}

/** The value of a string literal without its quotes; null where it is not one plain string. */
export function stringValue(source: Source, node: SyntaxNode | null): string | null {
  if (node === null) return null
  if (node.type === 'parenthesized_expression') return stringValue(source, namedChildren(node)[0] ?? null)
  if (!STRINGS.has(node.type)) return null
  if (descendant(node, 'template_substitution', 'interpolation') !== null) return null
  const text = textOf(source, node)
  const match = /^[a-z]*#*("""|'''|["'`])([^]*)\1#*$/i.exec(text)
  return match?.[2] ?? null
}

const STRINGS: ReadonlySet<string> = new Set([
  'string',
  'template_string',
  'string_literal',
  'raw_string_literal',
  'interpreted_string_literal',
])
