// A checklist (`fix_plan.md`, `IMPLEMENTATION_PLAN.md`): every box that is not inside another one is a task. Boxes
// below it are its steps, other text below it its description. A checked box is finished work.
import { refuse } from '../error/error.ts'
import { markdownLines } from '../values/markdown-lines.ts'
import type { ListedTask } from './plan-placement.ts'
import { type ProgressTask, tasksIn } from '../progress/progress-tasks.ts'
import { cutToLength } from '../values/text-bounds.ts'

/** A line of a list may be a whole paragraph. */
const TITLE_LENGTH_MAX = 120

export function tasksOfChecklist(text: string, name: string): ListedTask[] {
  const lines = markdownLines(text)
  const [first] = lines
  const placed = first === undefined ? [] : tasksIn({ heading: first, lines, end: text.length })
  if (placed.length === 0) throw refuse('PLAN_BAD', { problem: `${name} lists no tasks; add lines like '- [ ] Title'` })
  return placed.map(({ task, box }, place) => toListedTask(task, place, lines.findIndex(({ next }) => next > box) + 1))
}

/** The place in the list is the priority: moving a line changes what is done next. */
function toListedTask(task: ProgressTask, place: number, line: number): ListedTask {
  const { id, checked } = task
  const { steps, text } = parts(task.detail)
  const isLong = task.title.length > TITLE_LENGTH_MAX
  const title = isLong ? `${cutToLength(task.title, TITLE_LENGTH_MAX - 1).trimEnd()}…` : task.title
  const description = [...(isLong ? [task.title] : []), ...(text === '' ? [] : [text])].join('\n\n')
  return {
    id,
    text: { title, description: description === '' ? null : description, steps, priority: place },
    deps: [],
    line,
    checked,
  }
}

function parts(detail: string): { readonly steps: readonly string[]; readonly text: string } {
  const steps: string[] = []
  const rest: string[] = []
  for (const line of markdownLines(detail)) {
    const [, mark, step] = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+(\S.*)$/.exec(line.text) ?? []
    if (line.kind === 'quoted' || step === undefined) rest.push(line.text)
    else if (mark === ' ') steps.push(step.trim())
  }
  return { steps, text: rest.join('\n').trim() }
}
