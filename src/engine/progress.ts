// The progress file of a build. The store is the truth; the file is its rendering, and an import where somebody edited it.
//
// Boxes are claims. Where every box is checked and the store is of another mind, the work goes on and the boxes of what
// has no evidence are emptied: who wants a task out of the way says `ralph skip`, or takes its line out of the file.
//
// It is the one file of the user's checkout that a build writes: who names it asks for that.
//
// Trouble with the file ends no build: it is told once, and the build goes on with what is known.
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
  /** The path from the repository's root: what the file's tasks have as their spec. */
  readonly spec: string
  /** Told of trouble with the file, one sentence each. */
  readonly warn: (sentence: string) => void
}

export interface ProgressFileSync {
  /** What it writes, from the root of the checkout. */
  readonly ours: readonly string[]
  /** Takes over what somebody edited, writes what came about, and says whether the file ends the build. */
  readonly refresh: () => Promise<Stop | null>
  /**
   * The same at the end of a loop, with how that ended: while the file lists what could not be taken over, the build is
   * not complete, whatever the store says.
   */
  readonly close: (stop: Stop) => Promise<Stop>
  /** An agent starts in this folder. */
  readonly startSession: (folder: string) => Promise<ProgressSession>
}

export interface ProgressSession {
  /** The file as it was then; null where it could not be read. */
  readonly before: ProgressFile | null
  /**
   * Takes over what the final message brings, if it is a whole progress file and the agent still has the task; `session`
   * is what the session is called in the file.
   */
  readonly takeOver: (message: string, task: Task, session: string) => Promise<void>
}

/** A file that has lost its end is believed only when it stays so. */
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
  // Loops share the file: two that write at once would only undo each other.
  const exclusively = newMutex()
  /** The text that was taken over last. */
  let known: string | null = null
  /** The same with what the store knows, also where that could not be written. */
  let seen: ProgressFile | null = null

  const takeOverList = async (text: string, changedAt: number): Promise<void> => {
    const plan = await planOfFile(store, scope, spec, text)
    const { inserted } = await syncPlan(store, scope, spec, plan, changedAt)
    // What is new in the file is new in the build.
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
    if (text !== known) await tolerated('sync', () => takeOverList(text, changedAt))
    const found = await knownOf(store, scope, build, parseProgressFile(text))
    seen = parseProgressFile(render(text, spec, found))
    const edited = await write((fresh) => render(fresh, spec, found))
    // What a person saved meanwhile is taken over the next time.
    if (edited !== null && edited.from === known) known = edited.to
    return seen.saysDone ? stopSaid(await store.tasks.list(scope, {}), build, spec) : null
  }
  const takeOver = async (answer: ProgressFile, task: Task, context: Omit<AnswerContext, 'task'>): Promise<void> => {
    const standing = await store.tasks.find(scope, task.id)
    if (standing?.status !== 'active' || standing.fence !== task.fence) return
    const edited = await write((text) => withAnswer(text, answer, { ...context, task: task.id }))
    if (edited !== null) await tolerated('sync', () => takeOverList(edited.to, edited.changedAt))
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

/** Why a text cannot be taken for the plan; no list of tasks is never a plan that is complete. */
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

/** It has lost tasks, and a section or its last line ending with them: more than one hand takes out at a time. */
function isCutShort(file: ProgressFile, text: string, known: string): boolean {
  const before = parseProgressFile(known)
  const listed = new Set(file.tasks.map(({ id }) => id))
  if (before.tasks.every(({ id }) => listed.has(id))) return false
  return (
    before.sections.some((section) => !file.sections.includes(section)) ||
    (known.endsWith('\n') && !text.endsWith('\n'))
  )
}

/** The file in an agent's folder, which is the agent's: whatever is wrong with it counts as not there. */
async function copyIn(folder: string, spec: string): Promise<ProgressFile | null> {
  if (isAbsolute(spec) || spec.startsWith('..')) return null
  try {
    return parseProgressFile((await readWhole(join(folder, spec), 'refused')).text)
  } catch {
    return null
  }
}

type Step = 'read' | 'sync' | 'write'
/** What is wrong now, by the step it is wrong with. */
type Trouble = Map<Step, string>

/** Null where a step failed; the same sentence is told again only after it went well in between. */
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
