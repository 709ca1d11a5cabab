import type { Cases } from '../cases.ts'

const lines = (count: number) => '// line\n'.repeat(count)
const functionOf = (count: number, head = 'export function a() {') => `\n${head}\n${'  a()\n'.repeat(count - 2)}}\n`
const filesOf = (...lengths: readonly number[]) =>
  Object.fromEntries(lengths.map((length, index) => [`src/core/${index}.ts`, lines(length)]))
const times = (count: number, length: number) => Array.from({ length: count }, () => length)

export const fileLengthCases: Cases = {
  planted: [
    { what: 'one line too many', files: { 'src/core/a.ts': lines(301) }, found: ['src/core/a.ts:301'] },
    { what: 'without a last line end', files: { 'bin/a.js': `${lines(300)}//` }, found: ['bin/a.js:301'] },
    {
      what: 'SQL',
      files: { 'src/store/sqlite/a.sql': '-- line\n'.repeat(301) },
      found: ['src/store/sqlite/a.sql:301'],
    },
  ],
  innocent: [
    { what: 'just full', files: { 'src/core/a.ts': lines(300) } },
    { what: 'a test', files: { 'src/core/a.test.ts': lines(900), 'test/cli/a.ts': lines(900) } },
    { what: 'prose and data', files: { 'README.md': 'line\n'.repeat(900), 'a.json': '[\n'.repeat(900) } },
  ],
}

export const functionLengthCases: Cases = {
  planted: [
    { what: 'a function', files: { 'src/core/a.ts': functionOf(71) }, found: ['src/core/a.ts:2'] },
    {
      what: 'an arrow',
      files: { 'src/web/a.tsx': functionOf(71, 'export const a = () => {') },
      found: ['src/web/a.tsx:2'],
    },
    { what: 'a method', files: { 'scripts/a.ts': `class A {${functionOf(71, 'm() {')}}` }, found: ['scripts/a.ts:2'] },
  ],
  innocent: [
    { what: 'just full', files: { 'src/core/a.ts': functionOf(70) } },
    { what: 'many short ones', files: { 'src/core/a.ts': functionOf(40, 'function a() {') + functionOf(40) } },
    { what: 'a long table', files: { 'src/core/a.ts': `export const a = [\n${'  1,\n'.repeat(100)}]\n` } },
    { what: 'a test', files: { 'src/core/a.test.ts': functionOf(200) } },
  ],
}

export const lengthsTogetherCases: Cases = {
  planted: [
    { what: 'the median', files: filesOf(...times(9, 10), ...times(11, 81)), found: ['src/core/9.ts:1'] },
    { what: 'the 90th percentile', files: filesOf(...times(17, 10), ...times(3, 201)), found: ['src/core/17.ts:1'] },
  ],
  innocent: [
    { what: 'half of them long', files: filesOf(...times(10, 80), ...times(10, 90)) },
    { what: 'a tenth of them very long', files: filesOf(...times(18, 10), ...times(2, 300)) },
    { what: 'too few to say', files: filesOf(...times(19, 250)) },
    {
      what: 'outside src',
      files: Object.fromEntries(times(30, 250).map((length, n) => [`bench/${n}.ts`, lines(length)])),
    },
  ],
}
