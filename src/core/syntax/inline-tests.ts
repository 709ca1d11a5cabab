// Test code that stands inside a source file: Rust's test modules, vitest's in-source tests, examples in comments.
import { isScript } from './languages.ts'
import type { Source, SyntaxNode } from './syntax-tree.ts'
import { type LineRange, field, lastLine, nodes, rangeOf, textOf } from './tree.ts'

export function inlineTests(source: Source): LineRange[] {
  if (isScript(source.language)) return scriptTests(source)
  if (source.language === 'rust') return rustTests(source)
  if (source.language === 'python') return pythonDocTests(source)
  return []
}

function scriptTests(source: Source): LineRange[] {
  return [...nodes(source.root)]
    .filter((node) => node.type === 'if_statement' && asksForVitest(source, field(node, 'condition')))
    .map((node) => rangeOf(source, node))
}

/** `import.meta.vitest` in any condition. */
function asksForVitest(source: Source, condition: SyntaxNode | null): boolean {
  if (condition === null) return false
  return [...nodes(condition)].some(
    (node) => node.type === 'member_expression' && /^import\.meta\.vitest$/.test(textOf(source, node)),
  )
}

function rustTests(source: Source): LineRange[] {
  const ranges: LineRange[] = []
  for (const node of nodes(source.root)) {
    let marked: number | null = null
    for (const child of node.children) {
      if (child.type === 'attribute_item') {
        if (isTestAttribute(source, child)) marked ??= child.line
      } else if (child.type === 'line_comment' || child.type === 'block_comment') {
        continue
      } else {
        if (marked !== null) ranges.push({ start: marked, end: lastLine(source, child) })
        marked = null
      }
    }
  }
  return [...ranges, ...rustDocTests(source)].toSorted((a, b) => a.start - b.start)
}

/** `#[test]`, `#[tokio::test]`, `#[cfg(test)]`, `#[cfg(all(test, unix))]`, but not `#[cfg(not(test))]`. */
export function isTestAttribute(source: Source, item: SyntaxNode): boolean {
  const attribute = item.children.find(({ type }) => type === 'attribute')
  if (attribute === undefined) return false
  const name = attribute.children.find(({ named }) => named)
  if (name === undefined) return false
  const path = textOf(source, name)
  if (/(^|::)(test|rstest|test_case|bench|proptest)$/.test(path)) return true
  if (path !== 'cfg') return false
  const condition = field(attribute, 'arguments')
  if (condition === null) return false
  const words = [...nodes(condition)].filter(({ type }) => type === 'identifier').map((node) => textOf(source, node))
  return words.includes('test') && !words.includes('not')
}

/** Code between fences in `///` and `//!` comments. */
function rustDocTests(source: Source): LineRange[] {
  const comments = [...nodes(source.root)].filter(
    ({ type, start }) => type === 'line_comment' && /^\/\/[/!]/.test(source.text.slice(start, start + 3)),
  )
  const ranges: LineRange[] = []
  let opened: number | null = null
  for (const comment of comments) {
    if (!/^\/\/[/!]\s*```/.test(textOf(source, comment))) continue
    if (opened === null) opened = comment.line
    else {
      ranges.push({ start: opened, end: comment.line })
      opened = null
    }
  }
  return ranges
}

/** From the first `>>>` of a docstring to its last line that is not empty. */
function pythonDocTests(source: Source): LineRange[] {
  return [...nodes(source.root)].filter(isDocstring).flatMap((node) => {
    const lines = textOf(source, node).split('\n')
    const first = lines.findIndex((line) => /^\s*(["']{3})?\s*>>> /.test(line))
    if (first === -1) return []
    const last = lines.findLastIndex((line) => !/^\s*(["']{3})?\s*$/.test(line))
    return [{ start: node.line + first, end: node.line + Math.max(first, last) }]
  })
}

/** A statement that is nothing but a string. */
export function isDocstring(node: SyntaxNode): boolean {
  if (node.type !== 'expression_statement') return false
  const [only, ...rest] = node.children.filter(({ named }) => named)
  return rest.length === 0 && (only?.type === 'string' || only?.type === 'concatenated_string')
}
