// The progress file: the plan for a person and an agent to read and edit. The store is the truth; the file is its
// rendering, and an import where somebody edited it. progress-edit.ts changes an existing file.
import { refuse } from '../error/error.ts'
import { escapeStructure, isBlank, type Line } from '../values/markdown-lines.ts'
import {
  attemptsIn,
  type IterationRow,
  itemsIn,
  renderAttempt,
  renderItems,
  renderTable,
  tableIn,
} from './progress-log.ts'
import { outlineOf, type Section, type SectionName, SECTIONS, textOf } from './progress-outline.ts'
import { oneLine, type ProgressTask, renderTaskList, tasksIn } from './progress-tasks.ts'

export interface ProgressContent {
  readonly name: string
  /** The first paragraph of its section; the text below it is somebody's note. */
  readonly status: string
  readonly analysis: string
  readonly tasks: readonly ProgressTask[]
  readonly testingStrategy: string
  readonly completedThisIteration: readonly string[]
  /** Oldest first: the first line is the summary, the others are details. */
  readonly recentAttempts: readonly string[]
  readonly iterationLog: readonly IterationRow[]
}

export interface ProgressFile extends ProgressContent {
  /** RALPH_DONE stands alone on a line of the Status section: somebody claims that everything is done. */
  readonly saysDone: boolean
  /** The sections of the file, in their order. */
  readonly sections: readonly SectionName[]
}

export const DONE_MARKER = 'RALPH_DONE'

/** Refuses a text without a `# Progress:` heading; ignores anything else that is odd. */
export function parseProgressFile(text: string): ProgressFile {
  const { name, sections } = outlineOf(text)
  if (name === null)
    throw refuse('PROGRESS_FILE_BAD', {
      problem: "the progress file has no '# Progress: NAME' heading; put one on its first line",
    })
  const prose = (section: SectionName): string => textOf(sections.get(section)?.lines ?? [])
  return {
    name,
    status: textOf(statusLines(sections.get('Status'))),
    saysDone: (sections.get('Status')?.lines ?? []).some(isDoneMarker),
    analysis: prose('Analysis'),
    tasks: tasksIn(sections.get('Tasks')).map(({ task }) => task),
    testingStrategy: prose('Testing Strategy'),
    completedThisIteration: itemsIn(sections.get('Completed This Iteration')),
    recentAttempts: attemptsIn(sections.get('Recent Attempts')).map(({ text: attempt }) => attempt),
    iterationLog: tableIn(sections.get('Iteration Log'))?.rows ?? [],
    sections: [...sections.keys()],
  }
}

/** A new file from a plan. */
export function renderProgressFile(
  content: Partial<ProgressContent> & Pick<ProgressContent, 'name' | 'tasks'>,
): string {
  const bodies: Record<SectionName, string> = {
    Status: renderStatus(content.status ?? 'In Progress'),
    Analysis: renderProse(content.analysis ?? '', 'kept'),
    Tasks: renderTaskList(content.tasks),
    'Testing Strategy': renderProse(content.testingStrategy ?? '', 'kept'),
    'Completed This Iteration': renderItems(content.completedThisIteration ?? []),
    'Recent Attempts': (content.recentAttempts ?? []).map((attempt) => renderAttempt(attempt, 'kept')).join('\n\n'),
    'Iteration Log': renderTable(content.iterationLog ?? []),
  }
  const sections = SECTIONS.map((name) => (bodies[name] === '' ? `## ${name}` : `## ${name}\n\n${bodies[name]}`))
  return `${[`# Progress: ${oneLine(content.name)}`, ...sections].join('\n\n')}\n`
}

/** One paragraph: blank lines are left out. */
export function renderStatus(status: string): string {
  const lines = status.split(/\r?\n/).filter((line) => line.trim() !== '')
  return escapeStructure(lines.join('\n'), 'escaped')
}

/** The first paragraph that is not quoted. */
export function statusLines(section: Section | undefined): readonly Line[] {
  const lines = section?.lines ?? []
  const isText = (line: Line): boolean => !isBlank(line) && line.kind !== 'quoted'
  const first = lines.findIndex(isText)
  const after = lines.findIndex((line, at) => at > first && !isText(line))
  return first === -1 ? [] : lines.slice(first, after === -1 ? undefined : after)
}

function isDoneMarker(line: Line): boolean {
  return line.kind === 'plain' && line.text.trim() === DONE_MARKER
}

/** Without blank lines around it. */
export function renderProse(text: string, fences: 'kept' | 'escaped'): string {
  return escapeStructure(text.replace(/^\s*\n/, '').trimEnd(), fences)
}
