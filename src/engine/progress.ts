// The progress file of a build. The store is the truth; the file shows it, and is imported again where somebody edited
// it.
//
// Boxes are claims. If every box is checked but the store disagrees, the work continues and the engine clears the boxes
// of tasks without evidence. To drop a task, use `ralph skip` or remove its line from the file.
//
// This is the only file in the user's checkout that a build writes, and only because the user named it.
//
// A problem with the file never ends a build: the engine reports it once and continues with what it knows.
import { isAbsolute, join } from 'node:path'
import { type ErrorCode, RalphError, refuse } from '../core/error/error.ts'
import type { BuildId } from '../core/values/id.ts'
import { parseProgressFile, type ProgressFile } from '../core/progress/progress-file.ts'
import type { Task } from '../core/task/task.ts'
import type { Scope, Store } from '../store/store.ts'
import { newMutex } from './mutex.ts'
import { type AnswerContext, isCut, progressFileIn, withAnswer } from './progress/answer.ts'
import { editFile, type FileEdit, type FileOnDisk, readQuiet, readWhole } from './progress/file-on-disk.ts'
import { knownOf, stopSaid } from './progress/store-facts.ts'
import { planOfFile, syncPlan } from './progress/plan-items.ts'
import { render } from './progress/rendering.ts'
import type { Stop } from './stop.ts'

export interface ProgressSettings {
  readonly store: Store
  readonly scope: Scope
  readonly build: BuildId
  readonly path: string
  /** The path from the repository's root, which is the spec of the file's tasks. */
  readonly spec: string
  /** Called with each problem of the file, as one sentence. */
  readonly warn: (sentence: string) => void
}

export interface ProgressFileSync {
  /** The files it writes, from the root of the checkout. */
  readonly ours: readonly string[]
  /** Imports what somebody edited, writes what happened, and returns whether the file ends the build. */
  readonly refresh: () => Promise<Stop | null>
  /**
   * The same at the end of a loop, with how the loop ended. While the file lists tasks that could not be imported, the
   * build is not complete, whatever the store says.
   */
  readonly close: (stop: Stop) => Promise<Stop>
  /** Call this when an agent starts in this folder. */
  readonly startSession: (folder: string) => Promise<ProgressSession>
}

export interface ProgressSession {
  /** The file at that time; null where it could not be read. */
  readonly before: ProgressFile | null
  /**
   * Imports the final message if it is a whole progress file and the agent still has the task. `session`: the session's
   * name in the file.
   */
  readonly takeOver: (message: string, task: Task, session: string) => Promise<void>
}

/** A file that has lost its end counts as an edit only if it stays that way. */
const CUT_BELIEVED_MS = 10_000

const tolerable: readonly ErrorCode[] = [
  'FILE_UNREADABLE',
  'FILE_UNWRITABLE',
  'PROGRESS_FILE_BAD',
  'PLAN_LINE_BAD',
  'DEPENDENCY_CYCLE',
]

