import { describe, expect, it } from 'vitest'
import { reportIn } from './validator-report.ts'

describe('what a validator prints', () => {
  it.each<[string, string, unknown]>([
    ['a report', '{"ok":true}', { ok: true, errors: [], normalizedHtml: null }],
    ['errors', '{"ok":false,"errors":["a","b"]}', { ok: false, errors: ['a', 'b'], normalizedHtml: null }],
    [
      'errors that are objects',
      '{"ok":false,"errors":[{"line":3}]}',
      { ok: false, errors: ['{"line":3}'], normalizedHtml: null },
    ],
    ['a text', '{"ok":true,"normalized_html":"<p>"}', { ok: true, errors: [], normalizedHtml: '<p>' }],
    [
      'after the lines of npm',
      '\n> a@1 html\n> check\n\n{\n "ok": true\n}\n',
      { ok: true, errors: [], normalizedHtml: null },
    ],
    ['no report', 'all fine', null],
    ['half a report', '{"ok":true', null],
    ['two', '{"ok":true}\n{"ok":false}', null],
    ['something else', '{"status":"ok"}', null],
    ['ok that is not yes or no', '{"ok":"true"}', null],
    ['a list', '[{"ok":true}]', null],
    [
      'a text that is too long',
      `{"ok":true,"normalized_html":"${'x'.repeat(70_000)}"}`,
      { ok: true, errors: [], normalizedHtml: null },
    ],
  ])('%s', (_, stdout, report) => {
    expect(reportIn(stdout)).toEqual(report)
  })

  it('is bounded', () => {
    const errors = Array.from({ length: 500 }, () => 'é'.repeat(1000))
    const report = reportIn(JSON.stringify({ ok: false, errors }))
    expect(report?.errors).toEqual(Array.from({ length: 100 }, () => 'é'.repeat(250)))
  })
})
