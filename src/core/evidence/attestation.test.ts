import { describe, expect, it } from 'vitest'
import { type Attestation, withChecks } from './attestation.ts'
import type { Evidence, RecipeCheck } from './evidence.ts'

const unit: RecipeCheck = { name: 'unit', kind: 'check', command: 'npm test', cwd: '.', timeoutMs: 1_000 }
const html: RecipeCheck = { name: 'html', kind: 'validator', command: 'tidy {files}', cwd: '.', timeoutMs: 1_000 }

function evidenceOf(...checks: readonly RecipeCheck[]): Attestation {
  const recipe = { setup: null, installScripts: 'off', checks }
  return { is: 'evidence', task: 'a', evidence: { recipe } as unknown as Evidence }
}

describe('evidence for a build', () => {
  it('has every check of the build, and may have more', () => {
    const said = evidenceOf(unit, html)
    expect(withChecks(said, [unit])).toBe(said)
    expect(withChecks(said, [{ ...unit, timeoutMs: 5 }, html])).toBe(said)
  })

  it.each([
    ['a check that was left out', evidenceOf(html)],
    ['a check by that name that runs something else', evidenceOf({ ...unit, command: 'true' }, html)],
    ['a check that runs elsewhere', evidenceOf({ ...unit, cwd: 'docs' }, html)],
    ['a validator in place of a check', evidenceOf({ ...unit, kind: 'validator' }, html)],
  ])('%s', (_, said) => {
    expect(withChecks(said, [unit, html])).toEqual({
      is: 'broken',
      task: 'a',
      faults: ["its evidence leaves out 'unit' of this build's checks"],
    })
  })

  it('says nothing of what has none', () => {
    const said: Attestation = { is: 'accepted', task: 'a', person: 'Ada' }
    expect(withChecks(said, [unit])).toBe(said)
  })
})