export function keepProgressFile(settings: ProgressSettings): ProgressFileSync {
  const { store, scope, build, path, spec } = settings
  const trouble: Trouble = new Map()
  const tolerated = tolerance(trouble, settings.warn)
  // Loops share the file: two that write at once would undo each other's work.
  const exclusively = newMutex()
  /** The text that was imported last. */
  let known: string | null = null
  /** The same with everything that the store knows, even if that could not be written. */
  let seen: ProgressFile | null = null

  const takeOverList = async (text: string, changedAt: number, by: 'operator' | 'session'): Promise<void> => {
    const read = await planOfFile(store, scope, spec, text)
    const plan = by === 'operator' ? read : { ...read, items: read.items.map((item) => ({ ...item, by })) }
    const { inserted } = await syncPlan(store, scope, spec, plan, changedAt)
    // A task that is new in the file is new in the build.
    const ids = inserted.map(({ id }) => id)
    if (ids.length > 0) await store.tasks.changeAll(scope, { ids }, (task) => ({ ...task, build }))
    known = text
    if (plan.problems.length > 0) throw refuse('PROGRESS_FILE_BAD', { problem: plan.problems.join('; ') })
  }
  const write = (edit: (text: string) => string): Promise<FileEdit | null> =>
    tolerated('write', () =>
      editFile(path, known, (text) => (text === known || problemOf(text, known, spec) === null ? edit(text) : null)),
    )
  const refresh = async (): Promise<Stop | null> => {
    const file = await tolerated('read', async () => usable(await readQuiet(path, known), known, spec))
    if (file === null) return null
    const { text, changedAt } = file
    if (text !== known) await tolerated('sync', () => takeOverList(text, changedAt, 'operator'))
    const found = await knownOf(store, scope, build, parseProgressFile(text))
    seen = parseProgressFile(render(text, spec, found))
    const edited = await write((fresh) => render(fresh, spec, found))
    // The next refresh imports what a person saved meanwhile.
    if (edited !== null && edited.from === known) known = edited.to
    return seen.saysDone ? stopSaid(await store.tasks.list(scope, {}), build, spec) : null
  }
  const takeOver = async (answer: ProgressFile, task: Task, context: Omit<AnswerContext, 'task'>): Promise<void> => {
    const standing = await store.tasks.find(scope, task.id)
    if (standing?.status !== 'active' || standing.fence !== task.fence) return
    const edited = await write((text) => withAnswer(text, answer, { ...context, task: task.id }))
    if (edited !== null) await tolerated('sync', () => takeOverList(edited.to, edited.changedAt, 'session'))
  }
  return {
    ours: [spec],
    refresh: () => exclusively(refresh),
    close: async (stop) => {
      await exclusively(refresh)
      const detail = trouble.get('sync')
      return stop.reason === 'AllTasksComplete' && detail !== undefined ? { reason: 'HumanNeeded', detail } : stop
    },
    startSession: async (folder) => {
      const before = seen
      const own = await copyIn(folder, spec)
      return {
        before,
        takeOver: async (message, task, session) => {
          const answer = isCut(message) ? null : progressFileIn(message)
          if (before !== null && answer !== null)
            await exclusively(() => takeOver(answer, task, { session, before, own }))
        },
      }
    },
  }
}

function usable(file: FileOnDisk, known: string | null, spec: string): FileOnDisk {
  const { text, writtenAt } = file
  const isSettled = Date.now() - writtenAt > CUT_BELIEVED_MS
  const problem = text === known ? null : problemOf(text, isSettled ? null : known, spec)
  if (problem !== null) throw refuse('PROGRESS_FILE_BAD', { problem })
  return file
}

/** Why the text cannot be the plan. An empty list of tasks never counts as a complete plan. */
export function problemOf(text: string, known: string | null, spec: string): string | null {
  try {
    const file = parseProgressFile(text)
    if (file.tasks.length === 0) return `${spec} lists no tasks; add lines like '- [ ] Title' below '## Tasks'`
    return known !== null && isCutShort(file, text, known)
      ? `${spec} looks half saved; it is taken over if it stays so for ${CUT_BELIEVED_MS / 1000} s`
      : null
  } catch (error) {
    if (error instanceof RalphError) return `${spec}: ${error.message}`
    throw error
  }
}

/** Tasks are missing, and with them a section or the last line ending: more than a person removes at a time. */
function isCutShort(file: ProgressFile, text: string, known: string): boolean {
  const before = parseProgressFile(known)
  const listed = new Set(file.tasks.map(({ id }) => id))
  if (before.tasks.every(({ id }) => listed.has(id))) return false
  return (
    before.sections.some((section) => !file.sections.includes(section)) ||
    (known.endsWith('\n') && !text.endsWith('\n'))
  )
}

/** The copy of the file in an agent's folder. The agent may have damaged it: then it counts as missing. */
async function copyIn(folder: string, spec: string): Promise<ProgressFile | null> {
  if (isAbsolute(spec) || spec.startsWith('..')) return null
  try {
    return parseProgressFile((await readWhole(join(folder, spec), 'refused')).text)
  } catch {
    return null
  }
}

type Step = 'read' | 'sync' | 'write'
/** The current problem of each step. */
type Trouble = Map<Step, string>

/** Returns null where a step failed. Reports the same sentence again only after the step has succeeded in between. */
function tolerance(told: Trouble, warn: ProgressSettings['warn']) {
  return async <T>(step: Step, work: () => Promise<T>): Promise<T | null> => {
    try {
      const result = await work()
      told.delete(step)
      return result
    } catch (error) {
      if (!(error instanceof RalphError) || !tolerable.includes(error.code)) throw error
      if (told.get(step) !== error.message) warn(error.message)
      told.set(step, error.message)
      return null
    }
  }
}
