// State belongs to an object that is opened and closed: two builds in one process must not share it by accident, and a
// test must be able to start without it. A constant is fine where its type says that it does not change.
import type { Expression, Node, Program, VariableDeclaration, VariableDeclarator } from 'oxc-parser'
import { declarations } from '../scope.ts'
import { type SourceFile, type Violation, isProduct, violation } from '../source.ts'
import { nodes } from '../walk.ts'

const ROOMS = ['core', 'engine', 'operations', 'store']

const COLLECTIONS = /^(Weak)?(Map|Set)$/

export function moduleState(files: readonly SourceFile[]): Violation[] {
  return files
    .filter((file) => isProduct(file) && ROOMS.some((room) => file.path.startsWith(`src/${room}/`)))
    .flatMap((file) => (file.code === null ? [] : stateIn(file, file.code.program)))
}

function stateIn(file: SourceFile, program: Program): Violation[] {
  const declared = program.body
    .map((one) => (one.type === 'ExportNamedDeclaration' ? one.declaration : one))
    .filter((one): one is VariableDeclaration => one?.type === 'VariableDeclaration' && !one.declare)
  const found = declared.flatMap((one) => {
    if (one.kind !== 'const')
      return [violation(file, one.start, `a module has no ${one.kind}; give the value an owner`)]
    return one.declarations.flatMap((declarator) => {
      const problem = problemOf(declarator)
      return problem === null ? [] : [violation(file, declarator.start, problem)]
    })
  })
  return [
    ...found,
    ...assignments(program).map((node) =>
      violation(file, node.start, 'a module changes its own constant; give the value an owner'),
    ),
  ]
}

function problemOf({ id, init }: VariableDeclarator): string | null {
  const made = init === null ? null : collectionOf(init)
  if (made === null) return null
  if (made.startsWith('Weak')) return `a ${made} of a module is state; give it to the object that it is about`
  const type = 'typeAnnotation' in id ? id.typeAnnotation?.typeAnnotation : undefined
  const isReadonly =
    type?.type === 'TSTypeOperator'
      ? type.operator === 'readonly'
      : type?.type === 'TSTypeReference' &&
        type.typeName.type === 'Identifier' &&
        type.typeName.name.startsWith('Readonly')
  return isReadonly
    ? null
    : `the type of this ${made} does not say that it never changes; make it readonly, or give it an owner`
}

/** What kind of collection the expression makes; null where it makes none, or one that the compiler holds (`as const`). */
function collectionOf(init: Expression): string | null {
  switch (init.type) {
    case 'ArrayExpression':
      return 'array'
    case 'ObjectExpression':
      return init.properties.length === 0 ? 'object' : null
    case 'NewExpression':
      return init.callee.type === 'Identifier' && COLLECTIONS.test(init.callee.name) ? init.callee.name : null
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return collectionOf(init.expression)
    default:
      return null
  }
}

/** `counts.all += 1`, `delete counts.all`, `counts[0]++`, where `counts` is a constant of the module. */
function assignments(program: Program): Node[] {
  const visits = [...nodes(program)]
  const names = declarations(visits)
  return visits.flatMap(({ node, parents }) => {
    const target = targetOf(node)
    if (target?.type !== 'MemberExpression') return []
    let root: Node = target
    while (root.type === 'MemberExpression') root = root.object
    if (root.type !== 'Identifier') return []
    const { name } = root
    return parents.findLast((scope) => names.get(scope)?.has(name)) === program ? [node] : []
  })
}

function targetOf(node: Node): Node | null {
  if (node.type === 'AssignmentExpression') return node.left
  if (node.type === 'UpdateExpression') return node.argument
  return node.type === 'UnaryExpression' && node.operator === 'delete' ? node.argument : null
}
