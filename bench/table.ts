// Reports as a person reads them.
import { type Group, type Report, summarize, type Summary, type Unit } from './figures.ts'

const HEAD = ['samples', 'median', 'best', '× floor', 'at best', 'goal']
/** The goal is the only column of words. */
const NUMBERS = HEAD.length - 1

export function renderReport({ name, about, groups }: Report): string {
  const lines = groups.flatMap((group) => [[group.title, ...HEAD], ...rows(group), []])
  const widths = ['', ...HEAD].map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const rendered = lines.map((line) =>
    line
      .map((cell, column) => aligned(cell, column, widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  )
  return [name, ...about, '', ...rendered].map((line, index) => (index === 0 ? line : `  ${line}`.trimEnd())).join('\n')
}

/** Numbers to the right, so that their digits stand below each other. */
function aligned(cell: string, column: number, width: number): string {
  return column >= 1 && column <= NUMBERS ? cell.padStart(width) : cell.padEnd(width)
}

function rows(group: Group): string[][] {
  return summarize(group).map((summary) => cells(summary, group.unit))
}

function cells({ name, samples, median, best, ratio, ratioOfBests, goal }: Summary, unit: Unit): string[] {
  return [
    `  ${name}`,
    String(samples),
    quantity(median, unit),
    quantity(best, unit),
    ratio?.toFixed(2) ?? 'floor',
    ratioOfBests?.toFixed(2) ?? '',
    goal === null ? '' : `${goal.bound} ${goal.ratio}: ${goal.met ? 'met' : 'missed'}`,
  ]
}

function quantity(value: number, unit: Unit): string {
  if (unit === '/s') return `${shown(Math.round(value))}/s`
  if (unit === 'runs') return `${value} runs`
  return `${value.toFixed(value < 1 ? 3 : 1)} ${unit}`
}

/** 10,000 */
export function shown(count: number): string {
  return count.toLocaleString('en')
}
