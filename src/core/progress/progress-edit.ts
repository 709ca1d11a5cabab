// Edits of an existing progress file. Each takes the text of the file and returns the new one, and changes only its own
// bytes: line endings, unknown sections, comments and everything that a person wrote stay as they are.
import type { TaskId } from '../values/id.ts'
import { type Line, trimBlankLines } from '../values/markdown-lines.ts'
import { renderProse, renderStatus, statusLines } from './progress-file.ts'
import {
  attemptsIn,
  itemLines,
  type IterationRow,
  renderAttempt,
  renderItems,
  renderRow,
  renderTable,
  tableIn,
} from './progress-log.ts'
import { type Outline, outlineOf, type SectionName, SECTIONS } from './progress-outline.ts'
import { tasksIn } from './progress-tasks.ts'

export const ATTEMPTS_KEPT_DEFAULT = 5

/** Changes nothing if the file does not have the task any more. */
export function checkTask(text: string, id: TaskId): string {
  return withBox(text, id, 'x')
}

export function uncheckTask(text: string, id: TaskId): string {
  return withBox(text, id, ' ')
}

function withBox(text: string, id: TaskId, box: 'x' | ' '): string {
  const placed = tasksIn(outlineOf(text).sections.get('Tasks')).find(({ task }) => task.id === id)
  if (placed === undefined || placed.task.checked === (box === 'x')) return text
  return splice(text, placed.box, placed.box + 1, box)
}

/** Sets the first paragraph of the section; an empty status changes nothing. */
export function setStatus(text: string, status: string): string {
  const file = outlineOf(text)
  return withLines(file, 'Status', statusLines(file.sections.get('Status')), renderStatus(status))
}

/** Sets the section's whole text; an empty analysis changes nothing. */
export function setAnalysis(text: string, analysis: string): string {
  const file = outlineOf(text)
  const lines = trimBlankLines(file.sections.get('Analysis')?.lines ?? [])
  return withLines(file, 'Analysis', lines, renderProse(analysis, fencesFor(file)))
}

/** Replaces the bullets of the section. */
export function setCompletedThisIteration(text: string, titles: readonly string[]): string {
  const file = outlineOf(text)
  const items = renderItems(titles)
  const own = itemLines(file.sections.get('Completed This Iteration'))
  const [first, last] = [own[0], own.at(-1)]
  if (first === undefined || last === undefined) return withBlock(file, 'Completed This Iteration', items)
  const without = own.reduceRight((rest, line) => splice(rest, line.start, line.next, ''), text)
  const ending = text.slice(last.end, last.next) || (first.start < without.length ? file.eol : '')
  return splice(without, first.start, first.start, items === '' ? '' : inFile(file, items) + ending)
}

/** Adds an attempt at the end and drops the oldest, so that at most `keep` remain, at least the new one. */
export function appendAttempt(text: string, attempt: string, keep = ATTEMPTS_KEPT_DEFAULT): string {
  if (attempt.trim() === '') return text
  const file = outlineOf(withoutOldAttempts(text, Math.max(keep, 1) - 1))
  return withBlock(file, 'Recent Attempts', renderAttempt(attempt, fencesFor(file)))
}

function withoutOldAttempts(text: string, keep: number): string {
  const section = outlineOf(text).sections.get('Recent Attempts')
  const attempts = attemptsIn(section)
  const [oldest, kept] = [attempts[0], attempts[Math.max(attempts.length - keep, 0)]]
  if (section === undefined || oldest === undefined || oldest === kept) return text
  return splice(text, oldest.start, kept?.start ?? trimBlankLines(section.lines).at(-1)?.next ?? section.end, '')
}

export function appendIteration(text: string, row: IterationRow): string {
  const file = outlineOf(text)
  const table = tableIn(file.sections.get('Iteration Log'))
  if (table === null) return withBlock(file, 'Iteration Log', renderTable([row]))
  return splice(text, table.lastLine.end, table.lastLine.end, file.eol + inFile(file, renderRow(row)))
}

/** Replaces these lines of the section with the block; appends it where there are none. */
function withLines(file: Outline, name: SectionName, lines: readonly Line[], block: string): string {
  const [first, last] = [lines[0], lines.at(-1)]
  if (block === '' || first === undefined || last === undefined) return withBlock(file, name, block)
  return splice(file.text, first.start, last.end, inFile(file, block))
}

/** Appends the block to the section; adds a missing section. */
function withBlock(file: Outline, name: SectionName, block: string): string {
  const { text, eol } = file
  const section = file.sections.get(name)
  if (block === '') return text
  if (section === undefined) return withSection(file, name, block)
  const last = trimBlankLines(section.lines).at(-1)
  if (last !== undefined) return splice(text, last.end, last.end, eol + eol + inFile(file, block))
  const gap = section.end === text.length ? '' : eol
  return splice(text, section.heading.end, section.end, eol + eol + inFile(file, block) + eol + gap)
}

/** A missing section goes before the first that follows it in the canonical order, else to the end of the file. */
function withSection(file: Outline, name: SectionName, body: string): string {
  const { text, eol } = file
  const rank = SECTIONS.indexOf(name)
  const placed = [...file.sections].map(([each, { heading }]) => ({ rank: SECTIONS.indexOf(each), at: heading.start }))
  const lastEarlier = placed.findLast((each) => each.rank < rank)?.at ?? -1
  const next = placed.find((each) => each.rank > rank && each.at > lastEarlier)?.at
  const section = `## ${name}${eol}${eol}${inFile(file, body)}${eol}`
  if (next !== undefined) return splice(text, next, next, section + eol)
  const gap = text === '' || /\n\r?\n$/.test(text) ? '' : text.endsWith('\n') ? eol : eol + eol
  return text + gap + section
}

function fencesFor(file: Outline): 'kept' | 'escaped' {
  return file.hasStray ? 'escaped' : 'kept'
}

/** Uses the line endings of the file, and cannot close a comment that somebody left open. */
function inFile(file: Outline, body: string): string {
  const lines = body.split('\n').join(file.eol)
  return file.hasStray ? lines.replaceAll('-->', '--&gt;') : lines
}

function splice(text: string, start: number, end: number, insert: string): string {
  return text.slice(0, start) + insert + text.slice(end)
}
