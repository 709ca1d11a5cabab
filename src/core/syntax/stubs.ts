// Functions that only say that they are not written yet.
import { inlineTests, isDocstring } from './inline-tests.ts'
import { isScript } from './languages.ts'
import type { Source, SyntaxNode } from './syntax-tree.ts'
import { type Visit, field, fieldText, isInside, namedChildren, textOf, visits } from './tree.ts'
import type { CodeFinding } from './under-test.ts'

const FUNCTIONS =
  /^(function_declaration|generator_function_declaration|function_expression|arrow_function|method_definition|function_definition|method_declaration|func_literal|function_item|constructor_declaration|method|singleton_method)$/

/** What such a function says, in whatever words: "Not implemented", "Coming soon". */
const UNWRITTEN =
  /not[\s_-]*(yet[\s_-]*)?(been[\s_-]*)?(implemented|supported yet|written|done)|unimplemented|\bto[\s_-]?do\b|\bfixme\b|\bstub\b|placeholder|coming soon|implement (me|this)|\bwip\b/i

/** Functions that are stubs now and were none on the base, or were not there. */
export function stubs(now: Source, base: Source | null): CodeFinding[] {
  const known = new Set(base === null ? [] : stubsIn(base).map(({ name }) => name))
  return stubsIn(now)
    .filter(({ name }) => !known.has(name))
    .map(({ line, name, how }) => ({ line, what: `${name} only ${how}` }))
}

interface Stub {
  readonly line: number
  readonly name: string
  readonly how: string
}

function stubsIn(source: Source): Stub[] {
  const tests = inlineTests(source)
  return [...visits(source.root)].flatMap((visit) => {
    const { node } = visit
    if (!node.named || !FUNCTIONS.test(node.type) || isInside(node.line, tests)) return []
    const how = howItStops(source, visit)
    return how === null ? [] : [{ line: node.line, name: nameOf(source, visit), how }]
  })
}

function howItStops(source: Source, { node, parents }: Visit): string | null {
  const body = field(node, 'body')
  if (body === null) return null
  const inner = namedChildren(body).find(({ type }) => type === 'statement_list') ?? body
  const statements = namedChildren(inner).filter((one) => source.language !== 'python' || !isDocstring(one))
  const [only, ...others] = isBlock(inner) ? statements : [inner]
  if (only === undefined || others.length > 0) return null
  if (source.language === 'python') return pythonStub(source, only, parents)
  const text = textOf(source, only)
  if (isScript(source.language) || source.language === 'java') {
    if (only.type !== 'throw_statement') return null
    const isPlain = /^throw\s+(new\s+)?\w*(Error|Exception)\(\s*\);?$/.test(text)
    return UNWRITTEN.test(text) || isPlain ? 'throws' : null
  }
  if (source.language === 'rust') {
    const macro = /^(todo|unimplemented)!/.exec(text)
    if (macro !== null) return `calls ${macro[1]}!`
    return text.startsWith('panic!') && UNWRITTEN.test(text) ? 'panics' : null
  }
  if (source.language === 'go') return text.startsWith('panic(') && UNWRITTEN.test(text) ? 'panics' : null
  if (source.language === 'ruby')
    return /^(raise|fail)\b/.test(text) && (/NotImplementedError/.test(text) || UNWRITTEN.test(text)) ? 'raises' : null
  return /^(abort|assert\((0|false)|exit)\b/.test(text) ? 'ends the program' : null
}

function isBlock({ type }: SyntaxNode): boolean {
  return /(block|body|body_statement|statement_list|compound_statement)$/.test(type)
}

/** `pass`, `...` and `raise NotImplementedError`, unless the function is abstract or only declares a type. */
function pythonStub(source: Source, only: SyntaxNode, parents: readonly SyntaxNode[]): string | null {
  const around = parents.at(-1)
  const decorators =
    around?.type === 'decorated_definition' ? textOf(source, around).slice(0, only.start - around.start) : ''
  const owner = parents.findLast(({ type }) => type === 'class_definition')
  const bases = owner === undefined ? '' : fieldText(source, owner, 'superclasses')
  if (/@(\w+\.)?(abstract\w*|overload)\b/.test(decorators) || /\b(Protocol|ABC|ABCMeta)\b/.test(bases)) return null
  if (source.path.endsWith('.pyi')) return null
  const text = textOf(source, only)
  if (only.type === 'raise_statement') return /NotImplemented/.test(text) || UNWRITTEN.test(text) ? 'raises' : null
  if (only.type === 'pass_statement') return 'passes'
  return text === '...' ? 'passes' : null
}

/** With the names of what it stands in. */
function nameOf(source: Source, { node, parents }: Visit): string {
  const own = fieldText(source, node, 'name') || declaredName(source, node)
  const around = parents.findLast(
    (one) => one.type === 'variable_declarator' || one.type === 'pair' || one.type === 'assignment',
  )
  const name =
    own ||
    (around === undefined
      ? 'a function'
      : fieldText(source, around, 'name') || fieldText(source, around, 'key') || fieldText(source, around, 'left'))
  const owners = parents.flatMap((one) => {
    if (!/^(class|class_declaration|class_definition|impl_item|mod_item|module)$/.test(one.type) || !one.named)
      return []
    return [fieldText(source, one, 'name') || fieldText(source, one, 'type')].filter((text) => text !== '')
  })
  return [...owners, name].join('.')
}

/** In C the name stands inside the declarator. */
function declaredName(source: Source, node: SyntaxNode): string {
  for (let at = field(node, 'declarator'); at !== null; at = field(at, 'declarator'))
    if (at.type === 'identifier') return textOf(source, at)
  return ''
}
