import type { Cases } from '../cases.ts'

const planted = (source: string, found = 'src/core/a.ts:1') => ({
  what: source,
  files: { 'src/core/a.ts': source },
  found: [found],
})
const innocent = (source: string, path = 'src/core/a.ts') => ({ what: source, files: { [path]: source } })

export const exportsCases: Cases = {
  planted: [
    planted('export default function a() {}'),
    planted('const a = 1\nexport { a as default }', 'src/core/a.ts:2'),
    planted("const b = 1\nexport { b }\nexport { default } from './c.ts'", 'src/core/a.ts:3'),
    planted('const a = 1\nexport = a', 'src/core/a.ts:2'),
    planted("const a = 1\nexport { a }\nexport * from './b.ts'", 'src/core/a.ts:3'),
    planted("const a = 1\nexport { a }\nexport * as b from './b.ts'", 'src/core/a.ts:3'),
    planted("export { a } from './b.ts'\nexport type { C } from './c.ts'"),
    planted("import { a } from './b.ts'\nexport { a }"),
    {
      what: 'export * is no way to write the library either',
      files: { 'src/index.ts': "export * from './core/task.ts'" },
      found: ['src/index.ts:1'],
    },
  ],
  innocent: [
    innocent('export const a = 1'),
    innocent('const a = 1\nexport { a }'),
    innocent("import { a } from './b.ts'\nexport const c = a"),
    innocent("import { a } from './b.ts'\na()"),
    innocent("export { a } from './b.ts'\nexport const c = 1"),
    innocent("import a from 'a-package'\nexport const c = a"),
    innocent("export const a = 'export default 1'"),
    innocent("export { a } from './core/a.ts'\nexport { b } from './core/b.ts'", 'src/index.ts'),
    innocent('export default { test: {} }', 'vitest.config.ts'),
    innocent('export default { root: 1 }', 'src/web/vite.config.ts'),
    innocent('export default 1', 'scripts/build.ts'),
  ],
}
