import type { Cases } from '../cases.ts'

const see = (...specifiers: readonly string[]) =>
  specifiers.map((specifier) => `import { x } from '${specifier}'\n`).join('')

export const folderCirclesCases: Cases = {
  planted: [
    {
      what: 'two folders that know each other',
      files: { 'src/core/task/a.ts': see('../plan/b.ts'), 'src/core/plan/b.ts': see('../task/c.ts') },
      found: ['src/core/task/a.ts:1', 'src/core/plan/b.ts:1'],
    },
    {
      what: 'by way of a third, and by types alone',
      files: {
        'src/core/task/a.ts': see('../plan/b.ts'),
        'src/core/plan/b.ts': "import type { X } from '../fact/c.ts'\n",
        'src/core/fact/c.ts': see('../task/a.ts'),
      },
      found: ['src/core/task/a.ts:1', 'src/core/plan/b.ts:1', 'src/core/fact/c.ts:1'],
    },
    {
      what: 'two rooms',
      files: { 'src/store/a.ts': see('../socket/deep/b.ts'), 'src/socket/c.ts': see('../store/sqlite/d.ts') },
      found: ['src/store/a.ts:1', 'src/socket/c.ts:1'],
    },
  ],
  innocent: [
    {
      what: 'a line',
      files: { 'src/core/task/a.ts': see('../plan/b.ts', '../fact/c.ts'), 'src/core/plan/b.ts': see('../fact/c.ts') },
    },
    {
      what: 'a folder and the files above it',
      files: { 'src/checks/a.ts': see('./setup/b.ts'), 'src/checks/setup/b.ts': see('../c.ts') },
    },
    { what: 'one folder', files: { 'src/core/task/a.ts': see('./b.ts'), 'src/core/task/b.ts': see('./a.ts') } },
    {
      what: 'a test',
      files: { 'src/core/task/a.ts': see('../plan/b.ts'), 'src/core/plan/b.test.ts': see('../task/a.ts') },
    },
  ],
}
