// Which names are a file's own. Enough for code without `var` and `with`: every name belongs to the innermost block,
// function, loop, catch or class that holds its declaration.
import type { Node } from 'oxc-parser'
import { type Visit, nodes } from './walk.ts'

/** Uses of names that nothing in the program declares, as values (not as types). */
export function globalsUsed(program: Node): Visit[] {
  const visits = [...nodes(program)]
  const declared = declarations(visits)
  return visits.filter(({ node, parents }) => {
    if (node.type !== 'Identifier' || !isReference(node, parents)) return false
    return !parents.some((scope) => declared.get(scope)?.has(node.name))
  })
}

export function declarations(visits: readonly Visit[]): Map<Node, Set<string>> {
  const declared = new Map<Node, Set<string>>()
  for (const { node, parents } of visits) {
    if (node.type !== 'Identifier') continue
    const place = placeOfDeclaration(node, parents)
    if (place === null) continue
    declared.set(place, (declared.get(place) ?? new Set()).add(node.name))
  }
  return declared
}

const scopes =
  /^(Program|BlockStatement|For\w*Statement|CatchClause|StaticBlock|SwitchStatement|\w*Function\w*|Class\w+)$/
const patterns = /^(ObjectPattern|ArrayPattern|RestElement|TSParameterProperty)$/

/** The scope in which this identifier is made known; null where it is not being declared. */
function placeOfDeclaration(node: Node, parents: readonly Node[]): Node | null {
  let inner = node
  for (let depth = parents.length - 1; depth >= 0; depth -= 1) {
    const parent = parents[depth] as Node
    if (isNamed(parent, inner)) return innermostScope(parents.slice(0, depth))
    // Its own name is known inside a function or class expression, and around a declaration.
    if (/^(Function|Class)/.test(parent.type) && 'id' in parent && parent.id === inner)
      return parent.type.endsWith('Declaration') ? innermostScope(parents.slice(0, depth)) : parent
    if ('params' in parent && (parent.params as Node[]).includes(inner)) return parent
    if (parent.type === 'CatchClause' && parent.param === inner) return parent
    if (!isPatternPart(parent, inner)) return null
    inner = parent
  }
  return null
}

function isNamed(parent: Node, inner: Node): boolean {
  if (parent.type === 'VariableDeclarator') return parent.id === inner
  return /^Import\w*Specifier$/.test(parent.type) && 'local' in parent && parent.local === inner
}

function isPatternPart(parent: Node, inner: Node): boolean {
  if (parent.type === 'AssignmentPattern') return parent.left === inner
  if (parent.type === 'Property') return parent.value === inner
  return patterns.test(parent.type)
}

function innermostScope(parents: readonly Node[]): Node | null {
  return parents.findLast((parent) => scopes.test(parent.type)) ?? null
}

const expressionsWithType = /^TS(As|Satisfies|NonNull|Instantiation)Expression$|^TSTypeAssertion$|^TSExportAssignment$/

function isReference(node: Node, parents: readonly Node[]): boolean {
  const parent = parents.at(-1)
  if (parent === undefined) return false
  if (parents.some(({ type }) => type.startsWith('TS') && !expressionsWithType.test(type))) return false
  if (placeOfDeclaration(node, parents) !== null) return false
  if ('computed' in parent && !parent.computed) {
    if (parent.type === 'MemberExpression') return parent.object === node
    return 'value' in parent && parent.value === node
  }
  if (parent.type === 'ExportSpecifier') return parent.local === node && !isPassedOn(parents.at(-2))
  return !/^(MetaProperty|ImportAttribute|Import\w*Specifier|LabeledStatement|BreakStatement|ContinueStatement)$/.test(
    parent.type,
  )
}

/** `export { name } from`: the name is another file's. */
function isPassedOn(declaration: Node | undefined): boolean {
  return declaration?.type === 'ExportNamedDeclaration' && declaration.source !== null
}
