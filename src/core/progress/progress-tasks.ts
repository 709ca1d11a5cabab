// The task list of a progress file: `### Phase`, then `- [ ] Title` or `- [x] Title`. The lines indented below a task,
// further boxes included, are its detail. progress-ids.ts gives each task its id.
import type { TaskId } from '../values/id.ts'
import { escapeStructure, headingOf, isBlank, type Line, unescapeStructure } from '../values/markdown-lines.ts'
import { idsOf, splitLabel, type LabelAndTitle, withLabel } from './progress-ids.ts'
import type { Section } from './progress-outline.ts'

export interface ProgressTask {
  readonly id: TaskId
  readonly title: string
  /** Null for a task above the first phase. */
  readonly phase: string | null
  readonly checked: boolean
  readonly detail: string
}

interface PlacedTask {
  readonly task: ProgressTask
  /** The offset of the character between the brackets. */
  readonly box: number
}

/** In columns; one space more or less is no nesting. */
const DETAIL_INDENT = 2

interface Found extends LabelAndTitle {
  readonly phase: string | null
  readonly checked: boolean
  readonly box: number
  readonly indent: number
  readonly detail: string[]
}

export function tasksIn(section: Section | undefined): readonly PlacedTask[] {
  const found = foundIn(section?.lines ?? [])
  const ids = idsOf(found)
  return found.flatMap(({ title, phase, checked, box, detail }, at) => {
    const id = ids[at]
    return id === undefined ? [] : [{ task: { id, title, phase, checked, detail: withoutBlankEnds(detail) }, box }]
  })
}

function foundIn(lines: readonly Line[]): Found[] {
  const found: Found[] = []
  let phase: string | null = null
  let isInDetail = false
  for (const [at, line] of lines.entries()) {
    const above = found.at(-1)
    const heading = headingOf(line)
    const goesOn = isBlank(line) || (line.kind === 'quoted' && lines[at - 1]?.kind === 'quoted')
    if (!goesOn) isInDetail &&= above !== undefined && indentOf(line.text) >= above.indent + DETAIL_INDENT
    if (isInDetail) above?.detail.push(unescapeStructure(dedent(line.text, above.indent + DETAIL_INDENT), line.kind))
    else if (heading?.level === 3) phase = heading.text || null
    else {
      const task = taskOn(line, phase)
      if (task === null) continue
      found.push(task)
      isInDetail = true
    }
  }
  return found
}

function taskOn(line: Line, phase: string | null): Found | null {
  if (line.kind === 'quoted') return null
  const [, mark, text] = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+(\S[^]*)$/.exec(line.text) ?? []
  if (mark === undefined || text === undefined) return null
  const box = line.start + line.text.indexOf('[') + 1
  return { ...splitLabel(text.trim()), phase, checked: mark !== ' ', box, indent: indentOf(line.text), detail: [] }
}

/**
 * The text of the Tasks section. Tasks without a phase come first: below the heading of a phase they would belong to
 * it.
 */
export function renderTaskList(tasks: readonly ProgressTask[]): string {
  const ordered = [...tasks.filter((task) => !task.phase), ...tasks.filter((task) => task.phase)]
  const lines = ordered.flatMap((task, at) => {
    const isNewPhase = task.phase && task.phase !== ordered[at - 1]?.phase
    return [...(isNewPhase ? ['', `### ${oneLine(task.phase)}`, ''] : []), renderTask(task)]
  })
  return lines.join('\n').replace(/^\n/, '')
}

function renderTask({ id, title, checked, detail }: ProgressTask): string {
  const below = escapeStructure(withoutBlankEnds(detail.split(/\r?\n/)), 'kept')
  const indented = below.split('\n').map((line) => (line === '' ? '' : `  ${line}`))
  const lines = [`- [${checked ? 'x' : ' '}] ${withLabel(id, oneLine(title))}`, ...(below === '' ? [] : indented)]
  return lines.join('\n')
}

export function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').trim()
}

function indentOf(text: string): number {
  return columnsOf(/^[ \t]*/.exec(text)?.[0] ?? '')
}

function dedent(text: string, columns: number): string {
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
