// The ids of the tasks of a progress file. A task's id is, in this order:
//   - the id in `{#id}` at the end of its line: Ralph writes it where the title does not give the id;
//   - a label before the title that looks like an id, having a digit: `T1: …`, `[T1] …`, `**T1**: …` or `T1` in
//     backticks with a colon; `[WIP]`, `Docs:` and the priorities P0 … P9 are no ids;
//   - else the title's words in lower case, joined by `-`.
// A second task with the same id gets `-2` behind it, a third `-3`.
import { type TaskId, taskId } from '../values/id.ts'
import { cutToLength } from '../values/text-bounds.ts'

/** In UTF-16 units, like all lengths here. */
const SLUG_LENGTH_MAX = 60
/** Leaves room for `-` and a number within the 128 of an id. */
const STEM_LENGTH_MAX = 112

const labelBefore = /^(?:\*\*([^\s*:]+)(?:\*\*:|:\*\*)|`([^\s`]+)`:|\[([^\s\]]+)\]:?|([^\s:*`[]+):)[ \t]+(\S[^]*)$/
const likeId = /^(?!P\d$)(?=.*\d)[\p{L}\p{N}][\p{L}\p{N}._/#-]*$/u

export interface LabelAndTitle {
  readonly label: TaskId | null
  readonly title: string
}

/** Splits the text behind the box into label and title. */
export function splitLabel(text: string): LabelAndTitle {
  const space = text.lastIndexOf(' ')
  const anchor = space > 0 ? /^\{#([^]+)\}$/.exec(text.slice(space + 1))?.[1] : undefined
  const own = anchor === undefined ? null : validId(anchor)
  if (own !== null) return { label: own, title: text.slice(0, space).trim() }
  const [, bold, code, bracketed, bare, title] = labelBefore.exec(text) ?? []
  const word = bold ?? code ?? bracketed ?? bare ?? ''
  const label = likeId.test(word) ? validId(word) : null
  return label === null || title === undefined ? { label: null, title: text } : { label, title }
}

/** The title with its id, unless the title gives the id by itself. */
export function withLabel(id: TaskId, title: string): string {
  return splitLabel(title).label === null && slug(title) === id ? title : `${title} {#${id}}`
}

/** The ids of these tasks, all different. An id that somebody wrote wins over a derived one. */
export function idsOf(tasks: readonly LabelAndTitle[]): readonly TaskId[] {
  const bearers = new Map<TaskId, LabelAndTitle>()
  for (const task of tasks) if (task.label !== null && !bearers.has(task.label)) bearers.set(task.label, task)
  const taken = new Set<string>(bearers.keys())
  const counts = new Map<string, number>()
  return tasks.map((task) => {
    if (task.label !== null && bearers.get(task.label) === task) return task.label
    const stem = task.label ?? slug(task.title)
    let count = counts.get(stem) ?? 1
    let id = stem
    while (taken.has(id)) {
      count += 1
      id = `${cutToLength(stem, STEM_LENGTH_MAX)}-${count}`
    }
    counts.set(stem, count)
    taken.add(id)
    return taskId(id)
  })
}

export function slug(title: string): string {
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
