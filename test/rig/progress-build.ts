// A real store, a real progress file, and a build whose outcomes the test records itself.
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { type Attempt, firstAttempt, next } from '../../src/core/attempt/attempt.ts'
import type { Build } from '../../src/core/builds/build.ts'
import type { AgentCause } from '../../src/core/fact/fact.ts'
import {
  agentId,
  type BuildId,
  type CommitId,
  type EvidenceId,
  type IdeaId,
  type TaskId,
  taskId,
  type TreeId,
} from '../../src/core/values/id.ts'
import type { Attachment } from '../../src/core/builds/attachment.ts'
import { parseProgressFile } from '../../src/core/progress/progress-file.ts'
import type { SignalKind } from '../../src/core/session/signal.ts'
import { signalOf } from '../../src/core/session/signal.ts'
import { importProgressFile } from '../../src/operations/builds/progress-file.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Lease, Scope } from '../../src/store/store.ts'
import { keepProgressFile } from '../../src/engine/progress.ts'

export const SCOPE: Scope = { repo: '.', branch: 'main' }
export const BUILD = 'b_1' as BuildId
export const SPEC = 'PROGRESS.md'
const START = Date.UTC(2026, 0, 18, 10, 0, 0)
const TREE = 'tree-1' as TreeId

/** The smallest file with these lines in its task list. */
export function progressFile(...tasks: readonly string[]): string {
  return `# Progress: Shop\n\n## Status\n\nIn Progress\n\n## Tasks\n\n${tasks.join('\n')}\n`
}

export async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-progress-'))
  const clock = { now: START }
  const store = await openSqliteStore(join(folder, 'state', 'ralph.db'), () => clock.now)
  const path = join(folder, SPEC)
  const warnings: string[] = []
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const attempts = () => store.builds.attempts(BUILD)
  const task = async (id: string) => {
    const found = await store.tasks.find(SCOPE, taskId(id))
    if (found === null) throw new Error(`there is no ${id}`)
    return found
  }

  const record = async (lease: Lease, fact: AgentCause, attachments: readonly Attachment[] = []) => {
    const attempt = await saved(lease.task)
    const effect = next(attempt)
    if (effect === null) throw new Error(`nothing is left to do for ${lease.task}`)
    expect(await store.builds.begin(lease, attempt, effect)).toMatchObject({ kept: true })
    expect(await store.builds.record(lease, BUILD, fact, attachments)).toMatchObject({ kept: true })
  }
  const saved = async (id: TaskId): Promise<Attempt> =>
    (await attempts()).get(id) ?? firstAttempt(await task(id), BUILD, { attempts: 3, interventions: 3, iterations: 10 })

  return {
    folder,
    path,
    store,
    clock,
    warnings,
    task,
    record,
    read: () => readFileSync(path, 'utf8'),
    parsed: () => parseProgressFile(readFileSync(path, 'utf8')),
    files: () => readdirSync(folder).toSorted(),
    /** Writes the file as if a person had saved it some seconds ago. */
    save: (text: string | Uint8Array, ageMs = 5_000) => {
      writeFileSync(path, text)
      const at = (Date.now() - ageMs) / 1000
      utimesSync(path, at, at)
    },
    importFile: () => importProgressFile({ store, scope: SCOPE }, { path, spec: SPEC }),
    /** A build over every open task of the store. */
    start: async () => {
      const open = await store.tasks.list(SCOPE, { statuses: ['open'] })
      const ids = open.map(({ id }) => id)
      await store.builds.create(SCOPE, newBuild(clock.now), ids)
    },
    keep: () =>
      keepProgressFile({
        store,
        scope: SCOPE,
        build: BUILD,
        path,
        spec: SPEC,
        warn: (sentence) => warnings.push(sentence),
      }),
    statuses: async () => {
      const tasks = await store.tasks.list(SCOPE, {})
      return Object.fromEntries(tasks.map(({ id, status }) => [id, status]))
    },
    claim: async (id?: string): Promise<Lease> => {
      const request = { agent: agentId('loop'), leaseSeconds: 600, build: BUILD }
      const claim = await store.tasks.claim(SCOPE, id === undefined ? request : { ...request, id: taskId(id) })
      if (claim === null) throw new Error('nothing can be claimed')
      return { scope: SCOPE, task: claim.task.id, fence: claim.task.fence }
    },
    /** One agent session of a minute. */
    iterate: async (lease: Lease, kind: SignalKind | null, error: string | null = null) => {
      const { number: attempt, iteration: last } = await saved(lease.task)
      const iteration = last + 1
      const signal = kind === null ? null : signalOf(kind, 'lost in the woods')
      const startedAt = clock.now
      clock.now += 60_000
      const tree = `tree-${clock.now}` as TreeId
      await record(lease, { type: 'iterationDone', taskId: lease.task, attempt, iteration, signal, tree, error }, [
        { ...emptyRecord, task: lease.task, attempt, iteration, startedAt, signal: kind, error },
      ])
    },
    /** Records the verdict on the last tree. */
    verify: async (lease: Lease, error: string | null) => {
      const { number: attempt, tree } = await saved(lease.task)
      const verdict = error === null ? ({ is: 'green' } as const) : ({ is: 'red', error } as const)
      const evidence = 'sha256:e' as EvidenceId
      await record(lease, { type: 'verified', taskId: lease.task, attempt, tree: tree ?? TREE, verdict, evidence })
    },
    merge: async (lease: Lease) => {
      const { number: attempt, tree } = await saved(lease.task)
      const about = { taskId: lease.task, attempt }
      await record(lease, { type: 'reviewed', ...about, decision: { is: 'approve' }, reasons: [] })
      const proof = { by: 'evidence', evidence: 'sha256:e' as EvidenceId } as const
      await record(lease, { type: 'merged', ...about, commit: 'c0ffee' as CommitId, tree: tree ?? TREE, proof })
    },
  }
}

export type Rig = Awaited<ReturnType<typeof setUp>>

/** Imports the file and starts a build over it. */
export async function started(text: string) {
  const rig = await setUp()
  rig.save(text)
  await rig.importFile()
  await rig.start()
  return { ...rig, progress: rig.keep() }
}

/** From the claim to the merge, in one iteration. */
export async function complete(rig: Rig, id: string): Promise<void> {
  const lease = await rig.claim(id)
  await rig.iterate(lease, 'TASK_COMPLETE')
  await rig.verify(lease, null)
  await rig.merge(lease)
}

function newBuild(now: number): Build {
  return {
    id: BUILD,
    idea: 'i_1' as IdeaId,
    spec: SPEC,
    state: 'running',
    configHash: 'sha256:0',
    lastError: null,
    startedAt: now,
    lastActivityAt: now,
  }
}

const emptyRecord = {
  kind: 'iteration',
  agent: 'scripted',
  durationMs: 60_000,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: null,
  scratchpad: null,
  transcript: '',
} as const
