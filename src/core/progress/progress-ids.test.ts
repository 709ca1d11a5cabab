import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { taskId } from '../values/id.ts'
import { idsOf, splitLabel, withLabel } from './progress-ids.ts'

const read = (lines: readonly string[]): string[] => {
  const tasks = lines.map(splitLabel)
  return idsOf(tasks).map((id, at) => `${id} | ${tasks[at]?.title}`)
}

describe('ids of tasks', () => {
  const single: [string, string][] = [
    ['Add the login route', 'add-the-login-route | Add the login route'],
    ['  Ünïcode & 漢字!  ', 'ünïcode-漢字 |   Ünïcode & 漢字!  '],
    ['u\u0308', 'ü | u\u0308'],
    ['\u{1F600}', 'task | \u{1F600}'],
    ['**Setup**: do it', 'setup-do-it | **Setup**: do it'],
    ['Docs: write it', 'docs-write-it | Docs: write it'],
    ['Task 1.1: Fix it', 'task-1-1-fix-it | Task 1.1: Fix it'],
    ['[WIP] fix it', 'wip-fix-it | [WIP] fix it'],
    ['[P1] fix it', 'p1-fix-it | [P1] fix it'],
    ['[T1](x.md) fix it', 't1-x-md-fix-it | [T1](x.md) fix it'],
    ['at 12:30 fix it', 'at-12-30-fix-it | at 12:30 fix it'],
    ['T1:', 't1 | T1:'],
    ['T1:fix', 't1-fix | T1:fix'],
    [`${'x'.repeat(200)}1: fix`, `${'x'.repeat(60)} | ${'x'.repeat(200)}1: fix`],
    ['a b'.repeat(30), `${'a b'.repeat(30).replaceAll(' ', '-').slice(0, 60)} | ${'a b'.repeat(30)}`],

    ['T1: fix it', 'T1 | fix it'],
    ['T1:  fix: it', 'T1 | fix: it'],
    ['**T1**: fix it', 'T1 | fix it'],
    ['**T1:** fix it', 'T1 | fix it'],
    ['`T1`: fix it', 'T1 | fix it'],
    ['[T1] fix it', 'T1 | fix it'],
    ['[T1]: fix it', 'T1 | fix it'],
    ['task-cli/01: fix it', 'task-cli/01 | fix it'],
    ['1.2: fix it', '1.2 | fix it'],
    ['fix it {#any-id}', 'any-id | fix it'],
    ['T1: fix it {#T2}', 'T2 | T1: fix it'],
    ['fix it {#}', 'fix-it | fix it {#}'],
    ['{#T1}', 't1 | {#T1}'],
    [`fix it {#${'x'.repeat(129)}}`, `fix-it-${'x'.repeat(53)} | fix it {#${'x'.repeat(129)}}`],
  ]
  it.each(single)('%j', (line, expected) => {
    expect(read([line])).toEqual([expected])
  })

  const several: [string, string[], string[]][] = [
    ['the same title', ['a', 'A', 'a!'], ['a | a', 'a-2 | A', 'a-3 | a!']],
    ['a title that is the next number', ['a', 'a 2', 'a', 'a'], ['a | a', 'a-2 | a 2', 'a-3 | a', 'a-4 | a']],
    ['a written id before a derived one', ['t1', 'T: x {#t1}'], ['t1-2 | t1', 't1 | T: x']],
    ['the same written id', ['T1: a', 'T1: b'], ['T1 | a', 'T1-2 | b']],
    [
      'the same long written id',
      [`a {#${'x'.repeat(127)}}`, `b {#${'x'.repeat(127)}}`],
      [`${'x'.repeat(127)} | a`, `${'x'.repeat(112)}-2 | b`],
    ],
  ]
  it.each(several)('keeps apart %s', (_, lines, expected) => {
    expect(read(lines)).toEqual(expected)
  })

  it('are valid and all different, whatever the lines', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('a', '1', ' ', ':', '[', ']', '*', '`', '{#', '}', '\u{1F600}', '漢'),
        maxLength: 200,
      }),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const ids = idsOf(lines.map(splitLabel))
        expect(new Set(ids).size).toBe(lines.length)
        expect(ids.map(taskId)).toEqual(ids)
      }),
    )
  })

  it('do not change when tasks are added below', () => {
    const line = fc.constantFrom('a', 'b', 'a 2', 'Fix: b', 'c c', '\u{1F600}')
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (above, below) => {
        const ids = idsOf(above.map(splitLabel))
        expect(idsOf([...above, ...below].map(splitLabel)).slice(0, above.length)).toEqual(ids)
      }),
    )
  })

  const written: [string, string, string][] = [
    ['fix-it', 'Fix it!', 'Fix it!'],
    ['T1', 'Fix it', 'Fix it {#T1}'],
    ['t1-fix-it', 'T1: fix it', 'T1: fix it {#t1-fix-it}'],
    ['fix-it', 'fix it {#}', 'fix it {#}'],
    ['fix-it-t1', 'fix it {#T1}', 'fix it {#T1} {#fix-it-t1}'],
  ]
  it.each(written)('%s of %j is written as %j', (id, title, line) => {
    expect(withLabel(taskId(id), title)).toBe(line)
  })

  it('survive being written', () => {
    const title = fc
      .string({ unit: fc.constantFrom('a', '1', ' ', ':', '[', ']', '{#', '}'), minLength: 1 })
      .map((text) => `${text}.`.trim())
    const id = fc.string({ unit: fc.constantFrom('a', '1', '-', '{', '}', '#', ','), minLength: 1 }).map(taskId)
    fc.assert(
      fc.property(id, title, (label, text) => {
        const line = splitLabel(withLabel(label, text))
        expect([idsOf([line])[0], line.title]).toEqual([label, text])
      }),
    )
  })
})
