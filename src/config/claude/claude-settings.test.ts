import { describe, expect, it } from 'vitest'
import { withHooks } from './claude-settings.ts'

const path = '.claude/settings.json'
const hooks = { SessionEnd: 'sh end', PreCompact: 'sh compact' }
const group = (command: string) => ({ hooks: [{ type: 'command', command, timeout: 10 }] })
const theirs = { matcher: 'Bash', hooks: [{ type: 'command', command: 'echo theirs' }] }

describe('our hooks in the settings of Claude Code', () => {
  it.each<[string, string | null, object]>([
    ['are a file of their own', null, { hooks: { SessionEnd: [group('sh end')], PreCompact: [group('sh compact')] } }],
    ['fill an empty one', ' \n', { hooks: { SessionEnd: [group('sh end')], PreCompact: [group('sh compact')] } }],
    [
      'stand beside what is there',
      JSON.stringify({ model: 'opus', hooks: { SessionEnd: [theirs], Stop: [theirs] }, '': 1 }),
      {
        model: 'opus',
        hooks: { SessionEnd: [theirs, group('sh end')], Stop: [theirs], PreCompact: [group('sh compact')] },
        '': 1,
      },
    ],
    [
      'are added one by one',
      JSON.stringify({ hooks: { PreCompact: [{ matcher: 'auto', ...group('sh compact') }] } }),
      { hooks: { PreCompact: [{ matcher: 'auto', ...group('sh compact') }], SessionEnd: [group('sh end')] } },
    ],
  ])('%s', (_, text, expected) => {
    const merged = withHooks(path, text, hooks) ?? ''
    expect(JSON.parse(merged)).toEqual(expected)
    expect(Object.keys(JSON.parse(merged) as object)).toEqual(Object.keys(expected))
    expect(withHooks(path, merged, hooks)).toBeNull()
  })

  it.each([
    ['{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"hooks"'],
    ['{\n    "a": 1\n}', '{\n    "a": 1,\n    "hooks"'],
    ['{"a": 1}', '{\n  "a": 1,\n  "hooks"'],
    ['\uFEFF{"a": 1}', '{\n  "a": 1,\n  "hooks"'],
  ])('keep the indentation of %j', (text, start) => {
    expect(withHooks(path, text, hooks)?.startsWith(start)).toBe(true)
  })

  it.each([
    ['{', 'it is not one JSON object'],
    ['[]', 'it is not one JSON object'],
    ['{"hooks": []}', "'hooks' is not an object"],
    ['{"hooks": {"SessionEnd": {}}}', "'hooks.SessionEnd' is not a list"],
  ])('are refused by %s', (text, problem) => {
    expect(() => withHooks(path, text, hooks)).toThrow(`${path}: ${problem}; mend it`)
  })
})
