// The core gives the same answer to the same question, in any process and in the browser. The compiler checks most of
// this (no Node types, no DOM); this rule checks the clock and chance, which belong to the language itself.
import type { Node } from 'oxc-parser'
import { globalsUsed } from '../scope.ts'
import { type SourceFile, type Violation, isTest, violation } from '../source.ts'
import { type Visit, nodes } from '../walk.ts'

const SETTINGS = 'src/core/tsconfig.json'

const outsideWorld = new Set(
  (
    'process performance crypto console globalThis global window self document navigator ' +
    'setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask ' +
    'require module fetch Buffer WebSocket localStorage __dirname __filename eval'
  ).split(' '),
)

export function corePurity(files: readonly SourceFile[]): Violation[] {
  const core = files.filter((file) => file.path.startsWith('src/core/') && file.code !== null && !isTest(file))
  return core.length === 0 ? [] : [...core.flatMap(impurities), ...settingsProblems(files)]
}

function impurities(file: SourceFile): Violation[] {
  if (file.code === null) return []
  const { program, comments } = file.code
  return [
    ...[...nodes(program)].flatMap(({ node }) => {
      if (node.type === 'ImportExpression')
        return [violation(file, node.start, 'core imports nothing on the fly; import it at the top')]
      if (node.type === 'MetaProperty' && node.meta.name === 'import')
        return [violation(file, node.start, 'core does not know where it runs; take what you need as an argument')]
      return []
    }),
    ...globalsUsed(program).flatMap((use) => {
      const sentence = problem(use)
      return sentence === null ? [] : [violation(file, use.node.start, sentence)]
    }),
    ...comments
      .filter(({ type, value }) => type === 'Line' && /^\/\s*<reference\b/.test(value))
      .map(({ start }) => violation(file, start, 'core takes no types from outside; remove the reference')),
  ]
}

function problem({ node, parents }: Visit): string | null {
  if (node.type !== 'Identifier') return null
  const parent = parents.at(-1)
  if (outsideWorld.has(node.name)) return `core does not know ${node.name}; take what you need as an argument`
  if (node.name === 'Math' && !isMemberOtherThan('random', node, parent))
    return 'core knows no chance; take the random value as an argument'
  if (node.name === 'Date' && !isFixedInTime(node, parent))
    return 'core reads no clock and no time zone; take an Instant as an argument and say new Date(instant)'
  return null
}

/** `new Date(instant)`, `Date.UTC(…)`, `x instanceof Date`: the same everywhere and at any time. */
function isFixedInTime(node: Node, parent: Node | undefined): boolean {
  if (parent?.type === 'NewExpression')
    return parent.callee === node && parent.arguments.length === 1 && parent.arguments[0]?.type !== 'SpreadElement'
  if (parent?.type === 'BinaryExpression') return parent.operator === 'instanceof'
  return isMemberOtherThan('now', node, parent)
}

function isMemberOtherThan(name: string, node: Node, parent: Node | undefined): boolean {
  if (parent?.type !== 'MemberExpression' || parent.object !== node || parent.computed) return false
  return parent.property.type === 'Identifier' && parent.property.name !== name
}

function settingsProblems(files: readonly SourceFile[]): Violation[] {
  const file = files.find(({ path }) => path === SETTINGS)
  const at = (sentence: string): Violation => ({ path: SETTINGS, line: 1, sentence })
  if (file === undefined) return [at('the core has no settings of its own; give it types [] and a lib without DOM')]
  const { compilerOptions } = JSON.parse(file.text) as { compilerOptions?: { types?: unknown; lib?: unknown } }
  const { types, lib } = compilerOptions ?? {}
  return [
    ...(Array.isArray(types) && types.length === 0 ? [] : [at('the core must see no types of Node; set types to []')]),
    ...(Array.isArray(lib) && lib.length > 0 && lib.every((name) => /^es/i.test(String(name)))
      ? []
      : [at('the core must see no browser and no worker; name only ES libraries in lib')]),
  ]
}
