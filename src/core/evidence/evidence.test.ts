import { describe, expect, it } from 'vitest'
import { type CheckRun, checkReport, isGreen, testsRun, validationReport } from './evidence.ts'

const three = { source: 'vitest', run: 3, failed: 0, skipped: 1 }
const unit: CheckRun = {
  name: 'unit',
  kind: 'check',
  checkHash: 'sha256:1',
  argv: ['/bin/sh', '-c', 'npm test'],
  exit: 0,
  how: 'exited',
  durationMs: 5,
  tests: three,
  outputDigest: 'sha256:2',
  outputTail: '3 passed\n',
  report: null,
  names: null,
  cached: false,
}
const report = { ok: true, errors: [], normalizedHtml: null }
const html: CheckRun = { ...unit, name: 'html', kind: 'validator', tests: null, report, outputTail: '' }
const failedReport = { ok: false, errors: ['line 3: <b> is open'], normalizedHtml: null }

describe('a green run', () => {
  it.each<[string, boolean, CheckRun]>([
    ['exits 0', true, unit],
    ['needs no count', true, { ...unit, tests: null }],
    ['may have counted nothing: that is for the verdict', true, { ...unit, tests: { ...three, run: 0 } }],
    ['does not exit with another code', false, { ...unit, exit: 1 }],
    ['does not end without a code', false, { ...unit, exit: null }],
    ['counts no failure, whatever it exits with', false, { ...unit, tests: { ...three, failed: 1 } }],
    ['is not killed', false, { ...unit, how: 'signalled', exit: null }],
    ['is not stopped by the clock', false, { ...unit, how: 'timedOut' }],
    ['does not flood', false, { ...unit, how: 'flooded' }],
    ['was started', false, { ...unit, how: 'notStarted' }],
    ['is a report that says so', true, html],
    ['is not a report that says otherwise', false, { ...html, report: failedReport }],
    ['is not a good report with a bad code', false, { ...html, exit: 1 }],
    ['may be a validator without work', true, { ...html, how: 'notNeeded', exit: null }],
    ['is no check without work', false, { ...unit, how: 'notNeeded', exit: null }],
  ])('%s', (_, green, run) => {
    expect(isGreen(run)).toBe(green)
  })
})

describe('tests that ran', () => {
  it('are those of checks, added up; a validator runs none', () => {
    expect(testsRun([unit, unit, { ...unit, tests: null }, { ...html, tests: unit.tests }])).toBe(6)
  })
})

describe('the report on checks', () => {
  it('speaks of the three known ones and of all', () => {
    const lint: CheckRun = { ...unit, name: 'lint', tests: null, exit: 2, outputTail: 'a.ts: unused' }
    expect(checkReport([lint, unit, { ...html, report: failedReport }])).toEqual({
      ok: false,
      typecheck_ok: true,
      lint_ok: false,
      unit_ok: true,
      logs: 'lint: red\na.ts: unused\n\nunit: green\n3 passed',
    })
  })

  it('is not ok where nothing ran', () => {
    expect(checkReport([html]).ok).toBe(false)
  })
})

describe('the report on content', () => {
  it.each<[string, readonly CheckRun[], unknown]>([
    ['none without validators', [unit], null],
    ['ok', [unit, html], { ok: true, errors: [] }],
    [
      'the normalised text',
      [{ ...html, report: { ...report, normalizedHtml: '<p></p>' } }],
      { ok: true, errors: [], normalized_html: '<p></p>' },
    ],
    ['its own errors', [html, { ...html, report: failedReport }], { ok: false, errors: failedReport.errors }],
    [
      'what it printed, where it made no report',
      [{ ...html, report: null, exit: 1, outputTail: 'bad\n' }],
      { ok: false, errors: ['html: bad'] },
    ],
    ['silence', [{ ...html, report: null, exit: 1 }], { ok: false, errors: ['html: it failed and printed nothing'] }],
  ])('%s', (_, runs, expected) => {
    expect(validationReport(runs)).toEqual(expected)
  })
})
