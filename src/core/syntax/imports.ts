// What a file imports, in its own words.
import type { Source, SyntaxNode } from './syntax-tree.ts'
import { field, fieldText, fields, namedChildren, nodes, stringValue, textOf } from './tree.ts'

/** In the order of the file, each once. Paths that are relative stay so. */
export function importedPaths(source: Source): string[] {
  const found = [...nodes(source.root)].flatMap((node): (string | null)[] => {
    switch (source.language) {
      case 'python':
        return pythonPaths(source, node)
      case 'go':
        return node.type === 'import_spec' ? [stringValue(source, field(node, 'path'))] : []
      case 'rust':
        return rustPaths(source, node)
      case 'java':
        return node.type === 'import_declaration' ? [javaPath(source, node)] : []
      case 'ruby':
        return rubyPaths(source, node)
      case 'c':
        return cPaths(source, node)
      default:
        return scriptPaths(source, node)
    }
  })
  return [...new Set(found.filter((path) => path !== null).filter((path) => path !== ''))]
}

/** `import`, `export … from`, `require`, `import()` and what test runners load by name. */
function scriptPaths(source: Source, node: SyntaxNode): (string | null)[] {
  if (node.type === 'import_statement' || node.type === 'export_statement')
    return [stringValue(source, field(node, 'source'))]
  if (node.type === 'import_require_clause') return [stringValue(source, field(node, 'source'))]
  if (node.type !== 'call_expression') return []
  const called = field(node, 'function')
  if (called === null) return []
  const name = textOf(source, called)
  if (!/^(import|require|require\.resolve|(vi|jest)\.(importActual|requireActual|importMock|requireMock))$/.test(name))
    return []
  return [stringValue(source, namedChildren(field(node, 'arguments') ?? node)[0] ?? null)]
}

/** `from a import b` may mean the module `a.b`, so both are named. */
function pythonPaths(source: Source, node: SyntaxNode): string[] {
  const nameOf = (one: SyntaxNode): string =>
    one.type === 'aliased_import' ? fieldText(source, one, 'name') : textOf(source, one)
  if (node.type === 'import_statement') return fields(node, 'name').map(nameOf)
  if (node.type !== 'import_from_statement') return []
  const from = fieldText(source, node, 'module_name')
  const join = from.endsWith('.') ? '' : '.'
  return [from, ...fields(node, 'name').map((one) => `${from}${join}${nameOf(one)}`)]
}

function rustPaths(source: Source, node: SyntaxNode): string[] {
  if (node.type === 'mod_item') return field(node, 'body') === null ? [`self::${fieldText(source, node, 'name')}`] : []
  if (node.type !== 'use_declaration') return []
  const argument = field(node, 'argument')
  return argument === null ? [] : usedPaths(source, argument, '')
}

function usedPaths(source: Source, node: SyntaxNode, prefix: string): string[] {
  const path = (text: string): string => (prefix === '' ? text : `${prefix}::${text}`)
  switch (node.type) {
    case 'use_list':
      return namedChildren(node).flatMap((one) => usedPaths(source, one, prefix))
    case 'scoped_use_list': {
      const list = field(node, 'list')
      return list === null ? [] : usedPaths(source, list, path(fieldText(source, node, 'path')))
    }
    case 'use_as_clause':
      return [path(fieldText(source, node, 'path'))]
    case 'use_wildcard':
      return namedChildren(node).map((one) => path(textOf(source, one)))
    case 'self':
      return [prefix]
    default:
      return [path(textOf(source, node))]
  }
}

function javaPath(source: Source, node: SyntaxNode): string {
  const name = namedChildren(node).find(({ type }) => /^(scoped_)?identifier$/.test(type))
  if (name === undefined) return ''
  return node.children.some(({ type }) => type === 'asterisk') ? `${textOf(source, name)}.*` : textOf(source, name)
}

function rubyPaths(source: Source, node: SyntaxNode): (string | null)[] {
  if (node.type !== 'call') return []
  const method = fieldText(source, node, 'method')
  if (!/^(require|require_relative|load|autoload)$/.test(method)) return []
  const path = stringValue(source, namedChildren(field(node, 'arguments') ?? node).at(-1) ?? null)
  if (path === null || method !== 'require_relative') return [path]
  return [path.startsWith('.') ? path : `./${path}`]
}

/** `"a.h"` lies beside the file; `<a.h>` is the system's. */
function cPaths(source: Source, node: SyntaxNode): string[] {
  if (node.type !== 'preproc_include') return []
  const path = fieldText(source, node, 'path')
  return [path.startsWith('"') ? `./${path.slice(1, -1)}` : path]
}
