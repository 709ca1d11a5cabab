// A git process that answers one question after the other. A new one replaces it before it grows too large.
import type { AnswerLimits, LongLivedTool } from '../../../system/long-lived-tool.ts'

/** Git keeps every tree that it has read. */
const QUESTIONS_MAX = 200

export interface LongLivedGit {
  /** Null where the answer is incomplete. */
  ask(question: string, end: string, limits: AnswerLimits): Promise<Buffer | null>
  /** Sends the next question to a new process. */
  renew(): void
}

interface StartedGit {
  readonly tool: LongLivedTool
  questions: number
  turn: Promise<void>
}

export function longLivedGit(start: () => LongLivedTool): LongLivedGit {
  let known: StartedGit | null = null
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
