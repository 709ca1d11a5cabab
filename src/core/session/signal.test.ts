import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  NO_REASON,
  readSignal,
  REASON_LENGTH_MAX,
  reconcile,
  type Signal,
  type SignalKind,
  signalOf,
  SIGNALS,
} from './signal.ts'

const done: Signal = { kind: 'ITERATION_DONE' }
const complete: Signal = { kind: 'TASK_COMPLETE' }
const stuck = (reason: string): Signal => ({ kind: 'TASK_STUCK', reason })
const wrong = (reason: string): Signal => ({ kind: 'CHECK_WRONG', reason })

const nineLines = 'more\n'.repeat(9)

const cases: [string, Signal | null][] = [
  ['TASK_COMPLETE', complete],
  ['All green.\n\nTASK_COMPLETE', complete],
  ['ITERATION_DONE\n', done],
  ['  ITERATION_DONE  \r\n\r\n \t\n', done],
  ['**TASK_COMPLETE**', complete],
  ['`ITERATION_DONE`', done],
  ['**`ITERATION_DONE`**', done],
  ['__TASK_COMPLETE__', complete],
  ['```\nTASK_COMPLETE\n```', complete],
  ['TASK_STUCK: no database', stuck('no database')],
  ['**TASK_STUCK: no database**', stuck('no database')],
  ['**TASK_STUCK**: no **real** database', stuck('no **real** database')],
  ['**TASK_STUCK:** no database', stuck('no database')],
  ['`TASK_STUCK`: `psql` is missing`', stuck('`psql` is missing`')],
  ['***`TASK_STUCK: a`***', stuck('a')],
  ['TASK_STUCK: ends in_', stuck('ends in_')],
  ['TASK_STUCK : spaced', stuck('spaced')],
  ['TASK_STUCK', stuck(NO_REASON)],
  ['TASK_STUCK:', stuck(NO_REASON)],
  ['**TASK_STUCK:**', stuck(NO_REASON)],
  ['TASK_STUCK:\t \u0000 ', stuck(NO_REASON)],
  ['TASK_STUCK: a\u0007\u001b[31mb', stuck('a [31mb')],
  ['CHECK_WRONG: the test asserts 5 = 4', wrong('the test asserts 5 = 4')],
  ['TASK_STUCK: see: TASK_COMPLETE', stuck('see: TASK_COMPLETE')],

  // The last one counts.
  ['TASK_COMPLETE\nITERATION_DONE', done],
  ['ITERATION_DONE\nTASK_STUCK: x\nTASK_COMPLETE', complete],

  // Never part of a line.
  ['', null],
  ['\n\n', null],
  ['I will say TASK_COMPLETE when it is done', null],
  ['TASK_COMPLETE is not true yet', null],
  ['TASK_COMPLETE: all green', null],
  ['TASK_COMPLETE.', null],
  ['NOT_TASK_COMPLETE', null],
  ['TASK_COMPLETE_NOT', null],
  ['TASK_STUCKY: x', null],
  ['TASK_STUCK because of x', null],
  ['not TASK_STUCK: x', null],
  ['task_complete', null],
  ['> TASK_COMPLETE', null],
  ['- TASK_COMPLETE', null],
  ['"TASK_COMPLETE"', null],
  ['TASK_COMPLETE ITERATION_DONE', null],
  ['*********TASK_COMPLETE*********', null],
  ['TASK_COMPLETE\u200b', null],

  // Among the last ten lines; blank lines count between, not at the end.
  [`TASK_COMPLETE\n${nineLines}`, complete],
  [`TASK_COMPLETE\n${nineLines}\n\n\n`, complete],
  [`TASK_COMPLETE\n${nineLines}more`, null],
  [`TASK_COMPLETE\n${'\n'.repeat(9)}more`, null],
  [`TASK_COMPLETE\n${'\n'.repeat(8)}more`, complete],
  [`TASK_STUCK: a\n${'x'.repeat(100_000)}`, stuck('a')],
]

const anySignal = fc
  .tuple(fc.constantFrom(...SIGNALS), fc.string({ unit: 'grapheme' }))
  .map(([kind, reason]) => signalOf(kind, reason))

const caution = (signal: Signal): number => SIGNALS.indexOf(signal.kind)

