import { describe, expect, it } from 'vitest'
import type { CheckRun } from './evidence.ts'
import { endingOf, faultOf, rerunsFor, type RunEnding } from './run-ending.ts'

const green: CheckRun = {
  name: 'unit',
  kind: 'check',
  checkHash: 'sha256:unit',
  argv: ['/bin/sh', '-c', 'npm test'],
  exit: 0,
  how: 'exited',
  durationMs: 10,
  tests: { source: 'vitest', run: 3, failed: 0, skipped: 0 },
  names: null,
  outputDigest: 'sha256:0',
  outputTail: '',
  report: null,
  cached: false,
}
const of = (changes: Partial<CheckRun>): CheckRun => ({ ...green, tests: null, ...changes })
const setup = (changes: Partial<CheckRun>): CheckRun =>
  of({ name: 'setup', checkHash: 'sha256:setup', step: 'setup', ...changes })
const oneFailed = { source: 'vitest', run: 3, failed: 1, skipped: 0 }
const spoilt = { ok: false, errors: ['the setup command changed a.js'], normalizedHtml: null }

/** The outcome, its ending, and how often it may run again. */
const cases: readonly (readonly [string, CheckRun, RunEnding, number])[] = [
  ['green', green, 'passed', 0],
  ['a validator without a file', of({ kind: 'validator', how: 'notNeeded', exit: null }), 'passed', 0],
  ['failed tests', of({ exit: 1, tests: oneFailed }), 'failed', 0],
  ['failed tests that the command hides', of({ exit: 0, tests: oneFailed }), 'failed', 0],
  ['failed tests, as many as a signal has for a number', of({ exit: 137, tests: oneFailed }), 'failed', 0],
  ['a non-zero exit without tests, as of a linter', of({ exit: 2 }), 'failed', 0],
  ['a file of tests that does not load', of({ exit: 1, tests: { ...oneFailed, run: 0 } }), 'failed', 0],
  ['a validator that reports errors', of({ kind: 'validator', report: spoilt }), 'failed', 0],
  ['no such command', of({ exit: 127 }), 'void', 0],
  ['a command that may not be run', of({ exit: 126 }), 'void', 0],
  ['127 of a runner that counted tests', of({ exit: 127, tests: { ...oneFailed, failed: 0 } }), 'failed', 0],
  ['settings that cannot be run', of({ how: 'notStarted', exit: null, argv: [] }), 'void', 0],
  ['a preloaded file that it changed', of({ rewrote: ['ralph-test-names.cjs'] }), 'void', 0],
  ['the same, with failed tests', of({ exit: 1, tests: oneFailed, rewrote: ['x.cjs'] }), 'void', 0],
  ['a time-out', of({ how: 'timedOut', exit: null }), 'infrastructure', 1],
  ['a time-out after a failed test', of({ how: 'timedOut', exit: null, tests: oneFailed }), 'infrastructure', 1],
  ['a signal', of({ how: 'signalled', exit: null }), 'infrastructure', 2],
  ['a signal, as the shell reports it', of({ exit: 137 }), 'infrastructure', 2],
  ['a crash, as the shell reports it', of({ exit: 139 }), 'infrastructure', 2],
  ['too much output', of({ how: 'flooded', exit: null }), 'infrastructure', 2],
  ['a machine that starts no process', of({ how: 'notStarted', exit: null }), 'infrastructure', 2],
  ['a full disk', of({ exit: 1, noSpace: true, tests: oneFailed }), 'infrastructure', 2],
  ['a setup that failed', setup({ exit: 1, outputTail: 'ECONNREFUSED' }), 'infrastructure', 2],
  ['a setup that ran into its time limit', setup({ how: 'timedOut', exit: null }), 'infrastructure', 1],
  ['a setup that changed the tree', setup({ report: spoilt }), 'void', 0],
  ['a setup without a project', setup({ exit: 1, outputTail: 'Could not read package.json' }), 'void', 0],
  ['a setup without its program', setup({ exit: 127 }), 'void', 0],
]

it.each(cases)('%s', (_, run, ending, reruns) => {
  expect([endingOf(run), rerunsFor([run])]).toEqual([ending, reruns])
})

describe('several checks', () => {
  const [killed, late] = [of({ how: 'signalled', exit: null }), of({ how: 'timedOut', exit: null })]
  it.each<[string, readonly CheckRun[], number]>([
    ['all green', [green, green], 0],
    ['one was cut short', [green, killed], 2],
    ['one of two that were cut short ran into its time limit', [late, killed], 1],
    ['one is red by itself, so all is red anyway', [killed, of({ exit: 1 })], 0],
  ])('%s', (_, runs, reruns) => {
    expect(rerunsFor(runs)).toBe(reruns)
  })
})

describe('whose fault it is that a run never came to its end', () => {
  const late = of({ how: 'timedOut', exit: null })
  const noInstall = setup({ exit: 1 })
  it.each<[string, CheckRun, readonly CheckRun[] | null, 'tree' | 'machine']>([
    ['the base was green', late, [green], 'tree'],
    ['the base was red by itself', late, [of({ exit: 1 })], 'tree'],
    ['the base was cut short in another way', late, [of({ how: 'signalled', exit: null })], 'machine'],
    ['only another check was cut short on the base', late, [{ ...late, checkHash: 'sha256:lint' }, green], 'tree'],
    ['the base has no such check', late, [], 'tree'],
    ['the base could not be set up', late, [noInstall], 'machine'],
    ['the patch broke the setup', noInstall, [green], 'tree'],
    ['the setup fails on both', noInstall, [noInstall], 'machine'],
    ['the base is not known', late, null, 'tree'],
    ['it came to its end and was red', of({ exit: 1 }), [late], 'tree'],
  ])('%s', (_, run, baseline, fault) => {
    expect(faultOf(run, baseline)).toBe(fault)
  })
})
