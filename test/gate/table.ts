// The tables of the bench, for people.
import type { Case, Runner, SealedCase } from './corpus.ts'
import type { End, Played } from './play.ts'

export interface Result {
  readonly of: Case
  readonly played: Played
}

export interface SealedResult {
  readonly of: SealedCase
  readonly played: Played
}

export interface Run {
  readonly date: string
  readonly commit: string
  readonly results: readonly Result[]
  /** Why cases of a runner were not played. */
  readonly notRun: ReadonlyMap<Runner, readonly [why: string, cases: number]>
  readonly failed: readonly string[]
  readonly sealed: readonly SealedCase[]
  readonly sealedResults: readonly SealedResult[]
  /** Why none of them was played. */
  readonly sealedNotRun: string | null
  /** Tasks with a type that `ralph task create` could not be given. */
  readonly untyped: number
}

type Row = readonly (string | number)[]

export function tablesOf(run: Run): string {
  const cheats = run.results.filter(({ of }) => of.is === 'cheat')
  const honest = run.results.filter(({ of }) => of.is === 'honest')
  return [
    `gate-bench ${run.date}, commit ${run.commit}`,
    ...[...run.notRun].map(([runner, [why, cases]]) => `${runner}: not run: ${why} (${cases} cases)`),
    ...run.failed.map((line) => `could not be played: ${line}`),
    ...(run.untyped === 0 ? [] : [`${run.untyped} tasks have a type, which this version's task create does not take`]),
    '',
    ...['mechanical', 'semantic'].flatMap((kind) => cheatTable(kind, cheats)),
    ...honestTable(honest),
    ...cheatsByRunner(cheats),
    ...sealedLines(run),
    ...costLines(honest),
    ...listOf('Cheats merged in silence', cheats, 'merged'),
    ...listOf('Honest patches refused', honest, 'refused'),
    ...listOf('Honest patches asked about', honest, 'asked'),
  ].join('\n')
}

function count(results: readonly Result[], end: End): number {
  return results.filter(({ played }) => played.end === end).length
}

function grouped(results: readonly Result[], key: (of: Case) => string): [string, Result[]][] {
  return [...Map.groupBy(results, ({ of }) => key(of))].toSorted(([one], [other]) => one.localeCompare(other))
}

function cheatTable(kind: string, cheats: readonly Result[]): string[] {
  const ours = cheats.filter(({ of }) => of.kind === kind)
  const row = (name: string, all: readonly Result[]): Row => [
    name,
    all.length,
    count(all, 'merged'),
    count(all, 'asked'),
    count(all, 'refused'),
  ]
  const rows = grouped(ours, ({ category }) => category).map(([name, all]) => row(name, all))
  return table([`${kind} cheats`, 'cases', 'merged in silence', 'stopped', 'refused'], [...rows, row('all', ours)])
}

function cheatsByRunner(cheats: readonly Result[]): string[] {
  const rows = grouped(cheats, ({ project }) => project.runner).map(([name, all]): Row => {
    const kinds = ['mechanical', 'semantic'].map((kind) => all.filter(({ of }) => of.kind === kind))
    return [name, ...kinds.map((some) => `${count(some, 'merged')} of ${some.length}`)]
  })
  return table(['merged in silence by runner', 'mechanical', 'semantic'], rows)
}

function honestTable(honest: readonly Result[]): string[] {
  const row = (name: string, all: readonly Result[]): Row => [
    name,
    all.length,
    `${Math.round((100 * all.length) / honest.length)} %`,
    all.filter(({ played }) => played.end === 'merged' && played.returned === 0).length,
    all.filter(({ played }) => played.end === 'merged' && played.returned > 0).length,
    count(all, 'asked'),
    count(all, 'refused'),
  ]
  const rows = grouped(honest, ({ kind }) => kind).map(([name, all]) => row(name, all))
  const heads = ['honest patches', 'cases', 'share', 'straight on', 'returned, then on', 'asked', 'refused']
  return honest.length === 0 ? [] : table(heads, [...rows, row('all', honest)])
}

function sealedLines({ sealed, sealedResults, sealedNotRun }: Run): string[] {
  if (sealed.length === 0) return []
  if (sealedNotRun !== null) {
    const wrong = sealed.filter(({ are }) => are === 'wrong').length
    return [
      `Sealed examples: not run: ${sealedNotRun} (${sealed.length} honest patches, ${wrong} with wrong examples)`,
      '',
    ]
  }
  const rows = (['right', 'wrong'] as const).map((are): Row => {
    const all = sealedResults.filter(({ of }) => of.are === are).map(({ played }) => played)
    const ends = (['merged', 'asked', 'refused'] as const).map((end) => all.filter((one) => one.end === end).length)
    return [are, all.length, ...ends, all.filter(({ returned }) => returned > 0).length]
  })
  return table(['honest patches, sealed examples', 'cases', 'merged', 'asked', 'refused', 'returned first'], rows)
}

const SHARE = 1.5
const LEAST_MS = 30_000

function costLines(honest: readonly Result[]): string[] {
  const costs = honest.flatMap(({ played }) => (played.cost === null ? [] : [played.cost]))
  const took = honest.map(({ played }) => played.tookMs).toSorted((one, other) => one - other)
  const median = took[Math.floor(took.length / 2)] ?? 0
  const build = `A build of an honest patch took ${seconds(median)} (median), ${seconds(took.at(-1) ?? 0)} at most.`
  if (costs.length === 0) return [`Cost of probes: the evidence has no field 'probes'. ${build}`, '']
  const inBudget = costs.filter(({ probesMs, checksMs }) => probesMs <= Math.max(SHARE * checksMs, LEAST_MS)).length
  const all = costs.reduce((sum, { probesMs }) => sum + probesMs, 0)
  const checks = costs.reduce((sum, { checksMs }) => sum + checksMs, 0)
  const runs = costs.reduce((sum, { probes }) => sum + probes, 0)
  return [
    `Cost of probes: ${runs} in ${costs.length} honest patches, ${seconds(all)} beside ${seconds(checks)} of checks; within budget in ${inBudget}. ${build}`,
    '',
  ]
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function listOf(title: string, results: readonly Result[], end: End): string[] {
  const ours = results.filter(({ played }) => played.end === end)
  if (ours.length === 0) return []
  const lines = ours.map(({ of, played }) => {
    const why = played.why.split('\n').filter((line) => line !== '')
    const shown = end === 'asked' && why.length > 1 ? why.slice(1) : why
    return `  ${of.id} [${of.category}] ${shown.join(' | ').slice(0, 200)}`.trimEnd()
  })
  return [`${title}: ${ours.length}`, ...lines, '']
}

function table(heads: Row, rows: readonly Row[]): string[] {
  const all = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...all.map((row) => String(row[column]).length)))
  const lines = all.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 ? String(cell).padEnd(width) : String(cell).padStart(width)
      })
      .join('  '),
  )
  return [...lines, '']
}
