// The live view as lines of text: the progress of the build, the tasks in work, and the last words of their agents.
import type { Instant, TaskId } from '../../core/values/id.ts'
import type { Doing, LiveState, Working } from './live-state.ts'
import { clock, count, shortened, span, timeAhead } from '../text/sanitize.ts'

export interface Scene {
  readonly state: LiveState
  /** Unsettled tasks, including those that wait for a human. */
  readonly unsettled: number
  readonly startedAt: Instant
  readonly now: Instant
  /** The last lines of each task's agent, oldest first; null is the key of an agent without a task. */
  readonly said: ReadonlyMap<TaskId | null, readonly string[]>
}

export interface Size {
  readonly columns: number
  readonly rows: number
}

export type Painter = (style: 'bold' | 'dim' | 'green', text: string) => string

const TASKS_SHOWN_MAX = 4
const WORDS_SHOWN_MAX = 5
const TURNS_SHOWN_MAX = 2
const BAR_WIDTH_MAX = 24
/** A smaller window has room for one line only. */
const ROWS_MIN = 8

/** No line is as wide as the window: some terminals wrap at the last column. */
export function frame(scene: Scene, { columns, rows }: Size, paint: Painter): string[] {
  const width = Math.max(1, columns - 1)
  const head = headline(scene, width, paint)
  if (rows < ROWS_MIN) return [head]
  const turns = turnLines(scene, width)
  return [head, ...turns, ...taskLines(scene, { columns: width, rows: rows - 2 - turns.length }, paint)]
}

function headline({ state, unsettled, startedAt, now }: Scene, width: number, paint: Painter): string {
  const done = state.settled
  const total = done + unsettled
  if (state.planning !== null)
    return shortened(`planning: ${planningText(state.planning, now)} · ${clock(now - startedAt)}`, width)
  const waits = state.waiting.size === 0 ? '' : ` · ${state.waiting.size} waiting for you`
  const text = ` ${done}/${total} tasks${waits} · ${count(state.iterations, 'iteration')} · ${clock(now - startedAt)}`
  const bar = Math.min(BAR_WIDTH_MAX, width - text.length - 1)
  if (bar < 4) return shortened(text.trimStart(), width)
  const full = total === 0 ? 0 : Math.floor((bar * done) / total)
  return `${paint('green', '━'.repeat(full))}${paint('dim', '─'.repeat(bar - full))}${text}`
}

/** One line for each agent that is replaced, in whatever roles. */
function turnLines({ state, now }: Scene, width: number): string[] {
  const still = [...state.replaced.values()].filter(({ until }) => until > now)
  const lines = still.map(
    ({ agent, by, until }) =>
      `${by} works in place of ${agent} until ${timeAhead(until, now)}, ${span(until - now)} left`,
  )
  return [...new Set(lines)].slice(0, TURNS_SHOWN_MAX).map((line) => shortened(line, width))
}

/** No fact reports the end of a limit; the planner is asked again then. */
function planningText({ doing, until }: Doing, now: Instant): string {
  if (until === null) return doing
  return until > now ? `${doing} until ${timeAhead(until, now)}, ${span(until - now)} left` : 'planner at work'
}

/** Each task with the words of its agent below it. Several tasks share the room. */
function taskLines({ state, now, said }: Scene, { columns, rows }: Size, paint: Painter): string[] {
  const tasks = [...state.working].toSorted(([, one], [, other]) => other.since - one.since)
  const shown = tasks.slice(0, TASKS_SHOWN_MAX)
  const more = tasks.length - shown.length
  const room = Math.max(0, Math.min(WORDS_SHOWN_MAX, rows - shown.length - Math.min(1, more)))
  const speakers = shown.length + (said.has(null) ? 1 : 0)
  const share = Math.floor(room / Math.max(1, speakers))
  const words = (id: TaskId | null): string[] => {
    const lines = share === 0 ? [] : (said.get(id) ?? []).slice(-share)
    return lines.map((line) => paint('dim', shortened(`  │ ${line}`, columns)))
  }
  return [
    ...words(null),
    ...shown.flatMap(([id, task]) => [taskLine(id, task, now, columns, paint), ...words(id)]),
    ...(more === 0 ? [] : [shortened(`  and ${more} more`, columns)]),
  ]
}

function taskLine(id: TaskId, task: Working, now: Instant, width: number, paint: Painter): string {
  const tries = `attempt ${task.attempt}, iteration ${task.iteration}`
  const facts =
    task.until === null
      ? `${task.doing} · ${tries} · ${clock(now - task.since)}`
      : `${task.doing} until ${timeAhead(task.until, now)}, ${span(task.until - now)} left · ${tries}`
  const name = shortened(id, Math.max(8, Math.floor(width / 3)))
  const title = task.name === null || task.name === id ? '' : `  ${task.name}`
  const line = shortened(`${name}  ${facts}${title}`, width)
  return line.startsWith(name) ? `${paint('bold', name)}${line.slice(name.length)}` : line
}
