// Edits the task list in a file's text. Each edit changes only its own lines and is checked by reading the list again.
// An edit that would change what another line means, because lists are nested in an unusual way, is not made.
import type { TaskId } from '../../core/values/id.ts'
import { isBlank, type Line } from '../../core/values/markdown-lines.ts'
import { type Outline, outlineOf } from '../../core/progress/progress-outline.ts'
import { type ProgressTask, renderTaskList, tasksIn } from '../../core/progress/progress-tasks.ts'

/** Adds an open task after the named one, or at the end of its phase; a new phase goes to the end of the list. */
export function addTask(text: string, task: ProgressTask, after: TaskId | null): string {
  const file = outlineOf(text)
  const listed = tasksIn(file.sections.get('Tasks')).map((placed) => placed.task)
  const inPhase = listed.filter(({ phase }) => phase === task.phase)
  const named = inPhase.find(({ id }) => id === after)
  const before = named ?? inPhase.at(-1) ?? listed.at(-1)
  const place = before === undefined ? null : placeOf(file, before.id)
  if (place === null || before === undefined) return text
  const heading = before.phase === task.phase || task.phase === null ? '' : `\n\n### ${task.phase}\n`
  const lines = inFile(file, `${heading}\n${taskLines({ ...task, checked: false }, place.margin)}`)
  const added = text.slice(0, place.end) + lines + text.slice(place.end)
  const at = listed.indexOf(before) + 1
  const phase = heading === '' ? before.phase : task.phase
  return ifListed(text, added, listed.toSpliced(at, 0, { ...task, checked: false, phase }))
}

/** Gives a task another title and detail; keeps its box and position. */
export function rewordTask(text: string, { id, title, detail }: ProgressTask): string {
  const file = outlineOf(text)
  const listed = tasksIn(file.sections.get('Tasks')).map((placed) => placed.task)
  const place = placeOf(file, id)
  if (place === null) return text
  const wanted = listed.map((task) => (task.id === id ? { ...task, title, detail } : task))
  const rendered = taskLines({ id, title, detail, phase: null, checked: false }, place.margin)
  const words = inFile(file, rendered.slice(rendered.indexOf(']') + 2))
  return ifListed(text, text.slice(0, place.words) + words + text.slice(place.end), wanted)
}

interface Place {
  readonly margin: string
  /** Where its title begins. */
  readonly words: number
  /** Where the last line that belongs to it ends. */
  readonly end: number
}

function placeOf(file: Outline, id: TaskId): Place | null {
  const section = file.sections.get('Tasks')
  const box = tasksIn(section).find(({ task }) => task.id === id)?.box
  const lines = section?.lines ?? []
  const at = lines.findIndex((line) => box !== undefined && line.start <= box && box < line.end)
  const own = lines[at]
  if (own === undefined || box === undefined) return null
  const margin = /^[ \t]*/.exec(own.text)?.[0] ?? ''
  let last = own
  for (const [index, line] of lines.entries()) {
    if (index <= at || isBlank(line)) continue
    if (!isBelow(line, lines[index - 1], margin)) break
    last = line
  }
  const words = box + 2 + (/^\s*/.exec(file.text.slice(box + 2, own.end))?.[0].length ?? 0)
  return { margin, words, end: last.end }
}

/** Indented by two more columns, or within a fence that is. */
function isBelow(line: Line, previous: Line | undefined, margin: string): boolean {
  if (line.kind === 'quoted' && previous?.kind === 'quoted') return true
  return columnsOf(/^[ \t]*/.exec(line.text)?.[0] ?? '') >= columnsOf(margin) + 2
}

/** A tab counts as four columns. */
function columnsOf(margin: string): number {
  return margin.replaceAll('\t', '    ').length
}

function taskLines(task: ProgressTask, margin: string): string {
  const lines = renderTaskList([{ ...task, phase: null }]).split('\n')
  return lines.map((line) => (line === '' ? '' : margin + line)).join('\n')
}

/** In the file's line endings, and unable to end a comment that somebody left open. */
function inFile(file: Outline, body: string): string {
  const lines = body.split('\n').join(file.eol)
  return file.hasStray ? lines.replaceAll('-->', '--&gt;') : lines
}

function ifListed(before: string, after: string, wanted: readonly ProgressTask[]): string {
  const listed = tasksIn(outlineOf(after).sections.get('Tasks')).map(({ task }) => task)
  return JSON.stringify(listed.map(inOrder)) === JSON.stringify(wanted.map(inOrder)) ? after : before
}

function inOrder({ id, title, phase, checked, detail }: ProgressTask): readonly unknown[] {
  return [id, title, phase, checked, detail]
}
