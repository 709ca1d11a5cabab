import { describe, expect, it } from 'vitest'
import { exampleJson } from './example.ts'
import { readExamples } from './read-examples.ts'

const call = { module: 'src/range.js', name: 'range', args: [2, 8], returns: [2, 5, 8] }
const command = { argv: ['node', 'cli.js'], stdin: 'a', stdout: 'A' }
const without = (value: object, name: string): object =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))

describe('examples', () => {
  it.each<[string, unknown]>([
    ['a call', { call }],
    ['a call that throws', { call: { ...without(call, 'returns'), throws: true } }],
    ['a call that returns null', { call: { ...call, returns: null } }],
    ['a call of a member', { call: { ...call, name: 'Money.parse', module: 'money/money.py' } }],
    ['a command with output', { command: { ...command, exit: 0 } }],
    ['a command with an exit code', { command: { argv: ['node', 'cli.js'], exit: 3 } }],
    [
      'a command with a path',
      { command: { argv: ['x'], exit: 0, json: { path: '$.a[0]["b c"]', equals: { d: null } } } },
    ],
  ])('are read and written back: %s', (_, example) => {
    const read = readExamples([example])
    expect(read).toMatchObject({ ok: true })
    expect(read.ok && read.value.map(exampleJson)).toEqual([example])
  })

  it('may be texts of JSON, as models write them that are held to a form', () => {
    expect(readExamples([JSON.stringify({ call })])).toEqual(readExamples([{ call }]))
  })

  it.each([undefined, null, []])('are none: %j', (value) => {
    expect(readExamples(value)).toEqual({ ok: true, value: [] })
  })

  it.each<[string, unknown]>([
    ["'examples' must be a list", 'x'],
    ["'examples' has 6 examples, the most is 5", Array.from({ length: 6 }, () => ({ call }))],
    ["example 2: it must be an object with 'call' or 'command'", [{ call }, 7]],
    ["example 1: it must be an object with 'call' or 'command'", ['not json']],
    ["example 1: it must have one of 'call' and 'command'", [{}]],
    ["example 1: it must have one of 'call' and 'command'", [{ call, command }]],
    ["example 1: it has an unknown field 'cal'; known are call and command", [{ cal: call }]],
    ['example 1: its values must be JSON', [{ call: { ...call, args: [new Date()] } }]],
    ['example 1: its values must be JSON', [{ call: { ...call, args: [Number.NaN] } }]],
    ['example 1: it has more than 16384 characters as JSON', [{ call: { ...call, args: ['x'.repeat(20_000)] } }]],
    ["example 1: 'call' must be an object", [{ call: [] }]],
    [
      "example 1: 'call' has an unknown field 'arguments'; known are module, name, args, returns and throws",
      [{ call: { ...call, arguments: [] } }],
    ],
    ...['', '/a.js', '../a.js', '~/a.js', 'a/../../b.js', 'src/'].map((module): [string, unknown] => [
      "example 1: 'module' must be the path of a file in the project",
      [{ call: { ...call, module } }],
    ]),
    ["example 1: 'module' must be a file of JavaScript, TypeScript or Python", [{ call: { ...call, module: 'a.rs' } }]],
    ["example 1: 'name' must be an exported name", [{ call: { ...call, name: 'a b' } }]],
    ["example 1: 'args' must be a list of the arguments", [{ call: { ...call, args: {} } }]],
    ["example 1: 'throws' must be true", [{ call: { ...call, throws: 'x' } }]],
    ["example 1: it must have one of 'returns' and 'throws'", [{ call: { ...call, throws: true } }]],
    ["example 1: it must have one of 'returns' and 'throws'", [{ call: without(call, 'returns') }]],
    ["example 1: 'argv' must be a list of 1 to 64 texts, the program first", [{ command: { ...command, argv: [] } }]],
    ["example 1: 'argv' must be a list of 1 to 64 texts, the program first", [{ command: { ...command, argv: 'ls' } }]],
    ["example 1: 'argv' must not hold a NUL character", [{ command: { ...command, argv: ['a', '\0'] } }]],
    ["example 1: 'stdin' must be a text", [{ command: { ...command, stdin: 1 } }]],
    ["example 1: 'exit' must be a whole number from 0 to 255", [{ command: { ...command, exit: 256 } }]],
    ["example 1: 'stdout' must be a text", [{ command: { ...command, stdout: 1 } }]],
    ["example 1: it must have one of 'stdout', 'json' and 'exit'", [{ command: { argv: ['x'] } }]],
    ["example 1: it must have only one of 'stdout' and 'json'", [{ command: { ...command, json: {} } }]],
    ["example 1: 'path' must be a path such as $.items[0].name", [{ command: { argv: ['x'], json: { path: 'a' } } }]],
    ["example 1: 'json' must have 'equals'", [{ command: { argv: ['x'], json: { path: '$' } } }]],
  ])('are refused: %s', (problem, value) => {
    expect(readExamples(value)).toEqual({ ok: false, problem })
  })

  it('are refused without a word of their values', () => {
    const canary = 'CANARY-7731'
    for (const example of [
      { call: { ...call, args: canary } },
      { call: { ...call, returns: canary, throws: canary } },
      { command: { ...command, stdin: [canary] } },
      { call: { ...call, module: canary, name: canary } },
    ]) {
      const read = readExamples([example])
      expect(read.ok ? canary : read.problem).not.toContain(canary)
    }
  })
})
