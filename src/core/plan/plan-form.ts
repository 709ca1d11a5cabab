// Detects the form of a text by its content: a list of tasks in one of the known forms, or a text to plan from.
import { headingOf, isBlank, markdownLines } from '../values/markdown-lines.ts'
import { refuse } from '../error/error.ts'
import { outlineOf } from '../progress/progress-outline.ts'

export const LIST_FORMS = ['progress', 'graph', 'prd', 'jsonl', 'checklist'] as const
export type ListForm = (typeof LIST_FORMS)[number]
export type PlanForm = ListForm | 'spec'

/** For people. */
export const FORM_NAMES: Readonly<Record<PlanForm, string>> = {
  progress: 'a progress file',
  graph: 'a plan as JSON',
  prd: 'a list of user stories as JSON',
  jsonl: 'a plan as JSON lines',
  checklist: 'a checklist',
  spec: 'a spec',
}

export function formOf(text: string, name: string): PlanForm {
  const bare = text.replace(/^\uFEFF/, '').trim()
  const json = jsonFormOf(bare, name)
  if (json !== null) return json
  if (outlineOf(text).name !== null) return 'progress'
  return isChecklist(text) ? 'checklist' : 'spec'
}

/** The common names of lists of stories, at the top of the document. */
export const STORY_LISTS: readonly string[] = [
  'userStories',
  'user_stories',
  'stories',
  'features',
  'requirements',
  'items',
  'tasks',
]

function jsonFormOf(text: string, name: string): ListForm | null {
  const isMeant = /^\{\s*["}]/.test(text) || /\.jsonl?$/i.test(name)
  if (!isMeant && !text.startsWith('[')) return null
  const value = parseJson(text)
  if (Array.isArray(value)) return 'prd'
  if (typeof value === 'object' && value !== null) return objectForm(value as Record<string, unknown>, name)
  if (typeof parseJson(text.split('\n')[0] ?? '') === 'object') return 'jsonl'
  if (isMeant) jsonIn(text, name)
  return null
}

/** Refuses a text that is no JSON. */
export function jsonIn(text: string, name: string): unknown {
  const value = parseJson(text.replace(/^\uFEFF/, ''))
  if (value !== undefined) return value
  throw refuse('PLAN_BAD', { problem: `${name} is not valid JSON; mend it, or say in words what is wanted` })
}

function objectForm(value: Readonly<Record<string, unknown>>, name: string): ListForm {
  if (typeof value['id'] === 'string' && ('t' in value || 'title' in value)) return 'jsonl'
  const list = STORY_LISTS.find((key) => Array.isArray(value[key]))
  if (list === undefined)
    throw refuse('PLAN_BAD', {
      problem: `${name} is JSON without a list of tasks; known are 'userStories' and 'tasks'`,
    })
  if (list !== 'tasks') return 'prd'
  const tasks = value['tasks'] as unknown[]
  return tasks.every((task) => typeof task === 'object' && task !== null && 'goal' in task) ? 'graph' : 'prd'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const box = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]\][ \t]+\S/

/** Boxes, and the lines indented below them, are at least half of the text: a spec has a few boxes too. */
function isChecklist(text: string): boolean {
  let [listed, all, isBelow] = [0, 0, false]
  for (const line of markdownLines(text)) {
    if (isBlank(line) || headingOf(line) !== null) continue
    const isBox = line.kind !== 'quoted' && box.test(line.text)
    isBelow = isBox || (isBelow && /^(?: {2}|\t)/.test(line.text))
    all += 1
    if (isBelow) listed += 1
  }
  return listed > 0 && listed * 2 >= all
}
