// A git that stays and answers one question after the other; another takes its place before it grows too large.
import type { AnswerLimits, LongLivedTool } from '../../../system/long-lived-tool.ts'

/** Git keeps every tree it has read. */
const QUESTIONS_MAX = 200

export interface LongLivedGit {
  /** Null where it does not answer as it should. */
  ask(question: string, end: string, limits: AnswerLimits): Promise<Buffer | null>
  /** The next question goes to a new one. */
  renew(): void
}

interface Started {
  readonly tool: LongLivedTool
  questions: number
  turn: Promise<void>
}

export function longLivedGit(start: () => LongLivedTool): LongLivedGit {
  let known: Started | null = null
  const renew = (): void => {
    const old = known
    known = null
    void old?.turn.then(old.tool.end)
  }
  return {
    ask: (question, end, limits) => {
      if (known !== null && (known.tool.isGone() || known.questions >= QUESTIONS_MAX)) renew()
      const now = (known ??= { tool: start(), questions: 0, turn: Promise.resolve() })
      now.questions += 1
      const asked = now.turn.then(() => now.tool.ask(question, end, limits))
      now.turn = asked.then(() => {})
      return asked
    },
    renew,
  }
}
