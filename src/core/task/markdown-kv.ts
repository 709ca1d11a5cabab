// Tasks as people, scripts and agents read them: a section per task, a line per field, empty fields left out.
//
//   ## Task cli/02
//   id: cli/02
//   title: Add help text
//   priority: 1
//   status: active
//   lease_expires_at: 2026-01-31 12:00:00
//   retry_count: 0
//   deps: cli/01, store/01
//   steps:
//   - Write the usage line
//   - A step of two lines
//     goes on indented by two spaces
//   blocker_results:
//   - cli/01: {"commit":"abc123"}
//
// It reads back without loss: values have no line breaks and ids no spaces (task.ts and id.ts refuse them), so ', '
// parts ids even where an id holds a comma, and every further line of a step is indented, a blank one too.
import type { TaskId } from '../values/id.ts'
import { formatInstant } from '../values/instant.ts'
import { type Task, TASK_STATUSES, type TaskResult, type TaskStatus } from './task.ts'

/** The fields of a task that the format holds. */
export interface TaskCard {
  readonly id: string
  readonly title: string
  readonly priority: number
  readonly status: TaskStatus
  readonly category: string | null
  readonly spec: string | null
  readonly ref: string | null
  readonly assignee: string | null
  /** UTC `YYYY-MM-DD HH:MM:SS` */
  readonly leaseExpiresAt: string | null
  readonly retryCount: number
  readonly deps: readonly string[]
  readonly steps: readonly string[]
  readonly blockerResults: readonly BlockerResult[]
}

interface BlockerResult {
  readonly id: string
  readonly result: TaskResult
}

/** `blockerResults`: the results of finished tasks; each task shows those of its own dependencies. */
export function renderTasks(tasks: readonly Task[], blockerResults?: ReadonlyMap<TaskId, TaskResult>): string {
  return tasks.map((task) => renderCard(taskCard(task, blockerResults))).join('\n')
}

export function taskCard(task: Task, blockerResults: ReadonlyMap<TaskId, TaskResult> = new Map()): TaskCard {
  return {
    id: task.id,
    title: task.title,
    priority: task.priority,
    status: task.status,
    category: task.category || null,
    spec: task.spec || null,
    ref: task.ref || null,
    assignee: task.assignee,
    leaseExpiresAt: task.leaseExpiresAt === null ? null : formatInstant(task.leaseExpiresAt),
    retryCount: task.retryCount,
    deps: task.deps,
    steps: task.steps,
    blockerResults: task.deps.flatMap((id) => {
      const result = blockerResults.get(id)
      return result === undefined ? [] : [{ id, result }]
    }),
  }
}

function renderCard(card: TaskCard): string {
  // A claimed task shows its retry count even if it is 0; elsewhere a 0 says nothing.
  const retryCount = card.retryCount === 0 && card.leaseExpiresAt === null ? null : card.retryCount
  const fields: [string, string | number | null][] = [
    ['id', card.id],
    ['title', card.title],
    ['priority', card.priority],
    ['status', card.status],
    ['category', card.category],
    ['spec', card.spec],
    ['ref', card.ref],
    ['assignee', card.assignee],
    ['lease_expires_at', card.leaseExpiresAt],
    ['retry_count', retryCount],
    ['deps', card.deps.join(', ') || null],
  ]
  const lines = [
    `## Task ${card.id}`,
    ...fields.filter(([, value]) => value !== null).map(([key, value]) => `${key}: ${value}`),
    ...list('steps', card.steps),
    ...list(
      'blocker_results',
      card.blockerResults.map(({ id, result }) => `${id}: ${JSON.stringify(result)}`),
    ),
  ]
  return `${lines.join('\n')}\n`
}

function list(key: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${key}:`, ...items.map((item) => `- ${item.replaceAll('\n', '\n  ')}`)]
}

/** Null where the text does not have the format of `renderTasks`. Unknown keys are ignored. */
export function parseTasks(text: string): readonly TaskCard[] | null {
  if (text === '') return []
  const [before, ...sections] = `\n${text}`.split('\n## Task ')
  const cards = sections.map(parseCard)
  return before === '' && cards.every((card) => card !== null) ? cards : null
}

function parseCard(section: string): TaskCard | null {
  const { fields, lists } = fieldsOf(section)
  const [id, title, priority] = [fields.get('id'), fields.get('title'), wholeNumber(fields.get('priority'))]
  const status = TASK_STATUSES.find((known) => known === fields.get('status'))
  const blockerResults = (lists.get('blocker_results') ?? []).map(parseBlockerResult)
  const retryCount = wholeNumber(fields.get('retry_count') ?? '0')
  if (id === undefined || title === undefined || priority === null || status === undefined) return null
  if (retryCount === null || !blockerResults.every((blocker) => blocker !== null)) return null
  return {
    id,
    title,
    priority,
    status,
    category: fields.get('category') ?? null,
    spec: fields.get('spec') ?? null,
    ref: fields.get('ref') ?? null,
    assignee: fields.get('assignee') ?? null,
    leaseExpiresAt: fields.get('lease_expires_at') ?? null,
    retryCount,
    deps: fields.get('deps')?.split(', ') ?? [],
    steps: lists.get('steps') ?? [],
    blockerResults,
  }
}

function fieldsOf(section: string): { fields: Map<string, string>; lists: Map<string, string[]> } {
  const fields = new Map<string, string>()
  const lists = new Map<string, string[]>()
  let items: string[] = []
  for (const line of section.split('\n').slice(1)) {
    const colon = line.indexOf(':')
    if (line.startsWith('- ')) items.push(line.slice(2))
    else if (line.startsWith('  ')) items.push(`${items.pop() ?? ''}\n${line.slice(2)}`)
    else if (line.endsWith(':') && colon === line.length - 1) {
      items = []
      lists.set(line.slice(0, colon), items)
    } else if (line[colon + 1] === ' ') fields.set(line.slice(0, colon), line.slice(colon + 2))
  }
  return { fields, lists }
}

function parseBlockerResult(item: string): BlockerResult | null {
  const colon = item.indexOf(': ')
  try {
    const result: unknown = JSON.parse(item.slice(colon + 2))
    const whole = colon > 0 && typeof result === 'object' && result !== null && 'commit' in result
    return whole ? { id: item.slice(0, colon), result: result as TaskResult } : null
  } catch {
    return null
  }
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : null
}
