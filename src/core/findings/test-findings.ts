// Changes to tests: removed, switched off, weakened. New tests are free.
import type { Finding } from '../fact/finding.ts'
import {
  assertsNothing,
  isAssertion,
  isExact,
  isOffOnCondition,
  reachesOtherTests,
  setsBound,
  switchesOff,
} from './line-findings.ts'
import type { Block, PatchedFile, PatchLine } from '../patch/patch.ts'

/** One finding of a kind per file is enough; the diff shows the rest. */
export function testFindings({ path, blocks }: PatchedFile, isOnBase: 'on-base' | 'new'): Finding[] {
  const added = blocks.flatMap((block) => block.added)
  const off = first(added, (text) => (isOnBase === 'new' && isOffOnCondition(text) ? null : switchesOff(text)))
  const empty = first(added, (text) => (assertsNothing(text) ? 'an assertion that cannot fail was added' : null))
  return [
    ...(off === null ? [] : [{ rule: 'testSwitchedOff', path, ...off } as const]),
    ...(empty === null ? [] : [{ rule: 'assertionEmpty', path, ...empty } as const]),
    ...(isOnBase === 'on-base' ? weakenedFindings(path, blocks) : []),
  ]
}

/**
 * Whether a test file only gained tests. In JavaScript a later line cannot give an import another meaning; in other
 * languages it can, so any edit counts.
 */
export function onlyAddsTests({ path, blocks, isBinary }: PatchedFile): boolean {
  if (isBinary || blocks.length === 0 || !/\.[cm]?[jt]sx?$/.test(path)) return false
  return blocks.every(
    ({ removed, added }) => removed.length === 0 && !added.some(({ text }) => reachesOtherTests(text)),
  )
}

function weakenedFindings(path: string, blocks: readonly Block[]): Finding[] {
  const removed = count(blocks, 'removed', isAssertion)
  const added = count(blocks, 'added', isAssertion)
  const softer = blocks.find(isSofter)
  const looser = blocks.find(isLooser)
  const fewer = blocks.find((block) => block.removed.some(({ text }) => isAssertion(text)))
  return [
    ...(removed > added && fewer !== undefined
      ? [
          {
            rule: 'assertionRemoved',
            path,
            line: fewer.at === 0 ? null : fewer.at,
            what: `${removed - added} ${removed - added === 1 ? 'assertion' : 'assertions'} fewer than before`,
          } as const,
        ]
      : []),
    ...(softer === undefined
      ? []
      : [
          {
            rule: 'assertionWeakened',
            path,
            line: softer.at,
            what: 'an exact assertion gave way to a weaker one',
          } as const,
        ]),
    ...(looser === undefined ? [] : [looserFinding(path, looser)]),
  ]
}

function isSofter({ removed, added }: Block): boolean {
  const exactBefore = removed.filter(({ text }) => isExact(text)).length
  const exactNow = added.filter(({ text }) => isExact(text)).length
  return exactNow < exactBefore && added.some(({ text }) => isAssertion(text) && !isExact(text))
}

/** The same line except for its numbers, where they set a precision, a duration or an amount. */
export function isLooser({ removed, added }: Block): boolean {
  return removed.some(
    ({ text: before }) =>
      setsBound(before) &&
      added.some(({ text: now }) => setsBound(now) && now.trim() !== before.trim() && shape(now) === shape(before)),
  )
}

export function looserFinding(path: string, { at }: Block): Finding {
  return {
    rule: 'toleranceLoosened',
    path,
    line: at,
    what: 'a bound was changed: how exact, how long or how much is wanted',
  }
}

function shape(text: string): string {
  return text.trim().replaceAll(/\d[\d_.]*(?:e-?\d+)?/gi, '0')
}

export function first(
  lines: readonly PatchLine[],
  look: (text: string) => string | null,
): { readonly line: number; readonly what: string } | null {
  for (const { number, text } of lines) {
    const what = look(text)
    if (what !== null) return { line: number, what }
  }
  return null
}

function count(blocks: readonly Block[], side: 'removed' | 'added', is: (text: string) => boolean): number {
  return blocks.reduce((sum, block) => sum + block[side].filter(({ text }) => is(text)).length, 0)
}
