import type { Cases } from '../cases.ts'

const lines = (count: number) => '// line\n'.repeat(count)
const functionOf = (count: number, head = 'export function a() {') => `\n${head}\n${'  a()\n'.repeat(count - 2)}}\n`
const filesOf = (folder: string, count: number, ending = 'ts') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${folder}/${index}.${ending}`, '']))
/** Code of so many lines: a comment alone would be a table. */
const code = (count: number) => `a()\n${lines(count - 1)}`
const table = (count: number) => `export const a = {\n${"  b: 'c',\n".repeat(count - 2)}} as const\n`

export const fileLengthCases: Cases = {
  planted: [
    { what: 'one line too many', files: { 'src/core/a.ts': code(301) }, found: ['src/core/a.ts:301'] },
    { what: 'without a last line end', files: { 'bin/a.js': `${code(300)}//` }, found: ['bin/a.js:301'] },
    {
      what: 'a table that computes',
      files: { 'src/core/a.ts': `${table(300)}a(1)\n` },
      found: ['src/core/a.ts:301'],
    },
    {
      what: 'SQL',
      files: { 'src/store/sqlite/a.sql': '-- line\n'.repeat(301) },
      found: ['src/store/sqlite/a.sql:301'],
    },
  ],
  innocent: [
    { what: 'just full', files: { 'src/core/a.ts': code(300) } },
    { what: 'a test', files: { 'src/core/a.test.ts': lines(900), 'test/cli/a.ts': lines(900) } },
    { what: 'a pure table', files: { 'src/core/a.ts': table(900) } },
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

export const folderSizeCases: Cases = {
  planted: [{ what: 'one file too many', files: filesOf('src/core/task', 21), found: ['src/core/task:1'] }],
  innocent: [
    { what: 'just full', files: filesOf('src/core/task', 20) },
    { what: 'two folders', files: { ...filesOf('src/core', 15), ...filesOf('src/core/task', 15) } },
    { what: 'tests', files: { ...filesOf('src/core', 15), ...filesOf('src/core', 15, 'test.ts') } },
    { what: 'outside src', files: filesOf('bench', 30) },
  ],
}
