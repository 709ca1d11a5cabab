// The self-improvement agent: the techniques for a task that keeps failing, and its possible answers.
import { type Answer, bad, type Fields, isTextList, jsonAnswer } from '../values/json-answer.ts'
import { type TaskId, taskId } from '../values/id.ts'
import { TASK_TYPES, type TaskText, TITLE_LENGTH_MAX } from '../task/task.ts'

export const TECHNIQUES = [
  'decomposition',
  'tool_change',
  'prompt_restructure',
  'context_pruning',
  'example_injection',
  'constraint_relaxation',
  'dependency_reordering',
  'abstraction_shift',
  'error_pattern_match',
  'fresh_start',
] as const
export type Technique = (typeof TECHNIQUES)[number]

/** A part of a task that SIA split: its text, and the parts that it depends on. */
export interface Subtask {
  readonly id: TaskId
  readonly text: Partial<TaskText> & { readonly title: string }
  readonly deps: readonly TaskId[]
}

/** The agent for a task: another agent, another model of it, or both. */
export interface Worker {
  readonly agent: string
  /** Null: the configured one, or the agent's own choice. */
  readonly model: string | null
}

export type Intervention =
  | {
      readonly type: 'fixed'
      readonly technique: Technique
      readonly task: Partial<TaskText>
      /** With a change of tools: the agent from now on. */
      readonly worker?: Worker
    }
  | { readonly type: 'decomposed'; readonly technique: Technique; readonly subtasks: readonly Subtask[] }
  | { readonly type: 'escalate'; readonly reason: string }

export function untriedTechniques(tried: readonly Technique[]): Technique[] {
  return TECHNIQUES.filter((technique) => !tried.includes(technique))
}

/** The agents that SIA may choose from: the current one of the task, and all of this build. */
export interface Crew {
  readonly now: string
  readonly agents: readonly string[]
}

const NOBODY_ELSE: Crew = { now: '', agents: [] }

/** Accepts untried techniques, a rewritten task or parts; parts do not get `taken` ids. */
export function readIntervention(
  message: string,
  task: TaskId,
  tried: readonly Technique[],
  taken: ReadonlySet<TaskId>,
  crew: Crew = NOBODY_ELSE,
  splitting: Splitting = { partsMax: SUBTASKS_MAX },
): Answer<Intervention> {
  const answer = jsonAnswer(message)
  if (!answer.ok) return answer
  const { type, technique, reason } = answer.value
  if (type === 'escalate')
    return typeof reason === 'string' && reason !== ''
      ? { ok: true, value: { type, reason } }
      : bad("'reason' must say why a human is needed")
  if (type !== 'fixed' && type !== 'decomposed') return bad("'type' must be fixed, decomposed or escalate")
  const known = untriedTechniques(tried).find((name) => name === technique)
  if (known === undefined)
    return bad(`'technique' must be one that was not tried: ${untriedTechniques(tried).join(', ')}`)
  if (type === 'fixed') return readFix(answer.value, known, crew)
  if ('refused' in splitting) return bad(`the task cannot be split: ${splitting.refused}`)
  const parts = subtasks(answer.value['subtasks'], splitting.partsMax, freeIds(task, taken))
  return parts.ok ? { ok: true, value: { type, technique: known, subtasks: parts.value } } : parts
}

function readFix(answer: Fields, technique: Technique, crew: Crew): Answer<Intervention> {
  const { modified_task: modified, agent = null, model = null } = answer
  const type = 'fixed'
  if (agent === null && model === null) {
    const text = taskText(modified)
    return text.ok ? { ok: true, value: { type, technique, task: text.value } } : text
  }
  if (technique !== 'tool_change') return bad("'agent' and 'model' may be named with the technique tool_change only")
  const worker = workerIn(agent, model, crew)
  if (!worker.ok) return worker
  const text: Answer<Partial<TaskText>> = modified == null ? { ok: true, value: {} } : taskText(modified)
  return text.ok ? { ok: true, value: { type, technique, task: text.value, worker: worker.value } } : text
}

const MODEL = /^[\w][\w.:/@-]{0,99}$/

function workerIn(agent: unknown, model: unknown, { now, agents }: Crew): Answer<Worker> {
  const name = agent ?? now
  if (typeof name !== 'string' || !agents.includes(name))
    return bad(`'agent' must be one that this build has: ${agents.join(', ') || 'none but the one it has now'}`)
  if (model !== null && (typeof model !== 'string' || !MODEL.test(model)))
    return bad("'model' must be the name of a model, of at most 100 characters without spaces")
  return { ok: true, value: { agent: name, model: model as string | null } }
}

export const SUBTASKS_MAX = 15

function subtasks(value: unknown, partsMax: number, ids: Iterator<TaskId, never>): Answer<Subtask[]> {
  if (!Array.isArray(value) || value.length < 2 || value.length > partsMax)
    return bad(`'subtasks' must be a list of 2 to ${partsMax} tasks`)
  const parts: Subtask[] = []
  for (const [index, item] of value.entries()) {
    const text = taskText(item)
    if (!text.ok) return bad(`subtask ${index + 1}: ${text.problem}`)
    const { title } = text.value
    if (title === undefined) return bad(`subtask ${index + 1}: 'title' is missing`)
    const previous = parts.at(-1)
    // Agents work on the parts in the given order.
    const deps = previous === undefined ? [] : [previous.id]
    parts.push({ id: ids.next().value, text: { ...text.value, title }, deps })
  }
  return { ok: true, value: parts }
}

function* freeIds(whole: TaskId, taken: ReadonlySet<TaskId>): Generator<TaskId, never> {
  for (let number = 1; ; number += 1) {
    const id = taskId(`${whole}.${number}`)
    if (!taken.has(id)) yield id
  }
}

function taskText(value: unknown): Answer<Partial<TaskText>> {
  if (typeof value !== 'object' || value === null) return bad('a task must be an object')
  const { title, goal, acceptance, files_expected: files, type } = value as Record<string, unknown>
  if (title !== undefined && (typeof title !== 'string' || title.trim() === '')) return bad("'title' must be a text")
  if (goal !== undefined && typeof goal !== 'string') return bad("'goal' must be a text")
  if (acceptance !== undefined && !isTextList(acceptance)) return bad("'acceptance' must be a list of strings")
  if (files !== undefined && !isTextList(files)) return bad("'files_expected' must be a list of strings")
  const known = TASK_TYPES.find((one) => one === type)
  if (type != null && known === undefined) return bad(`'type' must be one of ${TASK_TYPES.join(', ')}`)
  const text = {
    ...(title === undefined ? {} : { title: title.replaceAll(/\s+/g, ' ').trim().slice(0, TITLE_LENGTH_MAX) }),
    ...(goal === undefined ? {} : { description: goal }),
    ...(acceptance === undefined ? {} : { acceptance }),
    ...(files === undefined ? {} : { filesExpected: files }),
    ...(known === undefined ? {} : { type: known }),
  }
  return Object.keys(text).length === 0 ? bad('the task says nothing') : { ok: true, value: text }
}

/** The maximum of parts, or why splitting is refused. */
export type Splitting = { readonly partsMax: number } | { readonly refused: string }
