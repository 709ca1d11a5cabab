import type { Cases } from '../cases.ts'

const pure = '{ "compilerOptions": { "lib": ["ES2023"], "types": [] } }'
const core = (source: string) => ({ 'src/core/a.ts': source, 'src/core/tsconfig.json': pure })
const planted = (source: string) => ({
  what: source,
  files: core(`// größe 🎉\n${source}`),
  found: ['src/core/a.ts:2'],
})
const innocent = (source: string) => ({ what: source, files: core(source) })
const settings = (what: string, text: string) => ({
  what,
  files: { ...core(''), 'src/core/tsconfig.json': text },
  found: ['src/core/tsconfig.json:1'],
})

export const corePurityCases: Cases = {
  planted: [
    planted('export const now = () => Date.now()'),
    planted("export const now = () => Date['now']()"),
    planted('export const now = () => new Date()'),
    planted('export const now = () => new Date(...[])'),
    planted('export const now = () => Date()'),
    planted('export const local = new Date(2026, 1, 1)'),
    planted('const { now } = Date'),
    planted('const Clock = Date'),
    planted('export const dice = () => Math.random()'),
    planted("export const dice = () => Math['random']()"),
    planted('const { random } = Math'),
    planted('export const took = performance.now()'),
    planted('export const id = crypto.randomUUID()'),
    planted('setTimeout(() => {}, 1)'),
    planted('queueMicrotask(() => {})'),
    planted("console.log('x')"),
    planted('export const home = process.env'),
    planted('export const where = typeof process'),
    planted('export const all = { process }'),
    planted('export const all = globalThis'),
    planted("export const fs = require('x')"),
    planted("export const lazy = () => import('./b.ts')"),
    planted('export const got = fetch'),
    planted('export const here = import.meta.url'),
    planted('export const bytes = Buffer as unknown'),
    planted('/// <reference types="node" />'),
    {
      what: 'a name that is declared elsewhere in the file',
      files: core('export function a(process: string) {\n  return process\n}\nexport const b = process'),
      found: ['src/core/a.ts:4'],
    },
    settings('types of Node', '{ "compilerOptions": { "lib": ["ES2023"], "types": ["node"] } }'),
    settings('all types there are', '{ "compilerOptions": { "lib": ["ES2023"] } }'),
    settings('the browser', '{ "compilerOptions": { "lib": ["ES2023", "DOM"], "types": [] } }'),
    settings('the default lib, which has the browser', '{ "compilerOptions": { "types": [] } }'),
    { what: 'no settings', files: { 'src/core/a.ts': '' }, found: ['src/core/tsconfig.json:1'] },
  ],
  innocent: [
    innocent('export const at = (instant: number) => new Date(instant)'),
    innocent('export const at = Date.UTC(2026, 0, 1)'),
    innocent('export const is = (x: unknown) => x instanceof Date'),
    innocent('export const is = (x: Date): Date => x'),
    innocent('export const most = Math.max(1, 2)'),
    innocent('export const copy = structuredClone({})'),
    innocent("// Date.now() and Math.random() are the shell's\nexport const said = 'console.log(process.env)'"),
    innocent('export const take = (process: { env: string }) => process.env'),
    innocent(
      'export const take = ({ fetch, now: [crypto] }: { fetch: () => void; now: number[] }) => [fetch(), crypto]',
    ),
    innocent("import { process } from './b.ts'\nexport const a = process"),
    innocent("export { process } from './b.ts'"),
    innocent('export const a = { process: 1, console: 2 }\nexport const b = a.process + a.console'),
    innocent('for (const self of [1]) self.toFixed()'),
    innocent('try {\n} catch (module) {\n  throw module\n}'),
    innocent('class Math2 {\n  fetch() {\n    return this.fetch\n  }\n}\nnew Math2()'),
    innocent('export interface Clock {\n  readonly process: (Date: number) => void\n}'),
    innocent('export function document() {}\ndocument()'),
    {
      what: 'outside the core',
      files: { 'src/engine/a.ts': 'export const now = Date.now() + Math.random() + process.pid' },
    },
    {
      what: 'a test of the core',
      files: { ...core(''), 'src/core/a.test.ts': 'setTimeout(() => console.log(Math.random(), Date.now()), 1)' },
    },
  ],
}
