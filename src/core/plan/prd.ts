// A list of user stories as JSON (`prd.json`): `{"userStories": [{"id", "title", "description", "acceptanceCriteria",
// "priority", "passes", "notes"}]}`, and similar names. Several spellings are accepted; a value that makes no sense is
// refused, with its story.
import { isTextList } from '../values/json-answer.ts'
import { type RalphError, refuse } from '../error/error.ts'
import { requireAcyclic } from '../task/graph.ts'
import { type TaskId, taskId } from '../values/id.ts'
import { jsonIn, STORY_LISTS } from './plan-form.ts'
import type { ListedTask } from './plan-placement.ts'
import { slug } from '../progress/progress-ids.ts'
import { PRIORITY_DEFAULT, TASK_TYPES } from '../task/task.ts'
import { cutToLength } from '../values/text-bounds.ts'

type Story = Readonly<Record<string, unknown>>

const names = {
  title: ['title', 'name', 'story'],
  description: ['description', 'goal', 'details'],
  acceptance: ['acceptanceCriteria', 'acceptance_criteria', 'acceptance', 'criteria'],
  deps: ['dependencies', 'dependsOn', 'depends_on', 'deps', 'blockedBy'],
  steps: ['steps'],
  files: ['filesExpected', 'files_expected'],
} as const

const TITLE_LENGTH_MAX = 120
const PRIORITIES: Readonly<Record<string, number>> = { critical: 0, highest: 0, high: 1, medium: 2, low: 3, lowest: 4 }
const DONE: readonly unknown[] = ['done', 'complete', 'completed', 'passed', 'passes', 'closed', 'merged']

export function tasksOfPrd(text: string, name: string): ListedTask[] {
  const document = jsonIn(text, name)
  const stories = Array.isArray(document) ? document : listIn((document ?? {}) as Story)
  if (stories.length === 0) throw refuse('PLAN_BAD', { problem: `${name} lists no user stories` })
  const tasks = stories.map((story: unknown, at) => taskOf(story, at + 1, name))
  const ids = new Set(tasks.map(({ id }) => id))
  for (const { id, deps = [], line } of tasks) {
    if (tasks.findIndex((one) => one.id === id) !== line - 1) throw bad(name, line, id, 'its id is given twice')
    const unknown = deps.find((dep) => !ids.has(dep))
    if (unknown !== undefined) throw bad(name, line, id, `it waits for '${unknown}', which is not in the list`)
  }
  requireAcyclic(tasks.map(({ id, deps = [] }) => ({ id, deps })))
  return tasks
}

function listIn(document: Story): unknown[] {
  const key = STORY_LISTS.find((one) => Array.isArray(document[one]))
  return key === undefined ? [] : (document[key] as unknown[])
}

function taskOf(value: unknown, number: number, name: string): ListedTask {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(name, number, null, 'it must be an object')
  const story = value as Story
  const fault = (problem: string): RalphError => bad(name, number, story['id'], problem)
  const line = (key: 'title' | 'description'): string => textIn(story, names[key], fault)
  const whole = line('title') || line('description')
  if (whole === '') throw fault("it needs a 'title'")
  const title = whole.replaceAll(/\s+/g, ' ')
  const said = [
    title.length > TITLE_LENGTH_MAX || line('title') === '' ? whole : '',
    line('title') && line('description'),
  ]
  const notes = textIn(story, ['notes'], fault)
  const description = [...said, notes === '' ? '' : `Notes: ${notes}`].filter((part) => part !== '').join('\n\n')
  const category = textIn(story, ['category'], fault)
  return {
    id: idOf(story['id'], title, fault),
    text: {
      title: title.length > TITLE_LENGTH_MAX ? `${cutToLength(title, TITLE_LENGTH_MAX - 1)}…` : title,
      description: description === '' ? null : description,
      acceptance: textsIn(story, names.acceptance, fault),
      steps: textsIn(story, names.steps, fault),
      filesExpected: textsIn(story, names.files, fault),
      priority: priorityOf(story['priority'], fault),
      category: category === '' ? null : category,
      type: TASK_TYPES.find((type) => type === story['type']) ?? null,
    },
    deps: textsIn(story, names.deps, fault).map((dep) => idOf(dep, '', fault)),
    line: number,
    checked: isDone(story),
  }
}

type Fault = (problem: string) => RalphError

function textIn(story: Story, keys: readonly string[], fault: Fault): string {
  const key = keys.find((one) => story[one] != null)
  const value = key === undefined ? '' : story[key]
  if (typeof value !== 'string') throw fault(`'${key}' must be a text`)
  return value.trim()
}

/** A text stands for a list of one; numbers are ids of stories that have numbers. */
function textsIn(story: Story, keys: readonly string[], fault: Fault): string[] {
  const key = keys.find((one) => story[one] != null)
  const value = key === undefined ? [] : story[key]
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  const texts: unknown = Array.isArray(value)
    ? value.map((one) => (typeof one === 'number' ? String(one) : one))
    : value
  if (!isTextList(texts)) throw fault(`'${key}' must be a list of texts`)
  return texts.map((text) => text.trim()).filter((text) => text !== '')
}

function idOf(value: unknown, title: string, fault: Fault): TaskId {
  if (value == null && title !== '') return taskId(slug(title))
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') throw fault("'id' must be a text")
  try {
    return taskId(text.trim().replaceAll(/\s+/g, '-'))
  } catch {
    throw fault("'id' must be 1 to 128 characters")
  }
}

function priorityOf(value: unknown, fault: Fault): number {
  if (value == null) return PRIORITY_DEFAULT
  const number = typeof value === 'string' ? (PRIORITIES[value.toLowerCase()] ?? Number(value || Number.NaN)) : value
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  throw fault("'priority' must be a whole number from 0 on, or high, medium or low")
}

function isDone(story: Story): boolean {
  if (story['passes'] === true || story['done'] === true || story['completed'] === true) return true
  return DONE.includes(typeof story['status'] === 'string' ? story['status'].toLowerCase() : null)
}

function bad(name: string, number: number, id: unknown, problem: string): RalphError {
  const which = typeof id === 'string' && id !== '' ? ` ('${id}')` : ''
  return refuse('PLAN_BAD', { problem: `${name}, story ${number}${which}: ${problem}; nothing was written` })
}
