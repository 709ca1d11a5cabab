// The pipeline of an idea: its phases, which move leads to which, what a move needs and what it starts.
//
//   ideation ─ ideation_ready ─ specification ─ spec_ready ─ building ─ build_review ─ deployed
//                                    ^               ^            │            │           │
//                                    │               └── build ───┴── again ───┘           │
//                                    └──────────────────── the next version ───────────────┘
// paused and failed remember the phase before and lead back there.
import { refuse } from '../error/error.ts'

export const PIPELINE_PHASES = [
  'ideation',
  'ideation_ready',
  'specification',
  'spec_ready',
  'building',
  'build_review',
  'deployed',
  'paused',
  'failed',
] as const
export type PipelinePhase = (typeof PIPELINE_PHASES)[number]

/** `resumes`: for a paused or failed idea the phase before; else null. */
export interface PipelinePlace {
  readonly phase: PipelinePhase
  readonly resumes: PipelinePhase | null
}

const onwards: Readonly<Record<Exclude<PipelinePhase, 'paused' | 'failed'>, readonly PipelinePhase[]>> = {
  ideation: ['ideation_ready'],
  ideation_ready: ['specification', 'spec_ready', 'ideation'],
  specification: ['spec_ready', 'ideation_ready'],
  spec_ready: ['building', 'specification'],
  building: ['build_review'],
  build_review: ['deployed', 'building', 'specification'],
  deployed: ['specification', 'build_review'],
}

/** The most useful first. */
export function legalMoves({ phase, resumes }: PipelinePlace): readonly PipelinePhase[] {
  if (phase === 'paused') return [resumes ?? 'ideation', 'failed']
  if (phase === 'failed') return [...new Set([resumes ?? 'ideation', 'specification', 'ideation'] as const)]
  return phase === 'deployed' ? onwards.deployed : [...onwards[phase], 'paused', 'failed']
}

/** The place of an idea after a legal move. */
export function placeAfter({ phase, resumes }: PipelinePlace, to: PipelinePhase): PipelinePlace {
  if (to !== 'paused' && to !== 'failed') return { phase: to, resumes: null }
  return { phase: to, resumes: phase === 'paused' || phase === 'failed' ? resumes : phase }
}

export type Prerequisite = 'spec' | 'project' | 'answers' | 'completeBuild' | 'shipGate'

/** The prerequisites of each phase. */
const prerequisites: Readonly<Partial<Record<PipelinePhase, readonly Prerequisite[]>>> = {
  spec_ready: ['spec'],
  building: ['spec', 'project'],
  build_review: ['completeBuild'],
  deployed: ['completeBuild', 'shipGate'],
}

export const PREREQUISITE_SENTENCES: Readonly<Record<Prerequisite, string>> = {
  spec: 'it has no spec yet',
  project: 'it has no repository and base branch to be built in',
  answers: "a task of its build waits for a human; 'ralph status' tells how to answer it",
  completeBuild: 'it has no complete build',
  shipGate: 'the ship gate does not let its build pass',
}

/** Nobody can waive a missing repository, or a missing answer. */
const FIRM: readonly Prerequisite[] = ['project', 'answers']

function needsOf(place: PipelinePlace, to: PipelinePhase): readonly Prerequisite[] {
  // An idea that returns to where it was paused had everything it needed there.
  if (place.phase === 'paused' && to === place.resumes) return to === 'building' ? ['answers'] : []
  return prerequisites[to] ?? []
}

/** The work that a move starts. */
export type Undertaking = 'specify' | 'build' | 'pauseBuild' | 'resumeBuild' | 'abortBuild' | 'ship'

function undertakingOf({ phase, resumes }: PipelinePlace, to: PipelinePhase): Undertaking | null {
  const isBuilding = phase === 'building' || (phase === 'paused' && resumes === 'building')
  if (to === 'specification') return 'specify'
  if (to === 'building') return phase === 'paused' ? 'resumeBuild' : 'build'
  if (to === 'paused') return isBuilding ? 'pauseBuild' : null
  if (to === 'failed') return isBuilding ? 'abortBuild' : null
  return to === 'deployed' ? 'ship' : null
}

export interface MoveRequest {
  readonly to: PipelinePhase
  /** The prerequisites that are met. */
  readonly met: readonly Prerequisite[]
  /** `overridden`: a named person waives the missing ones, with a reason. */
  readonly missing: 'refused' | 'overridden'
}

export type MoveVerdict =
  | {
      readonly is: 'legal'
      readonly starts: Undertaking | null
      /** The prerequisites that a person waived. */
      readonly overridden: readonly Prerequisite[]
    }
  | { readonly is: 'illegal'; readonly legal: readonly PipelinePhase[] }
  | { readonly is: 'unready'; readonly lacks: readonly Prerequisite[] }

export function judgeMove(place: PipelinePlace, { to, met, missing }: MoveRequest): MoveVerdict {
  const legal = legalMoves(place)
  if (!legal.includes(to)) return { is: 'illegal', legal }
  const lacks = needsOf(place, to).filter((one) => !met.includes(one))
  const firm = missing === 'overridden' ? lacks.filter((one) => FIRM.includes(one)) : lacks
  if (firm.length > 0) return { is: 'unready', lacks: firm }
  // A person who says that it is deployed although the gate is shut deployed it by hand.
  const isSaidOnly = to === 'deployed' && lacks.length > 0
  return { is: 'legal', starts: isSaidOnly ? null : undertakingOf(place, to), overridden: lacks }
}

/** The same, but throws where the move is not legal. */
export function requireMove(
  id: string,
  place: PipelinePlace,
  request: MoveRequest,
): Extract<MoveVerdict, { is: 'legal' }> {
  const verdict = judgeMove(place, request)
  if (verdict.is === 'legal') return verdict
  const { phase: from } = place
  if (verdict.is === 'illegal')
    throw refuse('IDEA_MOVE_ILLEGAL', { id, from, to: request.to, legal: verdict.legal.join(', ') })
  const lacks = verdict.lacks.map((one) => PREREQUISITE_SENTENCES[one]).join('; ')
  throw refuse('IDEA_NOT_READY', { id, to: request.to, lacks })
}
