// A plan, for people and as JSON.
import { type PlanDiff, type PlanItem, renderDiff } from '../../core/plan/plan.ts'
import type { Draft } from '../../operations/plans/make-plan.ts'
import { count, firstLine, shownLines, shownText } from '../text/sanitize.ts'

export interface PlanOutput {
  /** The source of the plan. */
  readonly name: string
  readonly form: string
  readonly draft: Draft
  /** Null where nothing was written to the store. */
  readonly diff: PlanDiff | null
  readonly out: string | null
}

export function planText({ name, draft, diff }: PlanOutput): string {
  const { items, notes } = draft
  const width = String(items.length).length
  const tasks = items.map((item, at) => taskText(item, `${String(at + 1).padStart(width)}. `))
  const parts = [
    `Plan from ${firstLine(name)}: ${count(items.length, 'task')}\n`,
    ...(tasks.length === 0 ? [] : [tasks.join('')]),
    ...(notes.trim() === '' ? [] : [`Notes: ${shownLines(notes.trim()).join('\n       ')}\n`]),
    ...(diff === null ? [] : [`${renderDiff(diff)}\n`]),
  ]
  return parts.join('\n')
}

function taskText({ id, text, deps = [], examples = [] }: PlanItem, number: string): string {
  const { title, type, acceptance = [], steps = [], filesExpected = [] } = text
  const about = [
    ...(type == null ? [] : [type]),
    ...(deps.length === 0 ? [] : [`after ${deps.map(shownText).join(', ')}`]),
    ...(examples.length === 0 ? [] : [count(examples.length, 'sealed example')]),
  ]
  const margin = ' '.repeat(number.length)
  const lines = [
    ...acceptance.map((line) => `- ${firstLine(line)}`),
    ...steps.map((line) => `- [ ] ${firstLine(line)}`),
    ...(filesExpected.length === 0 ? [] : [`files: ${filesExpected.map(shownText).join(', ')}`]),
  ]
  const head = `${number}${shownText(id)}: ${firstLine(title)}${about.length === 0 ? '' : `  (${about.join(', ')})`}\n`
  return `${head}${lines.map((line) => `${margin}${line}\n`).join('')}`
}

/** The tasks have the form that a planner writes, so the output can be planned from again. */
export function planJson({ name, form, draft, diff, out }: PlanOutput): Record<string, unknown> {
  const ids = (tasks: PlanDiff['inserted']) => tasks.map(({ id }) => id)
  return {
    from: name,
    form,
    tasks: draft.items.map(taskJson),
    notes: draft.notes,
    renamed: draft.renamed,
    done_before: draft.doneBefore,
    checked_off: draft.checkedOff,
    out,
    ...(diff === null
      ? { written: null }
      : {
          written: {
            inserted: ids(diff.inserted),
            updated: ids(diff.updated),
            deleted: ids(diff.deleted),
            skipped_done: diff.skippedDone,
          },
        }),
  }
}

function taskJson({ id, text, deps = [] }: PlanItem): Record<string, unknown> {
  const { title, description, acceptance = [], steps = [], filesExpected = [], type, priority } = text
  return {
    id,
    title,
    goal: description ?? title,
    acceptance,
    depends_on: deps,
    files_expected: filesExpected,
    status: 'todo',
    ...(type == null ? {} : { type }),
    ...(steps.length === 0 ? {} : { steps }),
    ...(priority === undefined ? {} : { priority }),
  }
}
