// Turns a pasted list of tasks into a plan to preview, and fills in what the list does not say from what it does.
import type { BuildGraph, GraphTask } from '../../core/plan/build-graph.ts'
import { refuse } from '../../core/error/error.ts'
import { FORM_NAMES, formOf } from '../../core/plan/plan-form.ts'
import type { ListedTask } from '../../core/plan/plan-placement.ts'
import { LISTED_MAX, tasksIn } from './import-plan.ts'

const NAME = 'the text'

/** Null: the text is no list, so a planner has to make a plan from it. */
export function graphOfText(text: string): BuildGraph | null {
  const form = formOf(text, NAME)
  if (form === 'spec') return null
  // Its boxes are tasks too; the file itself is somewhere else and stays as it is.
  const listed = tasksIn({ form: form === 'progress' ? 'checklist' : form, text, name: NAME })
  const open = listed.filter(({ checked }) => checked !== true)
  if (open.length === 0 || open.length > LISTED_MAX)
    throw refuse('PLAN_BAD', { problem: `${NAME} has ${open.length} tasks to be done; a plan has 1 to ${LISTED_MAX}` })
  const ids = new Set(open.map(({ id }) => id))
  const checked = listed.length - open.length
  const done =
    checked === 0
      ? ''
      : ` ${checked} that ${checked === 1 ? 'is' : 'are'} checked off ${checked === 1 ? 'is' : 'are'} left out.`
  return { tasks: open.map((item) => graphTask(item, ids)), notes: `Taken over from ${FORM_NAMES[form]}.${done}` }
}

function graphTask({ id, text, deps = [] }: ListedTask, ids: ReadonlySet<string>): GraphTask {
  const { title, description = null, steps = [], acceptance = [], filesExpected = [], type = null } = text
  const goal = [description ?? title, ...(steps.length === 0 ? [] : [steps.map((step) => `- ${step}`).join('\n')])]
  return {
    id,
    title,
    goal: goal.join('\n\n'),
    acceptance: acceptance.length === 0 ? [title] : acceptance,
    dependsOn: deps.filter((dep) => ids.has(dep)),
    filesExpected,
    type,
  }
}
