import { describe, expect, it } from 'vitest'
import { callResult, type CallEnd, commandResult, type ExampleResult } from './example-result.ts'
import type { Json, SealedExample } from './example.ts'
import { SEALED_VALUE, triedText, withoutValues } from './for-reviewer.ts'
import { judgeExamples, needsLook, sealedNotes, sealedText, toldToAgent } from './judge-examples.ts'
import { isSameJson, pathSteps, valueAt } from './json-value.ts'

const letters: Readonly<Record<string, ExampleResult>> = {
  h: { is: 'holds', answer: 'returned 1' },
  f: { is: 'fails', answer: 'returned 2' },
  g: { is: 'fails', answer: 'returned 3' },
  m: { is: 'missing', answer: "src/a.js exports no 'sum'" },
  u: { is: 'unclear', answer: 'could not be loaded' },
}
const results = (text: string): ExampleResult[] => [...text].map((letter) => letters[letter] as ExampleResult)
const judged = (base: string, first: string, second = first) =>
  judgeExamples(results(base), [results(first), results(second)])

describe('the examples of a task', () => {
  it.each([
    // base, candidate, candidate again, outcome, the sentence
    ['fff', 'hhh', 'hhh', 'hold', '3 of 3 sealed examples hold'],
    ['mmm', 'hhh', 'hhh', 'hold', '3 of 3 sealed examples hold'],
    ['uuu', 'hhh', 'hhh', 'hold', '3 of 3 sealed examples hold'],
    ['hff', 'hhh', 'hhh', 'hold', '2 of 2 sealed examples hold'],
    ['hhf', 'hhh', 'hhh', 'hold', '1 of 1 sealed example holds'],
    ['fff', 'hhf', 'hhf', 'someFail', '2 of 3 sealed examples hold'],
    ['fffff', 'hhhff', 'hhhff', 'someFail', '3 of 5 sealed examples hold'],
    ['ffff', 'hhff', 'hhff', 'someFail', '2 of 4 sealed examples hold'],
    ['fff', 'hff', 'hff', 'mostFail', '1 of 3 sealed examples holds'],
    ['fff', 'fff', 'fff', 'mostFail', '0 of 3 sealed examples hold'],
    ['fffff', 'hhfff', 'hhfff', 'mostFail', '2 of 5 sealed examples hold'],
    ['hhf', 'hhf', 'hhf', 'mostFail', '0 of 1 sealed example holds'],
    // A name that is not there is told, however few need it.
    ['mmm', 'hhm', 'hhm', 'mostFail', '2 of 3 sealed examples hold'],
    // One that held before counts where it fails now.
    ['hff', 'fhh', 'fhh', 'someFail', '2 of 3 sealed examples hold'],
    // Fewer than three, none red before, none that can be run, none that is steady.
    ['ff', 'ff', 'ff', 'none', 'no sealed example counts'],
    ['hhh', 'hhh', 'hhh', 'none', 'no sealed example counts'],
    ['fff', 'uuu', 'uuu', 'none', 'no sealed example counts'],
    ['fff', 'fff', 'ggg', 'none', 'no sealed example counts'],
    ['fff', 'hhf', 'hhg', 'hold', '2 of 2 sealed examples hold'],
    ['fff', 'hhf', 'hhh', 'hold', '2 of 2 sealed examples hold'],
    ['', '', '', 'none', null],
  ])('base %s, then %s and %s: %s', (base, first, second, outcome, sentence) => {
    const report = judged(base, first, second)
    expect(report.outcome).toBe(outcome)
    expect(sealedText(report)).toBe(sentence)
    expect(report.counted).toBe(report.passed + report.failed.length)
    expect(needsLook(report)).toBe(outcome === 'mostFail')
  })

  it('say which were left out, and why', () => {
    const report = { ...judged('hfff', 'hufh', 'hugh'), readable: true }
    expect(report).toMatchObject({ onBase: 1, unclear: [2], unsteady: [3], counted: 1 })
    expect(sealedNotes(report)).toEqual([
      '1 sealed example holds without this change and proves nothing',
      'sealed example 3: another answer the second time, left out',
      'sealed example 2: could not be run, left out',
      'the sealed examples could be read by the agent: no sandbox',
    ])
    expect(sealedNotes({ ...judged('ff', 'hh'), readable: false })).toEqual([
      '2 sealed examples are fewer than 3, so none counts',
    ])
    expect(sealedNotes({ ...judged('fff', 'hhf'), readable: false })).toEqual(['sealed example 3 does not hold'])
    expect(sealedNotes({ ...judged('', ''), readable: true })).toEqual([])
  })
})

const sum = (args: readonly Json[], returns: Json): SealedExample => ({
  call: { module: 'src/a.js', name: 'sum', args, expects: { returns } },
})

