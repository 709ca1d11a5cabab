// The verdict of the base's own tests and settings on new code that changed them: every view of a build shows where
// they are red.
import { isGreen, type BaseJudgedRun } from './evidence.ts'
import type { RedCheck } from '../fact/fact.ts'

const NAMED_MAX = 5

export function redWithBaseTests(opinion: BaseJudgedRun | null): RedCheck[] {
  const red = (opinion?.checks ?? []).filter((run) => !isGreen(run))
  return red.map(({ name, names, tests }) => {
    const failed = names?.failed ?? []
    return { name, failed: tests?.failed ?? failed.length, tests: failed.slice(0, NAMED_MAX) }
  })
}

/** `with the base's own tests: unit red (2 failed: 'a', 'b')`; null where nothing is red. */
export function baseTestsText(red: readonly RedCheck[]): string | null {
  if (red.length === 0) return null
  const told = red.map(({ name, failed, tests }) => {
    if (failed === 0 && tests.length === 0) return `${name} red`
    const rest = failed > tests.length && tests.length > 0 ? ', …' : ''
    const named = tests.length === 0 ? '' : `: ${tests.map((test) => `'${test}'`).join(', ')}${rest}`
    return `${name} red (${failed} failed${named})`
  })
  return `with the base's own tests: ${told.join(', ')}`
}
