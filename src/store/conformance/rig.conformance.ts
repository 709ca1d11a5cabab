// The common part of the suite: a fresh store with a manual clock, and a loop that drives builds.
import { expect, onTestFinished } from 'vitest'
import { type Attempt, firstAttempt, next } from '../../core/attempt/attempt.ts'
import type { Build } from '../../core/builds/build.ts'
import { type ErrorCode, RalphError } from '../../core/error/error.ts'
import type { AgentCause } from '../../core/fact/fact.ts'
import {
  type AgentId,
  agentId,
  type BuildId,
  type IdeaId,
  type Instant,
  type TaskId,
  taskId,
} from '../../core/values/id.ts'
import type { Attachment } from '../../core/builds/attachment.ts'
import { newTask, type Task, type TaskText } from '../../core/task/task.ts'
import type { Lease, Scope, Store } from '../store.ts'

export interface OpenedStore {
  readonly store: Store
  /** One more handle on the same data, like that of another process. */
  readonly again: () => Promise<Store>
}

/** Opens a new, empty store that takes its time from `now`. The suite closes what it opens. */
export type OpenStore = (now: () => Instant) => Promise<OpenedStore>

export interface Rig extends OpenedStore {
  readonly now: () => Instant
  readonly pass: (milliseconds: number) => void
}

export const SCOPE: Scope = { repo: '/srv/shop', branch: 'main' }
export const BUILD = 'b1' as BuildId
export const LEASE_SECONDS = 600
const LIMITS = { attempts: 3, interventions: 3, iterations: 10 }

export async function setUp(open: OpenStore): Promise<Rig> {
  let time = 1_700_000_000_000
  const now = (): Instant => time
  const opened = await open(now)
  const handles = [opened.store]
  onTestFinished(() => {
    for (const handle of handles) handle.close()
  })
  return {
    store: opened.store,
    again: async () => {
      const handle = await opened.again()
      handles.push(handle)
      return handle
    },
    now,
    pass: (milliseconds) => {
      time += milliseconds
    },
  }
}

export const ids = (...names: string[]): TaskId[] => names.map(taskId)
export const agent = (name: string): AgentId => agentId(name)

export function task(rig: Rig, id: string, text: Partial<TaskText> = {}, deps: readonly string[] = []): Task {
  return newTask(taskId(id), { title: `Do ${id}`, ...text }, ids(...deps), rig.now())
}

/** Creates tasks, one after the other; `c: ['a', 'b']` waits for a and b. */
export async function plant(rig: Rig, tasks: Readonly<Record<string, readonly string[]>>): Promise<void> {
  for (const [id, deps] of Object.entries(tasks)) await rig.store.tasks.create(SCOPE, task(rig, id, {}, deps))
}

export function build(rig: Rig, id: BuildId = BUILD): Build {
  return {
    id,
    idea: 'idea-1' as IdeaId,
    spec: null,
    state: 'running',
    configHash: 'sha256:0',
    lastError: null,
    startedAt: rig.now(),
    lastActivityAt: rig.now(),
  }
}

/** Creates tasks and starts a build with all of them. */
export async function start(rig: Rig, tasks: Readonly<Record<string, readonly string[]>>): Promise<void> {
  await plant(rig, tasks)
  await rig.store.builds.create(SCOPE, build(rig), ids(...Object.keys(tasks)))
}

export async function claim(rig: Rig, id: string, by = 'loop-1', store = rig.store): Promise<Lease> {
  const claimed = await store.tasks.claim(SCOPE, { id: taskId(id), agent: agent(by), leaseSeconds: LEASE_SECONDS })
  if (claimed === null) throw new Error(`${id} cannot be claimed`)
  return { scope: SCOPE, task: claimed.task.id, fence: claimed.task.fence }
}

/** The saved attempt of a task, or its first. */
export async function attemptOf(rig: Rig, id: string, of: BuildId = BUILD): Promise<Attempt> {
  const saved = (await rig.store.builds.attempts(of)).get(taskId(id))
  return saved ?? firstAttempt(await found(rig, id), of, LIMITS)
}

export async function found(rig: Rig, id: string): Promise<Task> {
  const standing = await rig.store.tasks.find(SCOPE, taskId(id))
  if (standing === null) throw new Error(`${id} is not there`)
  return standing
}

/** Begins the next effect of the attempt, with the current task. */
export async function begin(rig: Rig, lease: Lease, of: BuildId = BUILD) {
  const attempt = await attemptOf(rig, lease.task, of)
  const effect = next(attempt)
  if (effect === null) throw new Error(`nothing is left to do for ${lease.task}`)
  const begun = await rig.store.builds.begin(lease, attempt, effect)
  if (!begun.kept) return begun
  const { task: standing, ...rest } = begun
  expect(standing).toEqual(await found(rig, lease.task))
  return rest
}

/** Begins and records one effect after the other. */
export async function drive(rig: Rig, lease: Lease, facts: readonly AgentCause[], of: BuildId = BUILD): Promise<void> {
  for (const fact of facts) {
    expect(await begin(rig, lease, of)).toEqual({ kept: true, resumed: false })
    expect(await rig.store.builds.record(lease, of, fact)).toMatchObject({ kept: true })
  }
}

/** The code and the sentence of a refused call; null where it is not refused. */
export async function refused(call: Promise<unknown>): Promise<readonly [ErrorCode, string] | null> {
  try {
    await call
    return null
  } catch (error) {
    if (error instanceof RalphError) return [error.code, error.message]
    throw error
  }
}

const KINDS: readonly Attachment['kind'][] = [
  'iteration',
  'evidence',
  'lesson',
  'review',
  'config',
  'seed',
  'planning',
  'drive',
  'redCheck',
]

/** The whole content of the scope and the builds. */
export async function everything(store: Store, builds: readonly BuildId[] = [BUILD]) {
  return {
    tasks: await store.tasks.list(SCOPE, {}),
    agents: await store.agents.list(),
    newest: await store.builds.newest(SCOPE),
    builds: await Promise.all(
      builds.map(async (id) => ({
        build: await store.builds.find(id),
        attempts: await store.builds.attempts(id),
        facts: await store.builds.facts(id, 0, 10_000),
        attachments: await Promise.all(KINDS.map((kind) => store.builds.attachments(id, kind))),
      })),
    ),
  }
}

/** A refused call must change nothing. */
export async function expectNothingChanged(rig: Rig, call: () => Promise<unknown>): Promise<unknown> {
  const before = await everything(rig.store)
  const outcome = await call()
  expect(await everything(rig.store)).toEqual(before)
  return outcome
}
