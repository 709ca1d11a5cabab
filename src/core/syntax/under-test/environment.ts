// Asks the environment: `process.env.VITEST`, `os.environ.get('CI')`, `NODE_ENV === 'test'`.
import { type IndexedSource, constantText, constantTexts } from '../constant-text.ts'
import type { SyntaxNode } from '../syntax-tree.ts'
import { type Visit, field, fieldText, namedChildren, nodes, textOf } from '../tree.ts'
import {
  ENVIRONMENT_VARIABLE,
  MACHINE_VARIABLE,
  READS_ENVIRONMENT,
  RUNNER_VARIABLE,
  TEST_ENVIRONMENT,
} from './signs.ts'

export function asksEnvironment(source: IndexedSource, visit: Visit): string | null {
  const { node } = visit
  const name = nameIn(source, visit)
  if (name !== null) {
    if (RUNNER_VARIABLE.test(name)) return `asks for ${name}, which a test runner sets`
    if (MACHINE_VARIABLE.test(name) && isOfEnvironment(source, visit))
      return `asks for the environment variable ${name}`
  }
  return comparesEnvironment(source, node) ? 'asks whether the environment is "test"' : null
}

/** A name that is read: a member, a text, a name in a pattern. */
function nameIn(source: IndexedSource, { node, parents }: Visit): string | null {
  const parent = parents.at(-1)
  if (/^(property_identifier|shorthand_property_identifier_pattern|attribute)$/.test(node.type))
    return textOf(source, node)
  if (node.type === 'identifier' && (node.field === 'attribute' || node.field === 'property'))
    return textOf(source, node)
  // The whole sum is looked at, not its parts.
  if (parent !== undefined && parent.type.startsWith('binary') && constantText(source, parent) !== null) return null
  return /^(identifier|call)/.test(node.type) ? null : constantText(source, node)
}

/** `process.env.CI`, `os.getenv('CI')`, `const { CI } = process.env`. */
function isOfEnvironment(source: IndexedSource, { parents }: Visit): boolean {
  return parents.slice(-4).some((parent) => {
    if (/^(member_expression|subscript_expression|subscript|element_reference|attribute)$/.test(parent.type))
      return READS_ENVIRONMENT.test(
        textOf(source, field(parent, 'object') ?? field(parent, 'value') ?? namedChildren(parent)[0] ?? parent),
      )
    if (/^(call_expression|call|method_invocation|macro_invocation)$/.test(parent.type)) {
      const called = field(parent, 'function') ?? field(parent, 'name') ?? field(parent, 'method')
      const object = field(parent, 'object') ?? field(parent, 'receiver')
      return READS_ENVIRONMENT.test(
        `${object === null ? '' : textOf(source, object)}.${called === null ? '' : textOf(source, called)}`,
      )
    }
    if (parent.type === 'variable_declarator') return READS_ENVIRONMENT.test(fieldText(source, parent, 'value'))
    return parent.type === 'comparison_operator' && READS_ENVIRONMENT.test(textOf(source, parent))
  })
}

const COMPARES =
  /^(binary_expression|comparison_operator|binary|switch_statement|match_statement|case|call_expression|call|method_invocation)$/

/** `NODE_ENV === 'test'`, also through a constant of the file, `['test'].includes(NODE_ENV)`, `switch (NODE_ENV)`, `Rails.env.test?`. */
function comparesEnvironment(source: IndexedSource, node: SyntaxNode): boolean {
  if (!COMPARES.test(node.type)) return false
  if (node.type === 'call' && /^Rails\.env\.test\?$/.test(textOf(source, node))) return true
  const parts = partsOf(source, node)
  const isTest = parts.some((part) => constantTexts(source, part).some((text) => TEST_ENVIRONMENT.test(text)))
  return isTest && parts.some((part) => namesEnvironment(source, part, 0))
}

/** What is compared with what; of a `switch` its value and its cases. */
function partsOf(source: IndexedSource, node: SyntaxNode): SyntaxNode[] {
  if (!/switch_statement|match_statement|^case$/.test(node.type)) {
    const isCall = /^(call|method_invocation)/.test(node.type)
    const called = isCall ? (field(node, 'function') ?? field(node, 'name') ?? field(node, 'method')) : null
    if (
      isCall &&
      !/^(includes|startsWith|endsWith|test|match|equals|indexOf|has|is|contains|EqualFold|HasPrefix)$/.test(
        lastWord(source, called),
      )
    )
      return []
    return namedChildren(node)
  }
  const value = field(node, 'value') ?? field(node, 'subject')
  const cases = [...nodes(node)].filter(({ type }) =>
    /^(switch_case|case_clause|when|pattern|case_pattern)$/.test(type),
  )
  return [...(value === null ? [] : [value]), ...cases.map((one) => namedChildren(one)[0] ?? one)]
}

function lastWord(source: IndexedSource, called: SyntaxNode | null): string {
  return called === null ? '' : (textOf(source, called).split(/[.:]/).at(-1) ?? '')
}

function namesEnvironment(source: IndexedSource, node: SyntaxNode, depth: number): boolean {
  if (depth > 2) return false
  return [...nodes(node)].some((one) => {
    if (one.children.length > 0 && !/string/.test(one.type)) return false
    const text = constantText(source, one.type === 'identifier' ? null : one) ?? textOf(source, one)
    if (ENVIRONMENT_VARIABLE.test(text)) return true
    if (one.type !== 'identifier') return false
    const given = [...nodes(source.root)].find(
      (declared) =>
        (declared.type === 'variable_declarator' && fieldText(source, declared, 'name') === text) ||
        (/^(assignment|short_var_declaration)$/.test(declared.type) && fieldText(source, declared, 'left') === text),
    )
    const value = given === undefined ? null : (field(given, 'value') ?? field(given, 'right'))
    return value !== null && READS_ENVIRONMENT.test(textOf(source, value)) && namesEnvironment(source, value, depth + 1)
  })
}
