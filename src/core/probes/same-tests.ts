// Whether a test file has the same tests as before, although it was edited: imports moved, comments and layout changed,
// or code that it tests has another name or another place now.
import type { Source, SyntaxNode } from '../syntax/syntax-tree.ts'
import { isComment, nodes, textOf } from '../syntax/tree.ts'
import { type ChangedFile, isOfTests } from './changed-file.ts'

/** The test files of a patch that have the same tests as before. */
export function sameTestFiles(files: readonly ChangedFile[]): ReadonlySet<string> {
  const renames = renamesIn(files.filter(({ path }) => !isOfTests(path)))
  const same = files.filter(
    ({ path, base, now }) => isOfTests(path) && base !== null && now !== null && isSameTests(base, now, renames),
  )
  return new Set(same.map(({ path }) => path))
}

interface Renames {
  /** Names that the code had and has no more. */
  readonly gone: ReadonlySet<string>
  /** Names that the code did not have. */
  readonly fresh: ReadonlySet<string>
}

function renamesIn(code: readonly ChangedFile[]): Renames {
  const before = identifiersOf(code.flatMap(({ base }) => base ?? []))
  const now = identifiersOf(code.flatMap(({ now: source }) => source ?? []))
  return {
    gone: new Set([...before].filter((name) => !now.has(name))),
    fresh: new Set([...now].filter((name) => !before.has(name))),
  }
}

function identifiersOf(sources: readonly Source[]): ReadonlySet<string> {
  return new Set(
    sources.flatMap((source) => [...nodes(source.root)].filter(isIdentifier).map((node) => textOf(source, node))),
  )
}

function isIdentifier({ type, children }: SyntaxNode): boolean {
  return children.length === 0 && type.endsWith('identifier')
}

/** Each changed name must be one that the patch renames in the code, and always becomes the same name. */
function isSameTests(base: Source, now: Source, renames: Renames): boolean {
  const [before, after] = [partsOf(base), partsOf(now)]
  if (before.code.length !== after.code.length) return false
  const given = new Map<string, string>()
  const isSame = before.code.every((token, at) => {
    const other = after.code[at]
    if (other === undefined || token.isName !== other.isName) return false
    if (token.text === other.text) return !given.has(token.text)
    const known = given.get(token.text)
    if (known !== undefined) return known === other.text
    if (!token.isName || !renames.gone.has(token.text) || !renames.fresh.has(other.text)) return false
    given.set(token.text, other.text)
    return true
  })
  const renamed = before.imported.map((name) => given.get(name) ?? name).toSorted()
  return isSame && renamed.join('\n') === after.imported.toSorted().join('\n')
}

interface Token {
  readonly text: string
  readonly isName: boolean
}

interface Parts {
  readonly code: readonly Token[]
  /** What the imports bring in; from where is another matter, since files move. */
  readonly imported: readonly string[]
}

const imports: ReadonlySet<string> = new Set([
  'import_statement',
  'import_from_statement',
  'import_declaration',
  'use_declaration',
  'preproc_include',
])

function partsOf(source: Source): Parts {
  const isImport = (node: SyntaxNode): boolean => imports.has(node.type)
  const code = source.root.children.filter((node) => !isImport(node)).flatMap((node) => tokensOf(source, node))
  const imported = source.root.children
    .filter(isImport)
    .flatMap((node) => tokensOf(source, node).flatMap(({ text, isName }) => (isName ? [text] : [])))
  return { code, imported }
}

function tokensOf(source: Source, root: SyntaxNode): Token[] {
  return [...nodes(root, (node) => !isComment(node))]
    .filter((node) => node.children.length === 0 && !isComment(node))
    .map((node) => ({ text: textOf(source, node), isName: isIdentifier(node) }))
}
