// What is kept of a build beside its facts, in the same transaction as the fact it belongs to.
import type { CheckRun, Evidence } from '../evidence/evidence.ts'
import type { Outage } from '../session/fallback.ts'
import type { BranchRestored, StatusRejected } from '../fact/fact.ts'
import type { EvidenceId, Instant, TaskId, TreeId } from '../values/id.ts'
import type { Message } from './user-message.ts'
import type { Planning } from './planning.ts'
import type { Seed } from '../plan/seed.ts'
import type { Technique } from '../role/sia.ts'
import type { LandingRecord } from '../attempt/landing.ts'

/** One agent session: who, how long, what it cost, what it left for the next. */
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

/** What was learned when something failed and then worked; shown to later tasks. */
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
  /** Who reviewed, where it was an agent. */
  readonly agent?: string
  readonly decision: 'approve' | 'request_changes'
  readonly reasons: readonly string[]
  readonly requiredFixes: readonly string[]
}

/** What the build was frozen with when it started, and the file its plan came from. */
export interface FrozenConfig {
  readonly kind: 'config'
  readonly config: unknown
  readonly source: string | null
  /** Left out: agents work in folders of their own. */
  readonly where?: 'in-place'
}

/** What the build is planned from. */
export interface FrozenSeed {
  readonly kind: 'seed'
  readonly seed: Seed
}

/** How its planning stands. */
export interface PlanningRecord extends Planning {
  readonly kind: 'planning'
}

/** Who goes on with the build where nobody says otherwise: a server takes up again what its loops drove. */
export interface DriveRecord {
  readonly kind: 'drive'
  readonly by: 'server' | 'hand'
  /** Tasks at the same time, where somebody said so. */
  readonly workers?: number
}

/** What somebody said while nobody waited for it. */
export interface MessageRecord extends Message {
  readonly kind: 'message'
}

/** An agent that cannot work before `until`, and who plays its role meanwhile. */
export interface OutageRecord extends Outage {
  readonly kind: 'outage'
  readonly role: string
  readonly agent: string
  readonly by: string
}

/** A check that came to its own end and was red: on this tree it is red for good, in this build and in every later one. */
export interface RedCheckRecord {
  readonly kind: 'redCheck'
  /** What the result depends on: tree, check, setup, files and tools. */
  readonly key: string
  readonly tree: TreeId
  readonly task: TaskId
  readonly run: CheckRun
}

/** Of more tests than this only the number is kept. */
const NAMES_KEPT_MAX = 2_000

export function redCheckOf(red: Omit<RedCheckRecord, 'kind'>): RedCheckRecord {
  const { passed = [], failed = [], skipped = [] } = red.run.names ?? {}
  const isLong = passed.length + failed.length + skipped.length > NAMES_KEPT_MAX
  return { kind: 'redCheck', ...red, run: isLong ? { ...red.run, names: null } : red.run }
}

/** What the operator is to know, also after the log has moved on. */
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
export type AttachmentOf<Kind extends Attachment['kind']> = Extract<Attachment, { kind: Kind }>

/** Performing an effect again replaces what the first try kept. */
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

/** The task an attachment is about, if it is about one. */
export function attachmentTask(attachment: Attachment): TaskId | null {
  if (attachment.kind === 'evidence') return attachment.evidence.task
  return 'task' in attachment ? attachment.task : null
}
