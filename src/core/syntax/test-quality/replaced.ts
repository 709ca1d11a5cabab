// Tests that do not run the changed code: they put something else in its place, or read it as a text.
import { type IndexedSource, givenTexts } from '../constant-text.ts'
import { isScript } from '../languages.ts'
import type { SyntaxNode } from '../syntax-tree.ts'
import { field, fieldText, namedChildren, nodes, stringValue, textOf } from '../tree.ts'
import type { CodeFinding } from '../under-test.ts'
import { READS_FILES } from '../under-test/signs.ts'

/** `changed`: the source files of the change, from the root of the repository. */
export function replacedUnits(source: IndexedSource, changed: readonly string[]): CodeFinding[] {
  return [...nodes(source.root)].flatMap((node) => {
    const path = isScript(source.language)
      ? scriptMock(source, node, changed)
      : source.language === 'python'
        ? pythonMock(source, node, changed)
        : null
    return path === null ? [] : [{ line: node.line, what: `replaces ${path}, which it is to test` }]
  })
}

const MOCKS =
  /^((vi|jest|vitest)\.(mock|doMock|unstable_mockModule|setMock)|mock\.module|(t|ctx|context)\.mock\.module|td\.replace(Esm)?|proxyquire|esmock|mockery\.registerMock|quibble(\.esm)?)$/

function scriptMock(source: IndexedSource, node: SyntaxNode, changed: readonly string[]): string | null {
  if (node.type !== 'call_expression') return null
  const called = fieldText(source, node, 'function').replace(/\s/g, '')
  const args = namedChildren(field(node, 'arguments') ?? node)
  if (/^(vi|jest|mock|sinon|t\.mock)\.(spyOn|method|stub)$/.test(called)) return spiedModule(source, args, changed)
  if (!MOCKS.test(called)) return null
  // A factory that only adds to the real module replaces nothing.
  const isReal =
    args[1] !== undefined && /\b(importActual|requireActual|importOriginal|spy:\s*true)\b/.test(textOf(source, args[1]))
  // `vi.mock(import('./a.js'))` names the module as well.
  const path = args[0] === undefined ? null : givenTexts(source, args[0])[0]
  if (path == null || (isReal && !/\bspy:/.test(called))) return null
  return matching(source.path, path.replace(/^file:\/\//, ''), changed)
}

/** `vi.spyOn(cart, 'total')`, where `cart` is the changed module. */
function spiedModule(source: IndexedSource, args: readonly SyntaxNode[], changed: readonly string[]): string | null {
  const [object, name] = args
  if (object?.type !== 'identifier' || stringValue(source, name ?? null) === null) return null
  for (const node of nodes(source.root)) {
    if (node.type !== 'import_statement') continue
    const isWhole = [...nodes(node)].some(
      (one) =>
        one.type === 'namespace_import' && textOf(source, namedChildren(one)[0] ?? one) === textOf(source, object),
    )
    const path = stringValue(source, field(node, 'source'))
    if (isWhole && path !== null) return matching(source.path, path, changed)
  }
  return null
}

function pythonMock(source: IndexedSource, node: SyntaxNode, changed: readonly string[]): string | null {
  if (node.type !== 'call') return null
  const called = fieldText(source, node, 'function')
  if (!/(^|\.)(patch|setattr)(\.object|\.multiple)?$/.test(called) || /^(builtins\.)?setattr$/.test(called)) return null
  const [first] = namedChildren(field(node, 'arguments') ?? node)
  if (first === undefined) return null
  const named = stringValue(source, first) ?? importedAs(source, textOf(source, first))
  if (named === null) return null
  const parts = named.split('.')
  return (
    changed.find((path) => {
      const own = path.replace(/(\/__init__)?\.py$/, '').split('/')
      // `src/shop/cart.py` is `shop.cart` in `shop.cart.total`. A name that it imports from elsewhere is not its own.
      for (let from = 0; from < own.length; from += 1) {
        const module = own.slice(from)
        if (module.every((part, at) => parts[at] === part) && (module.length > 1 || own.length <= 2))
          return parts.length <= module.length + 2
      }
      return false
    }) ?? null
  )
}

/** The module that a name of the file stands for. */
function importedAs(source: IndexedSource, name: string): string | null {
  const [root = ''] = name.split('.')
  for (const node of nodes(source.root)) {
    if (node.type === 'import_statement' || node.type === 'import_from_statement') {
      const from = node.type === 'import_from_statement' ? `${fieldText(source, node, 'module_name')}.` : ''
      for (const one of node.children.filter((child) => child.field === 'name')) {
        const alias = fieldText(source, one, 'alias') || textOf(source, one)
        if (alias === root) return `${from}${fieldText(source, one, 'name') || textOf(source, one)}`
      }
    }
  }
  return null
}

/** The changed file that a relative path means, with or without its ending. */
function matching(from: string, path: string, changed: readonly string[]): string | null {
  const wanted = path.startsWith('.') ? resolve(from, path) : path.replace(/^[@~]\//, '')
  const bare = (one: string): string => one.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '')
  return (
    changed.find(
      (one) =>
        bare(one) === bare(wanted) ||
        (!path.startsWith('.') && bare(one).endsWith(`/${bare(wanted)}`) && wanted.includes('/')),
    ) ?? null
  )
}

function resolve(from: string, path: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** `readFileSync('../src/cart.js', 'utf8')`, `open("cart.py")`, `include_str!("lib.rs")`, `inspect.getsource(cart)`. */
export function readsOfSource(source: IndexedSource, changed: readonly string[]): CodeFinding[] {
  return [...nodes(source.root)].flatMap((node) => {
    const path = readPath(source, node, changed)
    return path === null ? [] : [{ line: node.line, what: `reads ${path} as a text` }]
  })
}

function readPath(source: IndexedSource, node: SyntaxNode, changed: readonly string[]): string | null {
  if (node.type === 'macro_invocation' || node.type === 'token_tree') {
    // Inside a macro there are only tokens.
    const names = [
      fieldText(source, node, 'macro'),
      ...node.children.filter(({ type }) => type === 'identifier').map((one) => textOf(source, one)),
    ]
    if (!names.some((name) => /^(include_(str|bytes)|read_to_string)$/.test(name))) return null
    const text = [...nodes(node)].flatMap((one) => stringValue(source, one) ?? [])
    return endingWith(text, changed)
  }
  if (!/^(call_expression|call|method_invocation|new_expression|object_creation_expression)$/.test(node.type))
    return null
  const called =
    field(node, 'function') ??
    field(node, 'name') ??
    field(node, 'method') ??
    field(node, 'constructor') ??
    field(node, 'type')
  const args = field(node, 'arguments')
  if (called === null || args === null) return null
  const name = textOf(source, called)
  if (
    /(^|\.)(require|import|entries|glob|globSync|exists|existsSync|access|accessSync|stat|statSync|Stat|isfile)$/.test(
      name,
    )
  )
    return null
  const isReader = READS_FILES.test(name) || textOf(source, node).startsWith('Path(')
  return isReader ? endingWith(givenTexts(source, args), changed) : null
}

function endingWith(texts: readonly string[], changed: readonly string[]): string | null {
  const plain = texts.map((text) => text.replace(/^(\.{1,2}\/|\$\{\w+\}\/?)+/, ''))
  return (
    changed.find((path) =>
      plain.some(
        (text) =>
          text !== '' &&
          /\.\w+$/.test(text) &&
          (path === text || path.endsWith(`/${text}`) || text.endsWith(`/${path}`)),
      ),
    ) ?? null
  )
}
