// The task list of a progress file: `### Phase`, then `- [ ] Title` or `- [x] Title`.
//
// What is indented below a task, further boxes included, is its detail. A task's id is, in this order:
//   - what stands in `{#id}` at the end of the line, which is how Ralph itself writes an id that the title does not give;
//   - a label before the title that looks like an id, having a digit: `T1: …`, `[T1] …`, `**T1**: …` or `T1` in backticks
//     with a colon; `[WIP]`, `Docs:` and the priorities P0 … P9 are no ids;
//   - else the title's words in lower case, joined by `-`.
// A second task with the same id gets `-2` behind it, a third `-3`.
import { type TaskId, taskId } from './id.ts'
import { escaped, headingOf, isBlank, type Line, unescaped } from './markdown-lines.ts'
import type { Section } from './progress-outline.ts'
import { cutToLength } from './text-bounds.ts'

export interface ProgressTask {
  readonly id: TaskId
  readonly title: string
  /** Null for a task above the first phase. */
  readonly phase: string | null
  readonly checked: boolean
  readonly detail: string
}

export interface PlacedTask extends ProgressTask {
  /** Where in the file the character between the brackets is. */
  readonly box: number
}

interface TaskLine extends Omit<PlacedTask, 'id'> {
  readonly label: TaskId | null
}

const SLUG_LENGTH_MAX = 60
/** Leaves room for `-` and a number within the 128 characters of an id. */
const STEM_LENGTH_MAX = 112

export function tasksIn(section: Section | undefined): readonly PlacedTask[] {
  return identified(taskLines(section?.lines ?? []))
}

function taskLines(lines: readonly Line[]): TaskLine[] {
  const found: { task: TaskLine; indent: number; detail: string[] }[] = []
  let phase: string | null = null
  let isInDetail = false
  for (const [at, line] of lines.entries()) {
    const heading = headingOf(line)
    const current = found.at(-1)
    const goesOn = isBlank(line) || (line.kind === 'quoted' && lines[at - 1]?.kind === 'quoted')
    if (!goesOn) isInDetail = current !== undefined && isInDetail && indentOf(line.text) > current.indent
    if (isInDetail) current?.detail.push(unescaped(dedented(line.text, current.indent + 2), line.kind))
    else if (heading?.level === 3) phase = heading.text || null
    else {
      const task = taskOn(line, phase)
      if (task === null) continue
      found.push({ task, indent: indentOf(line.text), detail: [] })
      isInDetail = true
    }
  }
  return found.map(({ task, detail }) => ({ ...task, detail: withoutBlankEnds(detail) }))
}

function taskOn(line: Line, phase: string | null): TaskLine | null {
  if (line.kind === 'quoted') return null
  const [, box, text] = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+(\S[^]*)$/.exec(line.text) ?? []
  if (box === undefined || text === undefined) return null
  const { label, title } = labelled(text.trim())
  return { label, title, phase, checked: box !== ' ', detail: '', box: line.start + line.text.indexOf('[') + 1 }
}

const wordsBefore =
  /^(?:\*\*([^\s*:]+)(?:\*\*:|:\*\*)|`([^\s`]+)`:|\[([^\s\]]+)\]:?|([^\s:*`[]+):)[ \t]+(\S[^]*)$/
const likeId = /^(?!P\d$)(?=.*\d)[\p{L}\p{N}][\p{L}\p{N}._/#-]*$/u

function labelled(text: string): { label: TaskId | null; title: string } {
  const last = text.lastIndexOf(' ')
  const anchor = text.slice(last + 1)
  const own = last > 0 && anchor.startsWith('{#') && anchor.endsWith('}') ? validId(anchor.slice(2, -1)) : null
  if (own !== null) return { label: own, title: text.slice(0, last).trim() }
  const [, bold, code, bracketed, bare, title] = wordsBefore.exec(text) ?? []
  const word = bold ?? code ?? bracketed ?? bare ?? ''
  const label = title !== undefined && likeId.test(word) ? validId(word) : null
  return label === null || title === undefined ? { label: null, title: text } : { label, title }
}

function identified(lines: readonly TaskLine[]): PlacedTask[] {
  // An id that somebody wrote goes before one that is derived, wherever it stands.
  const bearers = new Map<TaskId, TaskLine>()
  for (const line of lines) if (line.label !== null && !bearers.has(line.label)) bearers.set(line.label, line)
  const taken = new Set<string>(bearers.keys())
  const counts = new Map<string, number>()
  return lines.map(({ label, ...task }, at) => {
    if (label !== null && bearers.get(label) === lines[at]) return { id: label, ...task }
    const stem = label ?? slug(task.title)
    let count = counts.get(stem) ?? 1
    let id = stem
    while (taken.has(id)) id = `${cutToLength(stem, STEM_LENGTH_MAX)}-${(count += 1)}`
    counts.set(stem, count)
    taken.add(id)
    return { id: taskId(id), ...task }
  })
}

function slug(title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  return cutToLength(words.replace(/^-/, ''), SLUG_LENGTH_MAX).replace(/-$/, '') || 'task'
}

function validId(text: string): TaskId | null {
  try {
    return taskId(text)
  } catch {
    return null
  }
}

/** The Tasks section's text. Tasks without a phase come first: below a phase's heading they would belong to it. */
export function renderTaskList(tasks: readonly ProgressTask[]): string {
  const ordered = [...tasks.filter((task) => !task.phase), ...tasks.filter((task) => task.phase)]
  const lines = ordered.flatMap((task, at) => {
    const isNewPhase = task.phase && task.phase !== ordered[at - 1]?.phase
    return [...(isNewPhase ? ['', `### ${oneLine(task.phase)}`, ''] : []), renderTask(task)]
  })
  return lines.join('\n').replace(/^\n/, '')
}

function renderTask({ id, title, checked, detail }: ProgressTask): string {
  const line = oneLine(title)
  const speaksForItself = labelled(line).label === null && slug(line) === id
  const below = escaped(withoutBlankEnds(detail.split(/\r?\n/)), 'kept').replace(/\n(?=[^\n])/g, '\n  ')
  return `- [${checked ? 'x' : ' '}] ${line}${speaksForItself ? '' : ` {#${id}}`}${below === '' ? '' : `\n  ${below}`}`
}

export function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').trim()
}

function indentOf(text: string): number {
  return columnsOf(/^[ \t]*/.exec(text)?.[0] ?? '')
}

function dedented(text: string, columns: number): string {
  const margin = /^[ \t]*/.exec(text.slice(0, columns))?.[0] ?? ''
  let at = 0
  for (let column = 0; at < margin.length && column < columns; at += 1) column += columnsOf(margin[at] ?? '')
  return text.slice(at)
}

/** A tab counts as four columns. */
function columnsOf(margin: string): number {
  return margin.length + 3 * (margin.split('\t').length - 1)
}

function withoutBlankEnds(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line.trim() !== '')
  return first === -1 ? '' : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1).join('\n')
}
