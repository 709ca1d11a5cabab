import { describe, expect, it } from 'vitest'
import { readChannelLines, wasNarrowed } from './channel-lines.ts'
import { readChannel, type RunSeen, testsSeen } from './channel-reading.ts'

type Line = readonly [process: number, runner: string, event: string, outcome?: string, name?: string]

const written = (...lines: readonly Line[]): string =>
  lines.map(([p, r, e, o, t]) => `${JSON.stringify({ n: 'nonce', p, r, e, o, t })}\n`).join('')

const channelOf = (...lines: readonly Line[]) => readChannel(readChannelLines(written(...lines), 'nonce'))

const whole: readonly Line[] = [
  [1, 'vitest', 'start'],
  [1, 'vitest', 'test', 'passed', 'a.test.js > one'],
  [1, 'vitest', 'test', 'failed', 'a.test.js > two'],
  [1, 'vitest', 'test', 'skipped', 'a.test.js > three'],
  [1, 'vitest', 'unloaded', '', 'b.test.js'],
  [1, 'vitest', 'error', '', 'unhandled'],
  [1, 'vitest', 'end'],
]

describe('the lines of the channel', () => {
  it('are those with the nonce of the run; all others are foreign', () => {
    const text = `${written([1, 'jest', 'start'])}\n{"n":"other","p":1,"r":"jest","e":"end"}\nno JSON\n{"n":"nonce"}\n`
    const { lines, foreign } = readChannelLines(text, 'nonce')
    expect([lines.length, foreign]).toEqual([1, 3])
  })

  it('tell whether the run was narrowed', () => {
    expect(wasNarrowed(readChannelLines(written([1, 'jest', 'narrowed']), 'nonce'))).toBe(true)
    expect(wasNarrowed(readChannelLines(written([1, 'jest', 'start']), 'nonce'))).toBe(false)
  })

  it('are counted and named; a file that did not load, and an error outside of tests, are failures of no test', () => {
    expect(channelOf(...whole)).toEqual({
      runners: ['vitest'],
      count: { source: 'vitest', run: 2, failed: 3, skipped: 1 },
      names: { passed: ['a.test.js > one'], failed: ['a.test.js > two'], skipped: ['a.test.js > three'] },
      unloaded: 1,
      unended: [],
      quiet: [],
      foreign: 0,
    })
  })

  it('name too many tests to keep', () => {
    const many = Array.from({ length: 50_001 }, (_, at): Line => [1, 'jest', 'test', 'passed', `${at}`])
    const { names, count } = channelOf([1, 'jest', 'start'], ...many)
    expect([names, count.run]).toEqual([null, 50_001])
  })

  it.each<[string, readonly Line[], readonly string[]]>([
    [
      'ended',
      [
        [1, 'jest', 'start'],
        [1, 'jest', 'end'],
      ],
      [],
    ],
    [
      'stopped at a red test',
      [
        [1, 'jest', 'start'],
        [1, 'jest', 'stopped'],
      ],
      [],
    ],
    [
      'ended in another process',
      [
        [1, 'jest', 'start'],
        [2, 'jest', 'start'],
        [2, 'jest', 'end'],
      ],
      ['jest'],
    ],
  ])('tell whether a runner %s', (_, lines, unended) => {
    expect(channelOf(...lines).unended).toEqual(unended)
  })
})

const seen = (changes: Partial<RunSeen>): RunSeen => ({
  output: '',
  channel: channelOf(),
  isExitGood: true,
  expected: null,
  printing: [],
  ...changes,
})

const cargo =
  'running 1 test\ntest adds ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n'
const pytest = '===== test session starts =====\n===== 12 passed in 0.01s =====\n'
const green: readonly Line[] = [
  [1, 'vitest', 'start'],
  [1, 'vitest', 'test', 'passed', 'a.test.js > one'],
  [1, 'vitest', 'end'],
]

describe('the tests of a run', () => {
  it.each<[string, Partial<RunSeen>, object]>([
    ['nothing at all', {}, { count: null, names: null, from: null, contradiction: null }],
    [
      'what a runner without a channel printed',
      { output: cargo },
      { count: { source: 'cargo test', run: 1 }, names: { passed: ['adds'] }, from: 'output', contradiction: null },
    ],
    [
      'what a runner reported, whatever else was printed',
      { channel: channelOf(...green), output: pytest },
      { count: { source: 'vitest', run: 1 }, from: 'channel', contradiction: null },
    ],
    [
      'both, where the command names both',
      { channel: channelOf(...green), output: cargo, printing: ['cargo test'] },
      {
        count: { source: 'vitest + cargo test', run: 2 },
        names: { passed: ['a.test.js > one', 'adds'] },
        from: 'output',
        contradiction: null,
      },
    ],
    [
      'a runner that keeps its own reporters',
      { channel: channelOf([1, 'pytest', 'quiet']), output: pytest, expected: 'pytest' },
      { count: { source: 'pytest', run: 12 }, from: 'output', contradiction: null },
    ],
    [
      'a summary without the runner that would have reported it',
      { output: pytest, expected: 'pytest' },
      {
        count: { source: 'pytest', run: 0 },
        names: null,
        contradiction: 'its output counts 12 tests, but pytest reported none: look for what prints them',
      },
    ],
    [
      'the same, where the check failed by itself',
      { output: pytest, expected: 'pytest', isExitGood: false },
      { count: { source: 'pytest', run: 12 }, contradiction: null },
    ],
    [
      'failures that the runner printed and did not report',
      {
        channel: channelOf([1, 'pytest', 'start'], [1, 'pytest', 'end']),
        output: pytest.replace('12 passed', '2 failed'),
      },
      { count: { source: 'pytest', run: 0, failed: 2 }, from: 'channel' },
    ],
    [
      'a runner that did not end',
      { channel: channelOf([1, 'jest', 'start']) },
      { contradiction: 'it exited 0, but jest did not come to its end: look for a test that exits' },
    ],
    [
      'a runner that did not end, in a red run',
      { channel: channelOf([1, 'jest', 'start']), isExitGood: false },
      { contradiction: null },
    ],
    [
      'mocha that did not load its files',
      { channel: channelOf([1, 'mocha', 'start']), isExitGood: false },
      { unloaded: 1, count: { run: 0 }, names: null },
    ],
  ])('%s', (_, changes, expected) => {
    expect(testsSeen(seen(changes))).toMatchObject(expected)
  })

  it('are not believed where something else wrote to the channel', () => {
    const channel = readChannel(readChannelLines(`${written(...green)}forged\n`, 'nonce'))
    expect(testsSeen(seen({ channel })).contradiction).toMatch(/^something else than a test runner wrote/)
  })
})
