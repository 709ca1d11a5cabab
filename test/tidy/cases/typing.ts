import type { Cases } from '../cases.ts'

const planted = (source: string, path = 'src/core/a.ts') => ({
  what: source,
  files: { [path]: source },
  found: [`${path}:1`],
})
const innocent = (source: string, path = 'src/core/a.ts') => ({ what: source, files: { [path]: source } })

export const typeEscapesCases: Cases = {
  planted: [
    planted('export const a: any = 1'),
    planted('export const a = 1 as any'),
    planted('export const a: Record<string, any[]> = {}'),
    planted('export const a: any = 1', 'test/cli/a.test.ts'),
    planted('export enum A {}'),
    planted('const enum A {}'),
    planted('// @ts-ignore'),
    planted('/* @ts-nocheck */'),
    planted('/**\n * @ts-ignore because\n */'),
  ],
  innocent: [
    innocent("// any number of them\nexport const a = 'any'"),
    innocent('export const any = (x: unknown) => x\nany(1)'),
    innocent('export const a = { any: 1, enum: 2 }'),
    innocent("// why not @ts-ignore: it hides too much\nexport const a = '// @ts-ignore'"),
    innocent('// @ts-expect-error: a number is no string\nexport const a: string = 1'),
    innocent('export const a = 1', 'bin/a.js'),
    innocent('any: any enum A {}', 'docs/a.md'),
  ],
}

export const booleanParametersCases: Cases = {
  planted: [
    planted('export function a(all: boolean) {}'),
    planted('export async function a(all?: boolean) {}'),
    planted('export function a(all = false) {}'),
    planted('export function a(all: boolean | undefined) {}'),
    planted('export function a(all: true | null) {}'),
    planted('export const a = (id: string, all: boolean) => id'),
    planted('export const a = function (all: (boolean)) {}'),
    planted('function a(all: boolean) {} export { a }'),
    planted('const a = (all: boolean) => all; export { a as b }'),
    planted('export class A { list(all: boolean) {} }'),
    planted('export class A { constructor(all: boolean) {} }'),
    planted('export interface A { list(all: boolean): void }'),
    planted('export function a(all: boolean): void', 'src/core/overload.ts'),
  ],
  innocent: [
    innocent('export function a(id: string): boolean { return id === "" }'),
    innocent('export function a({ all }: { all: boolean }) {}'),
    innocent('export function a(options: { readonly all?: boolean } = {}) {}'),
    innocent('export function a(each: (ok: boolean) => void) {}'),
    innocent('function a(all: boolean) {}\na(true)'),
    innocent('export const all: boolean = true'),
    innocent("export function a(which: 'all' | 'open') {}"),
    innocent('export interface A { readonly all: boolean; readonly done: (ok: boolean) => void }'),
    innocent('export class A { set all(value: boolean) {} }'),
    innocent('export function a(all: boolean) {}', 'src/core/a.test.ts'),
    innocent('export function a(all: boolean) {}', 'scripts/a.ts'),
  ],
}
