import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordedCases } from './recorded-cases.ts'
import { sanitized } from './sanitized.ts'

const A = '3e0f4c6e-0b3a-4b57-9d8e-0123456789ab'
const B = '9a8b7c6d-5e4f-4a3b-8c2d-ba9876543210'

it.each([
  ['a path', '{"cwd":"/tmp/x1/w"}', '{"cwd":"/workspace"}'],
  ['the longer path first', 'in /tmp/x1/w and /tmp/x1/y', 'in /workspace and /root/y'],
  [
    'ids, each its own',
    `{"a":"${A}","b":"${B}","c":"${A}"}`,
    '{"a":"00000000-0000-4000-8000-000000000001","b":"00000000-0000-4000-8000-000000000002","c":"00000000-0000-4000-8000-000000000001"}',
  ],
  ['times', '{"at":"2026-11-15T07:30:54.913Z"}', '{"at":"2026-01-01T00:00:00.000Z"}'],
  ['durations', '{"duration_ms":17,"ttft_ms":0.5,"num_turns":17}', '{"duration_ms":100,"ttft_ms":100,"num_turns":17}'],
  ['the end of a limit', '{"resetsAt":1794731913}', '{"resetsAt":4102444800}'],
  ['its words', "You've hit your limit · resets 8:38am (Europe/Rome)", "You've hit your limit · resets 12am (UTC)"],
  ['ports', 'http://127.0.0.1:40123/v1', 'http://127.0.0.1:8080/v1'],
  ['nothing else', '{"torn', '{"torn'],
])('steadies %s', (_, text, steady) => {
  expect(sanitized(text, { '/tmp/x1': '/root', '/tmp/x1/w': '/workspace' })).toBe(steady)
})

describe('the recorded streams', () => {
  const folder = join(import.meta.dirname, '../fixtures/streams/claude')
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Record<string, { about: string }>

  it('are of the cases that can be recorded', () => {
    const abouts = Object.entries(index).map(([name, { about }]) => [name, about])
    const cases = Object.entries(recordedCases).map(([name, { about }]) => [name, about])
    expect(abouts.toSorted()).toEqual(cases.toSorted())
    const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    expect(files.toSorted()).toEqual(
      Object.keys(index)
        .map((name) => `${name}.jsonl`)
        .toSorted(),
    )
  })

  it.each(Object.keys(index))('%s is steady, JSON in each line, and begins with init', (name) => {
    const text = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    expect(sanitized(text, {})).toBe(text)
    const [first] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; subtype?: string })
    expect(first).toMatchObject({ type: 'system', subtype: 'init', cwd: '/workspace' })
  })
})
