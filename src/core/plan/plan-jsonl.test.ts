import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refused } from '../../../test/arbitraries/refusal.ts'
import { taskId } from '../values/id.ts'
import type { PlanItem } from './plan.ts'
import { parsePlanLines } from './plan-jsonl.ts'

const plain = {
  description: null,
  priority: 2,
  category: null,
  spec: null,
  ref: null,
  steps: [],
  type: null,
  acceptance: [],
  filesExpected: [],
}

const item = (id: string, line: number, text: Partial<PlanItem['text']> = {}, deps: string[] = []): PlanItem => ({
  id: taskId(id),
  text: { title: 'A', ...plain, ...text },
  deps: deps.map(taskId),
  line,
})

const a = '{"id":"a","t":"A"}'
const b = '{"id":"b","t":"A"}'

describe('a good plan', () => {
  it('has every field', () => {
    const line = {
      id: 'a',
      t: 'A',
      d: 'What for',
      p: 0,
      cat: 'ui',
      spec: 's',
      ref: 'SPEC.md#1',
      deps: ['b', 'c'],
      steps: ['one', 'two'],
      type: 'api',
      acceptance: ['it works'],
      files_expected: ['a.ts'],
    }
    const text = {
      description: 'What for',
      priority: 0,
      category: 'ui',
      spec: 's',
      ref: 'SPEC.md#1',
      steps: ['one', 'two'],
      type: 'api',
      acceptance: ['it works'],
      filesExpected: ['a.ts'],
    } as const
    expect(parsePlanLines(JSON.stringify(line))).toEqual([item('a', 1, text, ['b', 'c'])])
  })

  it.each<[name: string, text: string, items: PlanItem[]]>([
    ['nothing', '', []],
    ['nothing but white space', '\n \r\n\t\n', []],
    ['defaults', a, [item('a', 1)]],
    ['title in full', '{"id":"a","title":"A"}', [item('a', 1)]],
    ['t before title', '{"id":"a","t":"A","title":"B"}', [item('a', 1)]],
    ['null is left out', '{"id":"a","t":"A","d":null,"p":null,"deps":null,"type":null}', [item('a', 1)]],
    ['unknown fields', '{"id":"a","t":"A","status":"done","__proto__":{"p":9}}', [item('a', 1)]],
    ['two lines, the last one ended', `${a}\n${b}\n`, [item('a', 1), item('b', 2)]],
    ['empty lines are skipped but counted', `\n${a}\n\n  \n${b}`, [item('a', 2), item('b', 5)]],
    ['a byte order mark', `\uFEFF${a}`, [item('a', 1)]],
    ['CRLF', `${a}\r\n${b}\r\n`, [item('a', 1), item('b', 2)]],
    ['white space around', `  ${a}\t`, [item('a', 1)]],
    ['a title that only the task refuses', '{"id":"a"}', [item('a', 1, { title: '' })]],
    ['1,000 dependencies', wide(1_000), [item('a', 1, {}, numbered(1_000))]],
    ['a line of exactly 1 MiB', long(1_048_576), [item('a', 1, { description: 'x'.repeat(1_048_576 - 25) })]],
  ])('%s', (_, text, items) => {
    expect(parsePlanLines(text)).toEqual(items)
  })
})

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `t${index}`)
}

function wide(count: number): string {
  return JSON.stringify({ id: 'a', t: 'A', deps: numbered(count) })
}

function long(length: number): string {
  return `{"id":"a","t":"A","d":"${'x'.repeat(length - 25)}"}`
}

describe('one bad line refuses the whole plan and is named', () => {
  const types = "'type' must be one of setup, database, api, ui, integration, test, docs, refactor, chore"
  const list = (key: string) => `'${key}' must be a list of at most 1000 strings`
  const badId = 'a task ID is 1 to 128 characters without white space or control characters'

  it.each<[name: string, text: string, line: number, problem: string]>([
    [
      'line 3 of 5 is cut off',
      [a, b, '{"id":"c","t":', '{"id":"d","t":"A"}', '{"id":"e","t":"A"}'].join('\n'),
      3,
      'it is not valid JSON',
    ],
    ['the count goes over empty lines', `\n\n${a}\n\nnope`, 5, 'it is not valid JSON'],
    ['a byte order mark inside', `${a}\n\uFEFF${b}`, 2, 'it is not valid JSON'],
    ['a list', '[]', 1, 'it is not a JSON object'],
    ['null', 'null', 1, 'it is not a JSON object'],
    ['a word', '"a"', 1, 'it is not a JSON object'],
    ['two objects', `${a}${b}`, 1, 'it is not valid JSON'],
    ['no id', '{"t":"A"}', 1, 'missing task ID'],
    ['an id with a space', '{"id":"a b","t":"A"}', 1, badId],
    ['an id with a NUL', String.raw`{"id":"a\u0000","t":"A"}`, 1, badId],
    ['an id that is a number', '{"id":7,"t":"A"}', 1, "'id' must be a string"],
    ['a title that is a number', '{"id":"a","t":7}', 1, "'t' must be a string"],
    ['a long title that is a list', '{"id":"a","title":[]}', 1, "'title' must be a string"],
    ['a description that is false', '{"id":"a","t":"A","d":false}', 1, "'d' must be a string"],
    ['a priority that is text', '{"id":"a","t":"A","p":"1"}', 1, "'p' must be a number"],
    ['a category that is an object', '{"id":"a","t":"A","cat":{}}', 1, "'cat' must be a string"],
    ['a spec that is a number', '{"id":"a","t":"A","spec":1}', 1, "'spec' must be a string"],
    ['a ref that is a number', '{"id":"a","t":"A","ref":1}', 1, "'ref' must be a string"],
    ['dependencies that are text', '{"id":"a","t":"A","deps":"b"}', 1, list('deps')],
    ['a dependency that is a number', '{"id":"a","t":"A","deps":["b",1]}', 1, list('deps')],
    ['a dependency that is no id', '{"id":"a","t":"A","deps":["b c"]}', 1, badId],
    ['1,001 dependencies', wide(1_001), 1, list('deps')],
    ['a step that is null', '{"id":"a","t":"A","steps":[null]}', 1, list('steps')],
    ['acceptance that is text', '{"id":"a","t":"A","acceptance":"x"}', 1, list('acceptance')],
    ['files that are an object', '{"id":"a","t":"A","files_expected":{}}', 1, list('files_expected')],
    ['an unknown type', '{"id":"a","t":"A","type":"magic"}', 1, types],
    ['a type in capitals', '{"id":"a","t":"A","type":"API"}', 1, types],
    ['a type that is a number', '{"id":"a","t":"A","type":1}', 1, "'type' must be a string"],
    ['the same id twice', `${a}\n\n${b}\n${a}`, 4, "'a' stands on line 1 already"],
    ['a line over 1 MiB', `${b}\n${long(1_048_577)}`, 2, 'it is longer than 1048576 characters'],
  ])('%s', (_, text, line, problem) => {
    expect(refused(() => parsePlanLines(text))).toEqual([
      'PLAN_LINE_BAD',
      `line ${line}: ${problem}; nothing was written`,
    ])
  })

  it('whatever the line is, it is read or refused by its number', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (noise) => {
        const line = noise.replaceAll('\n', ' ')
        const refusal = refused(() => parsePlanLines(`${a}\n${line}`))
        expect(refusal?.[1] ?? 'line 2: ').toMatch(/^line 2: /)
      }),
    )
  })
})
