// Asks the compiler: other code is built for tests.
import type { Source } from '../syntax-tree.ts'
import { type Visit, field, fieldText, nodes, textOf } from '../tree.ts'

export function asksCompiler(source: Source, { node }: Visit): string | null {
  if (source.language === 'rust') {
    if (node.type === 'macro_invocation' && fieldText(source, node, 'macro') === 'cfg')
      return namesTest(source, node) ? 'asks cfg!(test)' : null
    if (node.type !== 'attribute_item' && node.type !== 'inner_attribute_item') return null
    const attribute = node.children.find(({ type }) => type === 'attribute')
    const name = attribute?.children.find(({ named }) => named)
    if (attribute === undefined || name === undefined || !/^cfg(_attr)?$/.test(textOf(source, name))) return null
    // `#[cfg(test)]` marks the tests; `#[cfg(not(test))]` marks what they never see.
    const condition = field(attribute, 'arguments')
    const words =
      condition === null
        ? []
        : [...nodes(condition)].filter(({ type }) => type === 'identifier').map((one) => textOf(source, one))
    return words.includes('test') && words.includes('not') ? 'leaves code out of the tests with cfg(not(test))' : null
  }
  if (source.language !== 'c') return null
  if (node.type !== 'preproc_ifdef' && node.type !== 'preproc_if') return null
  const condition = field(node, 'name') ?? field(node, 'condition')
  if (condition === null || !/(^|[^A-Z])(UNIT_?)?TEST(ING|S)?([^A-Z]|$)/.test(textOf(source, condition))) return null
  return `builds other code under ${textOf(source, condition)}`
}

function namesTest(source: Source, node: Parameters<typeof nodes>[0]): boolean {
  return [...nodes(node)].some((one) => one.type === 'identifier' && textOf(source, one) === 'test')
}
