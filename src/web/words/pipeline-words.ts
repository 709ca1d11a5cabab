// The phases of the pipeline in the words of the page, with their meaning and the effect of a move.
import {
  CircleAlert,
  CirclePause,
  FileCheck,
  FilePen,
  Hammer,
  Lightbulb,
  type LucideIcon,
  Rocket,
  ShieldCheck,
  Sparkles,
} from 'lucide-react'
import { judgeMove, type PipelinePhase, type PipelinePlace, type Undertaking } from '../../core/idea/pipeline.ts'
import type { Tone } from '../parts/badge.tsx'

interface PhaseWord {
  readonly word: string
  readonly tone: Tone
  readonly icon: LucideIcon
  readonly about: string
}

export const PHASES: Readonly<Record<PipelinePhase, PhaseWord>> = {
  ideation: { word: 'Ideation', tone: 'quiet', icon: Lightbulb, about: 'What somebody wants, in any words.' },
  ideation_ready: { word: 'Ideation ready', tone: 'quiet', icon: Sparkles, about: 'Clear enough to be planned.' },
  specification: { word: 'Specification', tone: 'busy', icon: FilePen, about: 'A planner makes tasks of it.' },
  spec_ready: { word: 'Spec ready', tone: 'calm', icon: FileCheck, about: 'Has a plan, to be looked at and started.' },
  building: { word: 'Building', tone: 'busy', icon: Hammer, about: 'Agents work on its tasks.' },
  build_review: {
    word: 'Build review',
    tone: 'ask',
    icon: ShieldCheck,
    about: 'Built and proved, waits to be shipped.',
  },
  deployed: { word: 'Deployed', tone: 'good', icon: Rocket, about: 'In the base branch.' },
  paused: { word: 'Paused', tone: 'calm', icon: CirclePause, about: 'Waits, often for an answer of yours.' },
  failed: { word: 'Failed', tone: 'bad', icon: CircleAlert, about: 'Went wrong, and can be tried again.' },
}

const STARTS: Readonly<Record<Undertaking, string>> = {
  specify: 'The planner reads the project and makes tasks of it.',
  build: 'The build starts: agents work on its tasks.',
  pauseBuild: 'Its build ends what it is doing, and begins nothing more.',
  resumeBuild: 'Its build goes on.',
  abortBuild: 'Its build is aborted: the agent is stopped at once. What was merged stays in the branch of the build.',
  ship: 'Its build is published: through the ship gate to the base branch.',
}

const EVERYTHING = ['spec', 'project', 'answers', 'completeBuild', 'shipGate'] as const

/** The effect of a legal move as a sentence; null: none. */
export function startedBy(place: PipelinePlace, to: PipelinePhase): string | null {
  const verdict = judgeMove(place, { to, met: EVERYTHING, missing: 'refused' })
  return verdict.is === 'legal' && verdict.starts !== null ? STARTS[verdict.starts] : null
}
