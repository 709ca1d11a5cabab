// A git that stays and answers one question after the other; another takes its place before it grows too large.
import type { AnswerLimits, Resident } from '../../../system/long-lived-tool.ts'

/** Git keeps every tree it has read. */
const QUESTIONS_MAX = 200

export interface StandingGit {
  /** Null where it does not answer as it should. */
  ask(question: string, end: string, limits: AnswerLimits): Promise<Buffer | null>
  /** The next question goes to a new one. */
  renew(): void
}

interface Started {
  readonly resident: Resident
  questions: number
  turn: Promise<void>
}

export function standingGit(start: () => Resident): StandingGit {
  let known: Started | null = null
  const renew = (): void => {
    const old = known
    known = null
    void old?.turn.then(old.resident.end)
  }
  return {
    ask: (question, end, limits) => {
      if (known !== null && (known.resident.isGone() || known.questions >= QUESTIONS_MAX)) renew()
      const now = (known ??= { resident: start(), questions: 0, turn: Promise.resolve() })
      now.questions += 1
      const asked = now.turn.then(() => now.resident.ask(question, end, limits))
      now.turn = asked.then(() => {})
      return asked
    },
    renew,
  }
}
