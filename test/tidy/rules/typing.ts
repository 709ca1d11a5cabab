// No escapes from the types, and no call like `list(true, false)` that only the callee can read.
import type { Node, ParamPattern } from 'oxc-parser'
import { type SourceFile, type Violation, isProduct, violation } from '../source.ts'
import { nodes } from '../walk.ts'

export function typeEscapes(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) => {
    if (file.code === null) return []
    const { program, comments } = file.code
    return [
      ...[...nodes(program)].flatMap(({ node }) => {
        if (node.type === 'TSAnyKeyword')
          return [violation(file, node.start, 'any switches the compiler off; say the type, or unknown and look')]
        if (node.type === 'TSEnumDeclaration')
          return [violation(file, node.start, 'an enum is code that looks like a type; use a union of strings')]
        return []
      }),
      ...comments
        .filter(({ value }) => /^[\s*/]*@ts-(ignore|nocheck)\b/m.test(value))
        .map(({ start }) => violation(file, start, 'the compiler is silenced here; mend the type it complains about')),
    ]
  })
}

export function booleanParameters(files: readonly SourceFile[]): Violation[] {
  return files.filter(isProduct).flatMap((file) =>
    exportedDeclarations(file)
      .flatMap(callablesOf)
      .flatMap((params) => params.filter(isBoolean))
      .map((param) =>
        violation(
          file,
          param.start,
          'nobody can read a bare true in a call; take a word or an object with a named field',
        ),
      ),
  )
}

function exportedDeclarations(file: SourceFile): Node[] {
  const statements = file.code?.program.body ?? []
  const exported = new Set(
    statements.flatMap((one) =>
      one.type === 'ExportNamedDeclaration' && one.source === null
        ? one.specifiers.flatMap(({ local }) => (local.type === 'Identifier' ? [local.name] : []))
        : [],
    ),
  )
  return statements.flatMap((statement): Node[] => {
    if (statement.type === 'ExportNamedDeclaration')
      return statement.declaration === null ? [] : parts(statement.declaration)
    if (statement.type === 'ExportDefaultDeclaration') return [statement.declaration]
    return parts(statement).filter(
      (part) => 'id' in part && part.id?.type === 'Identifier' && exported.has(part.id.name),
    )
  })
}

/** `const f = …, g = …` declares two. */
function parts(declaration: Node): Node[] {
  return declaration.type === 'VariableDeclaration' ? declaration.declarations : [declaration]
}

/** The parameters of every function that an importer of this declaration can call. */
function callablesOf(declaration: Node): ParamPattern[][] {
  switch (declaration.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'TSDeclareFunction':
    case 'ArrowFunctionExpression':
      return [declaration.params]
    case 'VariableDeclarator':
      return declaration.init === null ? [] : callablesOf(declaration.init)
    case 'ClassDeclaration':
      return declaration.body.body.flatMap((member) =>
        member.type === 'MethodDefinition' && member.kind !== 'set' && member.accessibility !== 'private'
          ? [member.value.params]
          : [],
      )
    case 'TSInterfaceDeclaration':
      return declaration.body.body.flatMap((member) =>
        member.type === 'TSMethodSignature' && member.kind === 'method' ? [member.params] : [],
      )
    default:
      return []
  }
}

function isBoolean(param: Node): boolean {
  if (param.type === 'TSParameterProperty') return isBoolean(param.parameter)
  if (param.type === 'AssignmentPattern')
    return isBoolean(param.left) || (param.right.type === 'Literal' && typeof param.right.value === 'boolean')
  return (
    param.type === 'Identifier' && param.typeAnnotation != null && isBooleanType(param.typeAnnotation.typeAnnotation)
  )
}

function isBooleanType(type: Node): boolean {
  if (type.type === 'TSUnionType') return type.types.some(isBooleanType)
  if (type.type === 'TSParenthesizedType') return isBooleanType(type.typeAnnotation)
  if (type.type === 'TSLiteralType') return type.literal.type === 'Literal' && typeof type.literal.value === 'boolean'
  return type.type === 'TSBooleanKeyword'
}
