import { describe, expect, it } from 'vitest'
import { fromText, readValue, type Rule } from './rule.ts'

const attempts: Rule = { kind: 'whole', min: 1, max: 100, unit: 'failed attempts' }
const dollars: Rule = { kind: 'amount', min: 0, max: 1000, unit: 'US dollars' }
const onOff: Rule = { kind: 'switch' }
const when: Rule = { kind: 'choice', of: ['never', 'findings', 'always'] }
const timeout: Rule = { kind: 'duration', min: 1000, max: 86_400_000 }
const base: Rule = { kind: 'line', form: 'branch', empty: 'refused' }
const deploy: Rule = { kind: 'line', form: 'command', empty: 'none' }
const argv: Rule = { kind: 'argv' }
const variables: Rule = { kind: 'list', of: { kind: 'line', form: 'variable', empty: 'refused' }, twice: 'refused' }
const args: Rule = { kind: 'list', of: { kind: 'line', form: 'argument', empty: 'refused' }, twice: 'allowed' }

describe('readValue', () => {
  it.each<[Rule, unknown, unknown]>([
    [attempts, 1, 1],
    [attempts, 100, 100],
    [dollars, 0, 0],
    [dollars, 2.5, 2.5],
    [onOff, false, false],
    [when, 'always', 'always'],
    [timeout, '1h30m', 5_400_000],
    [timeout, '24h', 86_400_000],
    [base, 'main', 'main'],
    [deploy, '', null],
    [deploy, './deploy.sh', './deploy.sh'],
    [argv, 'npx claude', ['npx', 'claude']],
    [argv, ['my agent', ''], ['my agent', '']],
    [variables, [], []],
    [variables, ['A', 'B'], ['A', 'B']],
    [args, ['-v', '-v'], ['-v', '-v']],
  ])('%j takes %j as %j', (rule, value, read) => {
    expect(readValue(rule, value)).toEqual({ value: read })
  })

  const wholeNumber = 'must be a whole number from 1 to 100 (failed attempts), not'
  const duration = 'must be a duration such as "90s", "20m" or "1h30m", not'
  it.each<[Rule, unknown, string]>([
    [attempts, 0, `${wholeNumber} 0`],
    [attempts, 101, `${wholeNumber} 101`],
    [attempts, 2.5, `${wholeNumber} 2.5`],
    [attempts, Number.NaN, `${wholeNumber} NaN`],
    [attempts, '3', `${wholeNumber} "3"`],
    [attempts, true, `${wholeNumber} true`],
    [attempts, { x: 1 }, `${wholeNumber} a table`],
    [dollars, -0.01, 'must be a number from 0 to 1000 (US dollars), not -0.01'],
    [dollars, Number.POSITIVE_INFINITY, 'must be a number from 0 to 1000 (US dollars), not Infinity'],
    [onOff, 'yes', 'must be true or false, not "yes"'],
    [onOff, 1, 'must be true or false, not 1'],
    [when, 'finding', 'must be one of never, findings, always, not "finding", did you mean "findings"?'],
    [when, 'sometimes', 'must be one of never, findings, always, not "sometimes"'],
    [when, ['never'], 'must be one of never, findings, always, not a list'],
    [timeout, 20, `${duration} 20`],
    [timeout, '20 minutes', `${duration} "20 minutes"`],
    [timeout, '500ms', 'must be a duration from 1s to 24h, not "500ms"'],
    [timeout, '24h1s', 'must be a duration from 1s to 24h, not "24h1s"'],
    [base, '', 'must be the name of a branch, not ""'],
    [base, 1, 'must be a text, not 1'],
    [deploy, ' ', 'must be a command, not " "'],
    [argv, '"claude', 'has a quote that does not end: "\\"claude"'],
    [argv, '', 'is empty, give a command'],
    [argv, [], 'is empty, give a command'],
    [argv, [''], 'is empty, give a command'],
    [argv, ['x', 1], 'item 2 must be a text, not 1'],
    [argv, 7, 'must be a command or a list of its words, not 7'],
    [variables, 'A', 'must be a list, not "A"'],
    [variables, ['A', 'B C'], 'item 2 must be the name of an environment variable, not "B C"'],
    [variables, ['A', 'A'], 'has "A" twice'],
    [args, Array.from({ length: 201 }, () => 'x'), 'has 201 items, the most is 200'],
  ])('%j refuses %j', (rule, value, problem) => {
    expect(readValue(rule, value)).toEqual({ problem })
  })
})

describe('fromText', () => {
  it.each<[Rule, string, unknown]>([
    [attempts, '7', 7],
    [attempts, '-1', -1],
    [attempts, '2.5', 2.5],
    [attempts, '0x10', '0x10'],
    [attempts, ' 7', ' 7'],
    [dollars, '0.5', 0.5],
    [dollars, '1e3', '1e3'],
    [onOff, 'true', true],
    [onOff, '1', true],
    [onOff, 'false', false],
    [onOff, '0', false],
    [onOff, 'TRUE', 'TRUE'],
    [when, '1', '1'],
    [timeout, '20m', '20m'],
  ])('%j reads %j as %j', (rule, text, value) => {
    expect(fromText(rule, text)).toBe(value)
  })
})
