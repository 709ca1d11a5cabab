import type { Node } from 'oxc-parser'
import type { SourceFile } from './source.ts'
import { nodes } from './walk.ts'

export interface Import {
  /** Null where the path is computed. */
  readonly specifier: string | null
  readonly offset: number
  /** `import type`: gone at run time. */
  readonly kind: 'type' | 'value'
}

/** All ways in which a file gets at another: import, export from, import(), import types, require, getBuiltinModule. */
export function importsOf(file: SourceFile): Import[] {
  if (file.code === null) return []
  return [...nodes(file.code.program)].flatMap(({ node }) => {
    const found = sourceOf(node)
    return found === null ? [] : [{ ...found, offset: node.start }]
  })
}

function sourceOf(node: Node): Omit<Import, 'offset'> | null {
  switch (node.type) {
    case 'ImportDeclaration':
      return { specifier: node.source.value, kind: node.importKind ?? 'value' }
    case 'ExportAllDeclaration':
      return { specifier: node.source.value, kind: node.exportKind ?? 'value' }
    case 'ExportNamedDeclaration':
      return node.source === null ? null : { specifier: node.source.value, kind: node.exportKind ?? 'value' }
    case 'ImportExpression':
      return { specifier: textOf(node.source), kind: 'value' }
    case 'TSImportType':
      return { specifier: textOf(node.source), kind: 'type' }
    case 'TSExternalModuleReference':
      return { specifier: textOf(node.expression), kind: 'value' }
    case 'CallExpression':
      return isLoader(node.callee) && node.arguments[0] !== undefined
        ? { specifier: textOf(node.arguments[0]), kind: 'value' }
        : null
    default:
      return null
  }
}

function isLoader(callee: Node): boolean {
  if (callee.type === 'Identifier') return callee.name === 'require'
  return (
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'getBuiltinModule'
  )
}

function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? null
  return null
}
