import type { Cases } from '../cases.ts'

const planted = (source: string) => ({ what: source, files: { 'src/core/a.ts': source }, found: ['src/core/a.ts:1'] })
const innocent = (source: string) => ({ what: source, files: { 'src/core/a.ts': source } })

export const textCases: Cases = {
  planted: [
    planted('// TODO'),
    planted('//FIXME later'),
    planted('// XXX why'),
    planted('const a = 1 // the limit; TODO: make it a setting'),
    planted('/**\n * Sorts.\n * TODO(someone) quicker\n */'),
    planted('// Previously this was a list'),
    planted('/* formerly in task.ts */'),
    planted('// Added in v1.2'),
    planted('// renamed on 2026-01-31'),
    planted('// Fixed in #12'),
    planted('/** @since 0.2 */'),
    planted('/**\n * Sorts.\n * @author somebody\n */'),
  ],
  innocent: [
    innocent('// Counts the TODO comments that an agent leaves behind.'),
    innocent("export const status = 'TODO: later'"),
    innocent("export const status = 'todo' // todo: the word of the page for open"),
    innocent('// Whoever held the lease can no longer write; it was removed from the list.'),
    innocent('// Added by hand, never by an agent. Changed on disk means changed for good.'),
    innocent('// 2026-01-31 12:00:00 is how a time is shown.'),
  ],
}
