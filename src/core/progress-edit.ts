// Edits of a progress file that exists. Each takes the file's text and gives the new one, and changes its own bytes only:
// line endings, unknown sections, comments and everything a person wrote stay as they are.
import type { TaskId } from './id.ts'
import { escaped, trimmed } from './markdown-lines.ts'
import { renderStatus, statusLines } from './progress-file.ts'
import { attemptsIn, type IterationRow, renderAttempt, renderItems, renderRow, renderTable, tableIn } from './progress-log.ts'
import { type Outline, outlineOf, type SectionName, SECTIONS } from './progress-outline.ts'
import { tasksIn } from './progress-tasks.ts'

export const ATTEMPTS_KEPT_DEFAULT = 5

/** A task that is no longer in the file changes nothing. */
export function checkTask(text: string, id: TaskId): string {
  return withBox(text, id, 'x')
}

export function uncheckTask(text: string, id: TaskId): string {
  return withBox(text, id, ' ')
}

function withBox(text: string, id: TaskId, box: 'x' | ' '): string {
  const task = tasksIn(outlineOf(text).sections.get('Tasks')).find((each) => each.id === id)
  if (task === undefined || task.checked === (box === 'x')) return text
  return spliced(text, task.box, task.box + 1, box)
}

/** Sets the first paragraph of the section; an empty status changes nothing. */
export function setStatus(text: string, status: string): string {
  const file = outlineOf(text)
  const paragraph = statusLines(file.sections.get('Status'))
  const [first, last] = [paragraph[0], paragraph.at(-1)]
  const rendered = renderStatus(status)
  if (rendered === '') return text
  if (first === undefined || last === undefined) return withBlock(file, 'Status', rendered)
  return spliced(text, first.start, last.end, inFile(file, rendered))
}

export function setAnalysis(text: string, analysis: string): string {
  const file = outlineOf(text)
  return withBody(file, 'Analysis', escaped(analysis.replace(/^\s*\n/, '').trimEnd(), fencesFor(file)))
}

export function setCompletedThisIteration(text: string, titles: readonly string[]): string {
  return withBody(outlineOf(text), 'Completed This Iteration', renderItems(titles))
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
  return spliced(text, oldest.start, kept?.start ?? trimmed(section.lines).at(-1)?.next ?? section.end, '')
}

export function appendIteration(text: string, row: IterationRow): string {
  const file = outlineOf(text)
  const table = tableIn(file.sections.get('Iteration Log'))
  if (table === null) return withBlock(file, 'Iteration Log', renderTable([row]))
  return spliced(text, table.lastLine.end, table.lastLine.end, file.eol + inFile(file, renderRow(row)))
}

/** The section with this body in place of its own. */
function withBody(file: Outline, name: SectionName, body: string): string {
  const section = file.sections.get(name)
  const core = trimmed(section?.lines ?? [])
  const [first, last] = [core[0], core.at(-1)]
  if (section === undefined || first === undefined || last === undefined) return withBlock(file, name, body)
  if (body !== '') return spliced(file.text, first.start, last.end, inFile(file, body))
  return spliced(file.text, section.heading.next, section.end, section.end === file.text.length ? '' : file.eol)
}

/** The section with this block at its end; a section that is missing is added. */
function withBlock(file: Outline, name: SectionName, block: string): string {
  const { text, eol } = file
  const section = file.sections.get(name)
  if (block === '') return text
  if (section === undefined) return withSection(file, name, block)
  const last = trimmed(section.lines).at(-1)
  if (last !== undefined) return spliced(text, last.end, last.end, eol + eol + inFile(file, block))
  const { end: headingEnd } = section.heading
  const isLast = section.end === text.length
  return spliced(text, headingEnd, section.end, eol + eol + inFile(file, block) + eol + (isLast ? '' : eol))
}

/** A missing section goes before the first that follows it in the canonical order, else to the end of the file. */
function withSection(file: Outline, name: SectionName, body: string): string {
  const { text, eol } = file
  const rank = SECTIONS.indexOf(name)
  const placed = [...file.sections].map(([each, { heading }]) => ({ rank: SECTIONS.indexOf(each), at: heading.start }))
  const lastEarlier = placed.findLast((each) => each.rank < rank)?.at ?? -1
  const next = placed.find((each) => each.rank > rank && each.at > lastEarlier)?.at
  const section = `## ${name}${eol}${eol}${inFile(file, body)}${eol}`
  if (next !== undefined) return spliced(text, next, next, section + eol)
  const gap = text === '' || /\n\r?\n$/.test(text) ? '' : text.endsWith('\n') ? eol : eol + eol
  return text + gap + section
}

function fencesFor(file: Outline): 'kept' | 'escaped' {
  return file.hasStray ? 'escaped' : 'kept'
}

/** In the file's line endings, and unable to end a comment that somebody left open. */
function inFile(file: Outline, body: string): string {
  const lines = body.split('\n').join(file.eol)
  return file.hasStray ? lines.replaceAll('-->', '--&gt;') : lines
}

function spliced(text: string, start: number, end: number, insert: string): string {
  return text.slice(0, start) + insert + text.slice(end)
}
