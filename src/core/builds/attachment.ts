// Records that a build keeps beside its facts, written in the same transaction as the fact they belong to.
import type { CheckRun, Evidence } from '../evidence/evidence.ts'
import type { Outage } from '../session/fallback.ts'
import type { BranchRestored, StatusRejected } from '../fact/fact.ts'
import type { EvidenceId, Instant, TaskId, TreeId } from '../values/id.ts'
import type { Message } from './user-message.ts'
import type { Planning } from './planning.ts'
import type { Seed } from '../plan/seed.ts'
import type { Technique } from '../role-answers/sia.ts'
import type { LandingRecord } from '../attempt/landing.ts'
import type { TriedExamples } from '../sealed/for-reviewer.ts'

/** One agent session: its role, its duration, its cost and what it leaves for the next one. */
export interface IterationRecord {
  readonly kind: 'iteration'
  readonly task: TaskId
  readonly attempt: number
  readonly iteration: number
  readonly agent: string
  readonly startedAt: Instant
  readonly durationMs: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number | null
  readonly signal: string | null
  readonly error: string | null
  readonly scratchpad: string | null
  readonly transcript: string
}

export interface EvidenceRecord {
  readonly kind: 'evidence'
  readonly id: EvidenceId
  readonly evidence: Evidence
}

/** A lesson from something that failed and then worked; later tasks get to see it. */
export interface Lesson {
  readonly kind: 'lesson'
  readonly task: TaskId
  readonly technique: Technique
  readonly text: string
}

export interface ReviewRecord {
  readonly kind: 'review'
  readonly task: TaskId
  readonly attempt: number
  readonly by: 'rule' | 'agent'
  /** The reviewing agent; left out where a person reviewed. */
  readonly agent?: string
  readonly decision: 'approve' | 'request_changes'
  readonly reasons: readonly string[]
  readonly requiredFixes: readonly string[]
}

/** The config that the build was frozen with at its start, and the file that its plan came from. */
export interface FrozenConfig {
  readonly kind: 'config'
  readonly config: unknown
  readonly source: string | null
  /** Left out: agents work in folders of their own. */
  readonly where?: 'in-place'
}

/** The input that the planner plans the build from. */
export interface FrozenSeed {
  readonly kind: 'seed'
  readonly seed: Seed
}

/** The state of the planning. */
export interface PlanningRecord extends Planning {
  readonly kind: 'planning'
}

/** Who continues the build by default: a server resumes the builds that its own loops drove. */
export interface DriveRecord {
  readonly kind: 'drive'
  readonly by: 'server' | 'hand'
  /** How many tasks run at the same time, where the user set it. */
  readonly workers?: number
}

/** A message from the user that arrived while no task waited for one. */
export interface MessageRecord extends Message {
  readonly kind: 'message'
}

/** An agent that cannot work before `until`, and the agent that plays its role in the meantime. */
export interface OutageRecord extends Outage {
  readonly kind: 'outage'
  readonly role: string
  readonly agent: string
  readonly by: string
}

/** A check that ended by itself and was red. It stays red on this tree, in this build and in every later one. */
export interface RedCheckRecord {
  readonly kind: 'redCheck'
  /** Hash of everything that the result depends on: tree, check, setup, files and tools. */
  readonly key: string
  readonly tree: TreeId
  readonly task: TaskId
  readonly run: CheckRun
}

/** Of more tests than this, the record keeps only the number. */
const NAMES_KEPT_MAX = 2_000

export function redCheckOf(red: Omit<RedCheckRecord, 'kind'>): RedCheckRecord {
  const { passed = [], failed = [], skipped = [] } = red.run.names ?? {}
  const isLong = passed.length + failed.length + skipped.length > NAMES_KEPT_MAX
  return { kind: 'redCheck', ...red, run: isLong ? { ...red.run, names: null } : red.run }
}

/**
 * The sealed examples of a task with their values, and what came out of them on a tree: for reviewers and for people.
 * Nothing that a session can reach shows it.
 */
export interface SealedRecord extends TriedExamples {
  readonly kind: 'sealed'
  readonly task: TaskId
  readonly tree: TreeId
  /** `settings`: in ralph.toml, which agents can read. `file`: outside of the repository. */
  readonly from: 'plan' | 'settings' | 'file'
}

/** A warning for the operator that stays visible after the log has moved on. */
export interface WarningRecord {
  readonly kind: 'warning'
  readonly at: Instant
  readonly warning: BranchRestored | StatusRejected
}

export type Attachment =
  | IterationRecord
  | EvidenceRecord
  | Lesson
  | ReviewRecord
  | FrozenConfig
  | FrozenSeed
  | PlanningRecord
  | DriveRecord
  | MessageRecord
  | OutageRecord
  | RedCheckRecord
  | LandingRecord
  | WarningRecord
  | SealedRecord
export type AttachmentOf<Kind extends Attachment['kind']> = Extract<Attachment, { kind: Kind }>

/** A repeated effect replaces the records of the first try. */
export function attachmentKey(attachment: Attachment): string {
  switch (attachment.kind) {
    case 'iteration':
      return `${attachment.task}/${attachment.attempt}/${attachment.iteration}`
    case 'evidence':
    case 'message':
      return attachment.id
    case 'lesson':
      return `${attachment.task}/${attachment.technique}`
    case 'review':
      return `${attachment.task}/${attachment.attempt}`
    case 'sealed':
      return `${attachment.task}/${attachment.tree}`
    case 'landing':
      return attachment.commit
    case 'warning':
      return `${attachment.at}/${attachment.warning.type}/${'taskId' in attachment.warning ? attachment.warning.taskId : attachment.warning.from}`
    case 'outage':
      return `${attachment.role}/${attachment.agent}`
    case 'redCheck':
      return attachment.key
    case 'config':
    case 'seed':
    case 'planning':
    case 'drive':
      return ''
  }
}

/** The task that an attachment is about, if any. */
export function attachmentTask(attachment: Attachment): TaskId | null {
  if (attachment.kind === 'evidence') return attachment.evidence.task
  return 'task' in attachment ? attachment.task : null
}
