// The log of a progress file: the recent attempts, and a row for every iteration.
//
// An attempt is a `###` block. Where people or agents wrote bullets instead, each bullet above the first block is one.
import { escapeStructure, headingOf, type Line } from '../values/markdown-lines.ts'
import { type Section, textOf } from './progress-outline.ts'
import { oneLine } from './progress-tasks.ts'

interface PlacedAttempt {
  readonly text: string
  readonly start: number
}

export interface IterationRow {
  readonly iteration: number
  readonly started: string
  readonly duration: string
  readonly tasksCompleted: string
  readonly notes: string
}

const TABLE_HEAD: readonly string[] = [
  '| Iteration | Started | Duration | Tasks Completed | Notes |',
  '|-----------|---------|----------|-----------------|-------|',
]

export function attemptsIn(section: Section | undefined): readonly PlacedAttempt[] {
  const entries: { first: string; start: number; below: Line[]; isBullet: boolean }[] = []
  for (const line of section?.lines ?? []) {
    const heading = headingOf(line)
    const bullet = line.kind === 'quoted' ? undefined : /^(?:[-*+]|\d{1,9}[.)])[ \t]+(\S[^]*)$/.exec(line.text)?.[1]
    const isAmongBullets = entries.at(-1)?.isBullet ?? true
    if (heading?.level === 3) entries.push({ first: heading.text, start: line.start, below: [], isBullet: false })
    else if (bullet !== undefined && isAmongBullets)
      entries.push({ first: bullet.trim(), start: line.start, below: [], isBullet: true })
    else entries.at(-1)?.below.push(line)
  }
  return entries.map(({ first, start, below, isBullet }) => {
    const lines = isBullet ? below.map((line) => ({ ...line, text: line.text.replace(/^ {1,2}/, '') })) : below
    return { text: [first, textOf(lines)].filter((part) => part !== '').join('\n'), start }
  })
}

/** The first line becomes the heading; blank lines below it are dropped. */
export function renderAttempt(text: string, fences: 'kept' | 'escaped'): string {
  const [first = '', ...rest] = text.trim().split(/\r?\n/)
  const detail = escapeStructure(rest.join('\n').replace(/^\s*\n/, ''), fences)
  return `### ${first.trim()}${detail === '' ? '' : `\n\n${detail}`}`
}

/** Bullets, with or without a box. */
export function itemsIn(section: Section | undefined): readonly string[] {
  return (section?.lines ?? []).flatMap((line) => itemOn(line) ?? [])
}

/** The lines of the bullets, with the lines indented below them. */
export function itemLines(section: Section | undefined): readonly Line[] {
  const own: Line[] = []
  for (const line of section?.lines ?? []) {
    const goesOn = own.at(-1)?.next === line.start && /^[ \t]+\S/.test(line.text)
    if (goesOn || itemOn(line) !== null) own.push(line)
  }
  return own
}

function itemOn(line: Line): string | null {
  const item = /^[-*+][ \t]+(?:\[[ xX]\][ \t]+)?(\S[^]*)$/.exec(line.text)?.[1]
  return item === undefined || line.kind === 'quoted' ? null : item.trim()
}

export function renderItems(items: readonly string[]): string {
  const lines = items.map(oneLine).filter((item) => item !== '')
  return lines.map((item) => `- [x] ${item}`).join('\n')
}

interface IterationTable {
  readonly rows: readonly IterationRow[]
  readonly lastLine: Line
}

/** The first table of the section; ignores rows that do not start with a number. */
export function tableIn(section: Section | undefined): IterationTable | null {
  const lines = section?.lines ?? []
  const isRow = (line: Line | undefined): boolean => line?.kind === 'plain' && line.text.trimStart().startsWith('|')
  const ruler = lines.findIndex(
    (line, at) => isRow(line) && isRow(lines[at - 1]) && line.text.includes('-') && /^[\s|:-]*$/.test(line.text),
  )
  if (ruler === -1) return null
  const after = lines.findIndex((line, at) => at > ruler && !isRow(line))
  const table = lines.slice(ruler, after === -1 ? undefined : after)
  const lastLine = table.at(-1)
  return lastLine === undefined ? null : { rows: table.slice(1).flatMap(rowOn), lastLine }
}

export function renderTable(rows: readonly IterationRow[]): string {
  return [...TABLE_HEAD, ...rows.map(renderRow)].join('\n')
}

export function renderRow(row: IterationRow): string {
  const cells = [String(row.iteration), row.started, row.duration, row.tasksCompleted, row.notes]
  return `| ${cells.map((cell) => oneLine(cell).replace(/[\\|]/g, '\\$&')).join(' | ')} |`
}

function rowOn(line: Line): IterationRow[] {
  const [iteration = '', started = '', duration = '', tasksCompleted = '', notes = ''] = cellsOf(line.text.trim())
  if (!/^\d{1,15}$/.test(iteration)) return []
  return [{ iteration: Number(iteration), started, duration, tasksCompleted, notes }]
}

/** The cells between `|` and `|`; in a cell `\|` is a bar and `\\` a backslash. */
function cellsOf(row: string): string[] {
  const cells: string[] = []
  let cell = ''
  for (const [piece] of row.slice(1).matchAll(/\\[\\|]|[|]|[^\\|]+|\\/g)) {
    if (piece === '|') cells.push(cell.trim())
    cell = piece === '|' ? '' : cell + (/^\\./.test(piece) ? piece.slice(1) : piece)
  }
  return [...cells, cell.trim()]
}
