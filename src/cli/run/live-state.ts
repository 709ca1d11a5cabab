// The state of a live view, folded from the facts: the tasks in work, and the number of settled ones.
import type { Fact, RecordedFact } from '../../core/fact/fact.ts'
import type { Instant, TaskId } from '../../core/values/id.ts'
import type { BuildReport } from '../../operations/read/build-report.ts'

export interface LiveState {
  /** Null while no planner works. */
  readonly planning: Doing | null
  readonly working: ReadonlyMap<TaskId, Working>
  /** Tasks of this build. */
  readonly settled: number
  readonly waiting: ReadonlySet<TaskId>
  /** Agents that cannot work now, by role and name, with their replacement and its end. */
  readonly replaced: ReadonlyMap<string, Replaced>
  /** Started in this build. */
  readonly iterations: number
  readonly seq: number
}

export interface Replaced {
  readonly agent: string
  readonly by: string
  readonly until: Instant
}

export interface Doing {
  readonly doing: string
  readonly since: Instant
  /** The end of its wait; null: it does not wait. */
  readonly until: Instant | null
}

export interface Working extends Doing {
  readonly name: string | null
  readonly attempt: number
  readonly iteration: number
}

export const NOTHING_SEEN: LiveState = {
  planning: null,
  working: new Map(),
  settled: 0,
  waiting: new Set(),
  replaced: new Map(),
  iterations: 0,
  seq: 0,
}

export function stateAfter(state: LiveState, { fact, at, seq }: RecordedFact): LiveState {
  const counted = { ...state, seq, iterations: state.iterations + (fact.type === 'iterationStarted' ? 1 : 0) }
  const [place, task] = placed(fact)
  if (task === null)
    return {
      ...counted,
      planning: planningAfter(state.planning, fact, at),
      replaced: replacedAfter(state.replaced, fact),
    }
  if (place === 'working') return working(counted, task, fact, at)
  const rest = {
    ...counted,
    working: new Map([...state.working].filter(([id]) => id !== task)),
    waiting: new Set([...state.waiting].filter((id) => id !== task)),
  }
  if (place === 'settled') return { ...rest, settled: state.settled + 1 }
  if (place === 'waiting') return { ...rest, waiting: rest.waiting.add(task) }
  const isTakenBack = fact.type === 'taskReverted' || (fact.type === 'statusRejected' && fact.lost !== undefined)
  return isTakenBack ? { ...rest, settled: state.settled - 1 } : rest
}

/** Drops the tasks that no loop holds: a killed loop leaves no fact. */
export function onlyHeld(state: LiveState, { held, planning }: Pick<BuildReport, 'held' | 'planning'>): LiveState {
  const working = new Map([...state.working].filter(([id]) => held.has(id)))
  return { ...state, working, planning: planning?.isHeld === true ? state.planning : null }
}

/** The place of a task after a fact; `free`: nobody works on it now. */
function placed(fact: Fact): ['working' | 'settled' | 'waiting' | 'free', TaskId | null] {
  switch (fact.type) {
    case 'taskComplete':
    case 'taskSkipped':
    case 'reportVerified':
      return ['settled', fact.taskId]
    case 'humanNeeded':
      return ['waiting', fact.taskId]
    // The parts of a split task replace it.
    case 'siaDecomposed':
      return ['free', fact.originalTaskId]
    case 'interrupted':
    case 'taskRetried':
    case 'taskAnswered':
    case 'taskResolved':
    case 'taskReverted':
    case 'statusRejected':
    case 'reportRefused':
      return ['free', fact.taskId]
    default:
      return ['working', 'taskId' in fact ? fact.taskId : null]
  }
}

function replacedAfter(before: LiveState['replaced'], fact: Fact): LiveState['replaced'] {
  if (fact.type !== 'agentReplaced' && fact.type !== 'agentReturned') return before
  const key = `${fact.role} ${fact.agent}`
  const others = [...before].filter(([known]) => known !== key)
  if (fact.type === 'agentReturned') return new Map(others)
  const { agent, by, until } = fact
  return new Map([...others, [key, { agent, by, until }]])
}

function planningAfter(before: Doing | null, fact: Fact, since: Instant): Doing | null {
  switch (fact.type) {
    case 'planning':
      return { doing: 'planner at work', since, until: null }
    case 'planningLimited':
      return { doing: `waiting for ${fact.agent}`, since, until: fact.until }
    case 'planned':
    case 'planningFailed':
    case 'planningInterrupted':
      return null
    default:
      return before
  }
}

const FRESH: Omit<Working, 'since'> = { name: null, attempt: 1, iteration: 0, doing: 'starting', until: null }

function working(state: LiveState, task: TaskId, fact: Fact, at: Instant): LiveState {
  const before = state.working.get(task) ?? { ...FRESH, since: at }
  const doing = doingAt(fact)
  const now: Working = {
    ...before,
    ...('attempt' in fact ? { attempt: fact.attempt } : {}),
    ...('taskName' in fact ? { name: fact.taskName } : {}),
    ...(fact.type === 'iterationStarted' ? { iteration: fact.iteration } : {}),
    ...(doing === null ? {} : { doing, since: at, until: fact.type === 'waiting' ? fact.until : null }),
  }
  return { ...state, working: new Map([...state.working, [task, now]]) }
}

/** Null: the current text stays. */
function doingAt(fact: Fact): string | null {
  switch (fact.type) {
    case 'iterationStarted':
      return 'agent at work'
    case 'verifying':
      return 'verifying'
    case 'reviewing':
      return 'in review'
    case 'merging':
      return 'merging'
    case 'siaTriggered':
      return 'SIA at work'
    case 'waiting':
      return `waiting for ${fact.agent}`
    default:
      return null
  }
}