describe('readSignal', () => {
  it.each(cases)('%j', (message, expected) => {
    expect(readSignal(message)).toEqual(expected)
  })

  it('reads whatever stands alone on the last line, after any text', () => {
    const wrappings = fc.constantFrom('', '*', '**', '`', '__', '**`')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), anySignal, wrappings, (before, signal, open) => {
        const close = [...open].reverse().join('')
        const said = 'reason' in signal ? `${signal.kind}: ${signal.reason}` : signal.kind
        const plain = 'reason' in signal && (signal.reason.startsWith(close) || signal.reason.endsWith(close))
        expect(readSignal(`${before}\n${plain ? said : open + said + close}`)).toEqual(signal)
      }),
    )
  })

  it('never reads a signal out of a line that holds more than it', () => {
    const word = fc.stringMatching(/^[a-zA-Z.,!]{1,8}$/)
    fc.assert(
      fc.property(word, fc.constantFrom(...SIGNALS), word, (before, kind, after) => {
        expect(readSignal(`${before} ${kind}`)).toBeNull()
        expect(readSignal(`${before}${kind}`)).toBeNull()
        expect(readSignal(`${kind} ${after}`)).toBeNull()
        expect(readSignal(`${kind}${after}`)).toBeNull()
      }),
    )
  })

  it('bounds the reason without splitting a character', () => {
    const signal = readSignal(`TASK_STUCK: a${'\u{1F600}'.repeat(REASON_LENGTH_MAX)}`)
    expect(signal).toEqual(stuck(`a${'\u{1F600}'.repeat(REASON_LENGTH_MAX / 2 - 1)}`))
  })

  // A quadratic reading of such a line takes hours, so the test's own time limit is the assertion.
  const floods: [string, Signal['kind'], Signal['kind'] | undefined][] = [
    [' ', 'TASK_COMPLETE', 'TASK_COMPLETE'],
    ['\r', 'TASK_COMPLETE', 'TASK_COMPLETE'],
    ['*', 'TASK_COMPLETE', undefined],
    ['`', 'TASK_COMPLETE', undefined],
    ['x', 'TASK_COMPLETE', undefined],
    ['TASK_', 'TASK_COMPLETE', undefined],
    ['TASK_STUCK:', 'TASK_STUCK', 'TASK_STUCK'],
  ]
  it.each(floods)('reads past 50 MB of %j on one line', (unit, before, after) => {
    const flood = unit.repeat(50_000_000 / unit.length)
    expect(readSignal(`TASK_COMPLETE\n${flood}.\nx`)?.kind).toBe(before)
    expect(readSignal(`${flood}TASK_COMPLETE`)?.kind).toBe(after)
  })
})

describe('signalOf', () => {
  const calls: [SignalKind, string | undefined, Signal][] = [
    ['TASK_COMPLETE', 'ignored', complete],
    ['ITERATION_DONE', undefined, done],
    ['TASK_STUCK', undefined, stuck(NO_REASON)],
    ['TASK_STUCK', ' two\nlines\t', stuck('two lines')],
    ['CHECK_WRONG', 'x'.repeat(REASON_LENGTH_MAX + 1), wrong('x'.repeat(REASON_LENGTH_MAX))],
  ]
  it.each(calls)('%s %j', (kind, reason, expected) => {
    expect(signalOf(kind, reason)).toEqual(expected)
  })
})

describe('reconcile', () => {
  const pairs: [Signal | null, Signal | null, Signal | null][] = [
    [null, null, null],
    [null, done, done],
    [complete, null, complete],
    [complete, done, done],
    [done, complete, done],
    [complete, stuck('a'), stuck('a')],
    [stuck('a'), complete, stuck('a')],
    [wrong('a'), done, wrong('a')],
    [complete, wrong('a'), wrong('a')],
    [wrong('a'), stuck('b'), stuck('b')],
    [stuck('text'), stuck('tool'), stuck('tool')],
    [stuck('text'), stuck(NO_REASON), stuck('text')],
  ]
  it.each(pairs)('text %j, tool %j: %j', (fromText, fromTool, expected) => {
    expect(reconcile(fromText, fromTool)).toEqual(expected)
  })

  it('is one of the two, and never the less cautious', () => {
    fc.assert(
      fc.property(anySignal, anySignal, (fromText, fromTool) => {
        const signal = reconcile(fromText, fromTool)
        expect([fromText, fromTool]).toContain(signal)
        expect(signal && caution(signal)).toBe(Math.min(caution(fromText), caution(fromTool)))
      }),
    )
  })
})
