// The steps that a scripted agent plays: for each session, those of the part that fits it best.
import type { ScratchpadText } from '../../core/session/scratchpad.ts'
import type { SignalKind } from '../../core/session/signal.ts'
import type { FailureKind, Role, Session, Usage } from '../agent.ts'

/** Each is an object with one field. Paths are relative to the session's folder and stay in it, but for writeOutside. */
export type Step =
  | { readonly write: FileText }
  | { readonly append: FileText }
  | { readonly delete: string }
  /** A shell line, or a program and its arguments. What it leaves running ends with it. */
  | { readonly run: string | readonly string[] }
  /** `git add` and `git commit` of all that is in the folder. */
  | { readonly commit: { readonly message: string } }
  | { readonly scratchpad: ScratchpadText }
  | { readonly savePrompt: string }
  | { readonly writeOutside: FileText }
  | { readonly deleteFolder: Nothing }
  /** A process that outlives the agent. */
  | { readonly leaveChild: { readonly holdOutput?: boolean; readonly ignoreSigterm?: boolean } }
  | { readonly say: string }
  /** The final message; the last one counts. */
  | { readonly answer: Readonly<Record<string, unknown>> }
  | { readonly answerText: string }
  /** On a line of its own at the end of the final message. */
  | { readonly signal: { readonly kind: SignalKind; readonly reason?: string } }
  /** Added to what was used before. */
  | { readonly usage: Omit<Usage, 'costUsd'> & Partial<Pick<Usage, 'costUsd'>> }
  /** Milliseconds. */
  | { readonly sleep: number }
  | { readonly hang: { readonly ignoreSigterm?: boolean } }
  /** Says its result, and does not leave. */
  | { readonly linger: { readonly ignoreSigterm?: boolean } }
  | { readonly crash: { readonly code: number } | { readonly signal: CrashSignal } }
  | { readonly fail: { readonly kind: FailureKind; readonly sentence: string; readonly untilInSeconds?: number } }
  | { readonly flood: { readonly bytes: number; readonly as: 'lines' | 'oneLine' } }
  | { readonly badUtf8: Nothing }
  | { readonly tornJson: Nothing }

export type StepName = Step extends infer One ? (One extends Step ? keyof One : never) : never
export type StepValue<Name extends StepName> = Extract<Step, Record<Name, unknown>>[Name]

export interface FileText {
  readonly path: string
  readonly content: string
}

type Nothing = Readonly<Record<string, never>>

export const CRASH_SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGSEGV', 'SIGABRT'] as const
type CrashSignal = (typeof CRASH_SIGNALS)[number]

/** Null fits any. */
export interface Part {
  readonly role: Role | null
  readonly task: string | null
  readonly attempt: number | null
  readonly iteration: number | null
  readonly steps: readonly Step[]
}

export interface Scenario {
  readonly parts: readonly Part[]
}

const features = ['role', 'task', 'attempt', 'iteration'] as const

/** The part that names most of what the session is; among equals the first. */
export function partFor(scenario: Scenario, session: Pick<Session, (typeof features)[number]>): Part | null {
  const fitting = scenario.parts.filter((part) =>
    features.every((feature) => part[feature] === null || part[feature] === session[feature]),
  )
  const named = (part: Part): number => features.filter((feature) => part[feature] !== null).length
  return fitting.reduce<Part | null>((best, part) => (best === null || named(part) > named(best) ? part : best), null)
}
