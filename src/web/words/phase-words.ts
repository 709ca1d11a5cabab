// Phases of attempts and builds, in the words of the page.
import type { Phase } from '../../core/attempt/attempt.ts'
import type { StepPhase } from '../../core/builds/build.ts'
import type { Tone } from '../parts/badge.tsx'
import { timeOfDay } from '../parts/time.ts'

export function phaseWord(phase: Phase): string {
  switch (phase.at) {
    case 'working':
      return 'the agent works'
    case 'verifying':
      return 'checks are run'
    case 'reviewing':
      return 'the patch is reviewed'
    case 'objecting':
      return 'the agent says a check is wrong'
    case 'merging':
      return 'the patch is merged'
    case 'intervening':
      return 'SIA looks at it'
    case 'escalating':
    case 'waiting':
      return 'waits for a human'
    case 'limited':
      return `waits for ${phase.agent} until ${timeOfDay(phase.until)}`
    case 'settled':
      return 'settled'
  }
}

export const STEP_PHASES: Readonly<Record<StepPhase, { readonly word: string; readonly tone: Tone }>> = {
  planning: { word: 'Planning', tone: 'busy' },
  implementing: { word: 'Implementing', tone: 'busy' },
  verifying: { word: 'Verifying', tone: 'busy' },
  reviewing: { word: 'Reviewing', tone: 'busy' },
  iterating: { word: 'Iterating', tone: 'ask' },
  ready: { word: 'Ready', tone: 'good' },
  aborted: { word: 'Aborted', tone: 'quiet' },
  error: { word: 'Error', tone: 'bad' },
}
