import { describe, expect, it } from 'vitest'
import { nextTime, readBuildOptions } from './options.ts'

const noon = new Date(2026, 5, 15, 12, 0, 0, 0).getTime()
const HOUR = 3_600_000

function options(flags: Record<string, string>) {
  return readBuildOptions({ flags: new Map(Object.entries(flags)) }, noon)
}

describe('the flags of build', () => {
  const plain = {
    limits: { mode: 'to-the-end', iterationsMax: null, until: null },
    workers: null,
    agent: null,
    limited: 'wait',
    budget: {},
    claim: 'engine',
    where: 'isolated',
  }
  it.each([
    [{}, plain],
    [{ once: '' }, { ...plain, limits: { ...plain.limits, mode: 'one-iteration' } }],
    [{ 'no-wait': '' }, { ...plain, limited: 'try' }],
    [
      { budget: '$7.50', 'budget-tokens': '0' },
      { ...plain, budget: { usd: 7.5, tokens: null } },
    ],
    [{ 'max-iterations': '5' }, { ...plain, limits: { ...plain.limits, iterationsMax: 5 } }],
    [{ claim: 'engine' }, plain],
    [{ claim: 'agent' }, { ...plain, claim: 'agent' }],
    [{ until: '13:30' }, { ...plain, limits: { ...plain.limits, until: noon + 1.5 * HOUR } }],
    [
      { 'in-place': '', workers: '1' },
      { ...plain, workers: 1, where: 'in-place' },
    ],
    [
      { workers: '3', agent: 'codex' },
      { ...plain, workers: 3, agent: 'codex' },
    ],
  ])('%j', (flags, asked) => {
    expect(options(flags)).toEqual(asked)
  })

  it.each([
    [{ 'max-iterations': '0' }, '-n must be a whole number from 1 to 1000000'],
    [{ 'max-iterations': '1e3' }, '-n must be a whole number from 1 to 1000000'],
    [{ 'max-iterations': '-1' }, '-n must be a whole number from 1 to 1000000'],
    [{ workers: '65' }, '--workers must be a whole number from 1 to 64'],
    [{ until: '25:00' }, '--until must be a time of day such as 06:30'],
    [{ until: '' }, '--until must be a time of day such as 06:30'],
    [{ claim: 'me' }, "--claim must be 'engine' or 'agent'"],
    [{ claim: '' }, "--claim must be 'engine' or 'agent'"],
    [{ agent: 'clade' }, "unknown agent 'clade', use claude, codex, gemini, opencode, acp, command, model, scripted"],
    [{ 'in-place': '', workers: '2' }, 'in place one task is worked on at a time; leave --workers out'],
    [{ once: '', 'max-iterations': '1' }, '--once and -n are mutually exclusive'],
  ])('%j is refused', (flags, sentence) => {
    expect(() => options(flags)).toThrow(sentence)
  })
})

it.each([
  ['12:01', 60_000],
  ['12:00', 24 * HOUR],
  ['11:59', 24 * HOUR - 60_000],
  ['0:00', 12 * HOUR],
])('the next %s after noon is %i ms away', (text, ms) => {
  expect(nextTime(text, noon) - noon).toBe(ms)
})
