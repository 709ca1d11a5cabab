// Source code that asks whether it is under test: what such code does in a test says nothing about what it does elsewhere.
import { withConstants } from './constant-text.ts'
import { inlineTests } from './inline-tests.ts'
import { isScript } from './languages.ts'
import { normalForm } from './normal-form.ts'
import type { Source, SyntaxNode } from './syntax-tree.ts'
import { type Visit, isInside, visits } from './tree.ts'
import { asksCompiler } from './under-test/compiled.ts'
import { asksEnvironment } from './under-test/environment.ts'
import { looksAround, readsTests } from './under-test/look-around.ts'
import { asksForRunner } from './under-test/runner.ts'

export interface CodeFinding {
  readonly line: number
  /** What the code does, in plain words. */
  readonly what: string
}

/** For a source file that is no test. What the base has in the same words is no finding. */
export function asksWhetherUnderTest(now: Source, base: Source | null): CodeFinding[] {
  const known = new Map<string, number>()
  for (const { key } of base === null ? [] : findingsIn(base)) known.set(key, (known.get(key) ?? 0) + 1)
  return findingsIn(now).flatMap(({ key, line, what }) => {
    const left = known.get(key) ?? 0
    known.set(key, left - 1)
    return left > 0 ? [] : [{ line, what }]
  })
}

const QUESTIONS = [asksEnvironment, asksForRunner, looksAround, readsTests, asksCompiler] as const

function findingsIn(given: Source): (CodeFinding & { readonly key: string })[] {
  const source = withConstants(given)
  const tests = inlineTests(source)
  const found: (CodeFinding & { readonly key: string })[] = []
  const seen = new Set<string>()
  for (const visit of visits(source.root)) {
    const { node } = visit
    if (isInside(node.line, tests)) continue
    for (const question of QUESTIONS) {
      const what = question(source, visit)
      // One finding for a line and a question, however many nodes of the line answer it.
      if (what === null || seen.has(`${node.line} ${what}`)) continue
      seen.add(`${node.line} ${what}`)
      found.push({ line: node.line, what, key: `${what} ${normalForm(source, expressionAround(source, visit))}` })
    }
  }
  return found
}

/** The whole condition or value that a node is part of. */
function expressionAround(source: Source, { node, parents }: Visit): SyntaxNode {
  let around = node
  for (const parent of parents.toReversed()) {
    if (
      /(statement|block|declaration|declarator|body|program|module|source_file|definition|item|list)$/.test(parent.type)
    )
      break
    if (isScript(source.language) && parent.type === 'arrow_function') break
    if (/^(if|unless|while|method|then|assignment)$/.test(parent.type)) break
    around = parent
  }
  return around
}