describe('what is told', () => {
  const examples: SealedExample[] = [
    sum(['CANARY-1'], 'CANARY-2'),
    sum([411], { deep: ['CANARY-3'] }),
    { command: { argv: ['node', 'cli.js', 'CANARY-4'], stdin: 'CANARY-5', exit: 0, output: { stdout: 'CANARY-6\n' } } },
  ]

  it('to the agent is which examples fail, by number and name, and no value', () => {
    const told = toldToAgent(judged('fff', 'fmf'), examples, results('fmf')) ?? ''
    expect(told.split('\n').slice(0, 4)).toEqual([
      '3 of 3 sealed examples do not hold:',
      '- example 1, a call of sum in src/a.js: does not hold',
      "- example 2, a call of sum in src/a.js: src/a.js exports no 'sum'",
      '- example 3, a run of node: does not hold',
    ])
    expect(told).not.toMatch(/CANARY|411/)
  })

  it('to the agent is nothing where fewer than most fail', () => {
    expect(toldToAgent(judged('fff', 'hhf'), examples, results('hhf'))).toBeNull()
  })

  it('to a reviewer is everything', () => {
    const text = triedText({ examples, onBase: results('fmf'), results: results('hff') })
    expect(text).toContain(
      '1. {"call":{"module":"src/a.js","name":"sum","args":["CANARY-1"],"returns":"CANARY-2"}}\n   holds with this change: returned 1\n   fails without it: returned 2',
    )
    for (const number of [1, 2, 3, 4, 5, 6]) expect(text).toContain(`CANARY-${number}`)
  })

  it.each([
    ['sum of 411 is wrong, see node cli.js', `sum of ${SEALED_VALUE} is wrong, see node cli.js`],
    ['4110 and 411.', `4110 and ${SEALED_VALUE}.`],
    ['it must give {"deep":["CANARY-3"]}', `it must give ${SEALED_VALUE}`],
    ["'CANARY-1' gives CANARY-2; CANARY-6", `'${SEALED_VALUE}' gives ${SEALED_VALUE}; ${SEALED_VALUE}`],
    ['cli.js CANARY-4 < CANARY-5', `cli.js ${SEALED_VALUE} < ${SEALED_VALUE}`],
  ])("of a reviewer's words '%s' no value reaches the agent", (said, told) => {
    expect(withoutValues(said, examples)).toBe(told)
  })
})

describe('one example', () => {
  it.each<[CallEnd, string, string]>([
    [{ is: 'returned', value: 3 }, 'holds', 'returned 3'],
    [{ is: 'returned', value: 4 }, 'fails', 'returned 4'],
    [{ is: 'threw', error: 'Error: no' }, 'fails', 'threw Error: no'],
    [{ is: 'missing', what: 'there is no src/a.js' }, 'missing', 'there is no src/a.js'],
    [{ is: 'broken', error: 'Error: no' }, 'fails', 'threw while it was loaded: Error: no'],
    [{ is: 'unloadable', error: 'x' }, 'unclear', 'could not be loaded: x'],
    [{ is: 'strange', what: 'a Map' }, 'fails', 'returned a Map'],
  ])('a call that ends with %j', (end, is, answer) => {
    expect(
      callResult({ call: { module: 'src/a.js', name: 'sum', args: [1, 2], expects: { returns: 3 } } }, end),
    ).toEqual({
      is,
      answer,
    })
  })

  it('a call that has to throw', () => {
    const example = { call: { module: 'a.js', name: 'f', args: [], expects: { throws: true } } } as const
    expect(callResult(example, { is: 'threw', error: 'Error' }).is).toBe('holds')
    expect(callResult(example, { is: 'returned', value: null }).is).toBe('fails')
  })

  it.each([
    [0, 'A\n', { stdout: 'A' }, 'holds'],
    [0, 'A', { stdout: 'A\n' }, 'holds'],
    [0, ' A', { stdout: 'A' }, 'fails'],
    [1, 'A', { stdout: 'A' }, 'fails'],
    [0, '{"a":[{"b":2}]}', { path: '$.a[0].b', equals: 2 }, 'holds'],
    [0, '{"a":[]}', { path: '$.a.0.b', equals: 2 }, 'fails'],
    [0, 'no json', { path: '$', equals: 2 }, 'fails'],
    [0, 'anything', null, 'holds'],
  ] as const)('a command that ends with %i and %j', (exit, stdout, output, is) => {
    const example = { command: { argv: ['x'], stdin: '', exit: 0, output } }
    expect(commandResult(example, { exit, stdout }).is).toBe(is)
  })
})

describe('values', () => {
  it.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [null, 0, false],
    ['1', 1, false],
    [0.1 + 0.2, 0.3, true],
    [1e20, 1e20 + 1e5, false],
    [undefined, null, false],
  ])('%j and %j: %s', (one, other, isSame) => {
    expect(isSameJson(one, other)).toBe(isSame)
    expect(isSameJson(other, one)).toBe(isSame)
  })

  it('are found by their path', () => {
    expect(pathSteps('$.a[0]["b c"].d')).toEqual(['a', '0', 'b c', 'd'])
    expect(pathSteps('$')).toEqual([])
    expect(['a', '$a', '$..a', '$.a[', '$.a[b]'].map(pathSteps)).toEqual([null, null, null, null, null])
    expect(valueAt({ a: [{ b: 1 }] }, '$.a.0.b')).toBe(1)
    expect(valueAt({ a: 1 }, '$.a.b')).toBeUndefined()
    expect(valueAt({}, '$.constructor')).toBeUndefined()
  })
})
