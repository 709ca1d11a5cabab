import type { Cases } from '../cases.ts'

const planted = (source: string, path = 'src/core/a.ts') => ({
  what: source,
  files: { [path]: `// größe 🎉\n${source}` },
  found: [`${path}:2`],
})
const innocent = (source: string, path = 'src/core/a.ts') => ({ what: source, files: { [path]: source } })

export const moduleStateCases: Cases = {
  planted: [
    planted('let count = 0'),
    planted('export let count = 0'),
    planted('let count = 0', 'src/store/sqlite/a.ts'),
    planted('const known = new WeakMap<object, number>()'),
    planted('const known: ReadonlyMap<object, number> = new WeakMap()'),
    planted('const seen = new WeakSet()'),
    planted('const known = new Map<string, number>()'),
    planted('export const known: Map<string, number> = new Map()'),
    planted("const words = new Set(['a'])"),
    planted('const all = []'),
    planted('const all: string[] = []'),
    planted("const words = ['a', 'b'] satisfies string[]"),
    planted('const cache: Record<string, number> = {}'),
    {
      what: 'a field of a constant that changes',
      files: { 'src/core/a.ts': 'const counts = { all: 0 }\nexport const count = () => {\n  counts.all += 1\n}' },
      found: ['src/core/a.ts:3'],
    },
    {
      what: 'an entry that is deleted, and one that is counted up',
      files: {
        'src/core/a.ts':
          'const counts: Record<string, number> = { a: 1 }\nexport function a() {\n  delete counts.a\n  counts.b.c++\n}',
      },
      found: ['src/core/a.ts:3', 'src/core/a.ts:4'],
    },
  ],
  innocent: [
    innocent(
      'export function a() {\n  let count = 0\n  const all = []\n  const known = new Map()\n  return [count, all, known]\n}',
    ),
    innocent('export class A {\n  readonly #known = new WeakMap()\n}'),
    innocent("const words: ReadonlySet<string> = new Set(['a'])"),
    innocent('const known: ReadonlyMap<string, number> = new Map()'),
    innocent("const words = ['a', 'b'] as const"),
    innocent("const words = ['a', 'b'] as const satisfies readonly string[]"),
    innocent("const words: readonly string[] = ['a']"),
    innocent("const words: ReadonlyArray<string> = ['a']"),
    innocent('const none: Readonly<Record<string, number>> = {}'),
    innocent('const counts = { all: 0 }\nexport const b = (counts: { all: number }) => {\n  counts.all += 1\n}'),
    innocent('export function a() {\n  const counts = { all: 0 }\n  counts.all += 1\n  return counts\n}'),
    innocent('declare let count: number'),
    innocent('const pattern = /a/g'),
    innocent('let count = 0', 'src/core/a.test.ts'),
    innocent('let count = 0', 'src/store/a.conformance.ts'),
    innocent('let count = 0', 'src/cli/a.ts'),
    innocent('let count = 0', 'scripts/a.ts'),
  ],
}
