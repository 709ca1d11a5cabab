import { expect, it } from 'vitest'
import { type IdentifiedRun, type RunnerIdentity, runnerFindings } from './runner-identity.ts'

const vitest: RunnerIdentity = { name: 'vitest', version: '5.1.0', digest: 'sha512-abcdefghijklmnop' }
const run = (changes: Partial<IdentifiedRun> = {}): IdentifiedRun => ({
  name: 'unit',
  checkHash: 'h',
  runner: vitest,
  ...changes,
})
const { runner: _, ...unknown } = run()

it.each<[string, IdentifiedRun, IdentifiedRun, string | null]>([
  ['the same', run(), run(), null],
  ['nothing known of the base', unknown, run(), null],
  ['another check', run({ checkHash: 'other' }), run({ runner: { ...vitest, name: 'jest' } }), null],
  ['no runner any more', run(), unknown, 'it ran vitest on the base, and no runner that Ralph knows now'],
  [
    'another runner',
    run(),
    run({ runner: { ...vitest, name: 'jest' } }),
    'it runs jest now, and ran vitest on the base',
  ],
  [
    'another version',
    run(),
    run({ runner: { ...vitest, version: '5.2.0', digest: 'sha512-zzzzzzzzzzzzzzzz' } }),
    'it runs another vitest than on the base: 5.1.0 (sha512-abcdefghijkl…) there, 5.2.0 (sha512-zzzzzzzzzzzz…) now',
  ],
  [
    'the same version with other content',
    run(),
    run({ runner: { ...vitest, digest: null } }),
    'it runs another vitest than on the base: 5.1.0 (sha512-abcdefghijkl…) there, 5.1.0 (not found) now',
  ],
  [
    'its tests are known from the output only',
    run({ testsFrom: 'channel' }),
    run({ testsFrom: 'output' }),
    'its tests were reported by their runner on the base, and are known only from what the check prints now',
  ],
  ['its tests are reported now', run({ testsFrom: 'output' }), run({ testsFrom: 'channel' }), null],
])('%s', (_name, base, now, what) => {
  expect(runnerFindings([base], [now])).toEqual(what === null ? [] : [{ check: 'unit', what }])
})
