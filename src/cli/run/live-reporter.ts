// The live view of a build on a terminal. Drawn at most ten times a second, and once a second for its clock.
import { styleText } from 'node:util'
import type { RecordedFact } from '../../core/fact/fact.ts'
import type { TaskId } from '../../core/values/id.ts'
import { print, printError } from '../output.ts'
import { frame } from './frame.ts'
import { type LiveState, NOTHING_SEEN, onlyHeld, stateAfter } from './live-state.ts'
import { openScreen } from './screen.ts'
import { lineReporter } from './line-reporter.ts'
import type { Reporter } from './reporter.ts'
import { withWords } from '../text/last-words.ts'

const DRAW_EVERY_MS = 100
const CLOCK_MS = 1_000

interface Watched {
  readonly startedAt: number
  readonly unsettled: () => Promise<number>
}

export function liveReporter({ startedAt, unsettled }: Watched): Reporter {
  const { stdout } = process
  const size = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 })
  const screen = openScreen(print, () => size().columns)
  const tell = lineReporter()
  let state: LiveState = NOTHING_SEEN
  const lastWords = new Map<TaskId | null, readonly string[]>()
  let isOver = false
  let pending: NodeJS.Timeout | null = null

  const lines = (): string[] =>
    frame(
      { state, unsettled: count.left(state.settled), startedAt, now: Date.now(), said: lastWords },
      size(),
      styleText,
    )
  const draw = (): void => {
    if (!isOver) screen.draw(lines())
  }
  const soon = (): void => {
    pending ??= setTimeout(() => {
      pending = null
      draw()
    }, DRAW_EVERY_MS).unref()
  }
  const count = leftCounter(unsettled, soon)
  const ticker = setInterval(draw, CLOCK_MS).unref()
  stdout.on('resize', soon)

  const take = (facts: Parameters<Reporter['facts']>[0]): void => {
    state = facts.reduce(stateAfter, state)
    count.anew(state.settled)
  }
  return {
    past: take,
    showHeld: (report) => (state = onlyHeld(state, report)),
    facts: (facts) => {
      take(facts)
      forget(lastWords, facts, state)
      const story = tell(facts)
      if (story === '') soon()
      else screen.above(story, lines())
    },
    agent: (task, event) => {
      lastWords.set(task, withWords(lastWords.get(task) ?? [], event))
      soon()
    },
    note: (sentence) => {
      screen.clear()
      printError(`${sentence}\n`)
      draw()
    },
    end: () => {
      isOver = true
      clearInterval(ticker)
      if (pending !== null) clearTimeout(pending)
      stdout.removeListener('resize', soon)
      screen.clear()
    },
  }
}

interface LeftCounter {
  /** The number of tasks that are left. */
  left(settled: number): number
  anew(settled: number): void
}

/** The store answers after a moment. Until then, tasks settled since are subtracted. */
function leftCounter(unsettled: Watched['unsettled'], onCount: () => void): LeftCounter {
  let counted = { left: 0, settled: 0 }
  let isBusy = false
  let next: number | null = null
  const anew = (settled: number): void => {
    if (isBusy) {
      next = settled
      return
    }
    isBusy = true
    void unsettled()
      .then((left) => {
        counted = { left, settled }
        onCount()
      })
      .catch(() => {})
      .finally(() => {
        isBusy = false
        const again = next
        next = null
        if (again !== null) anew(again)
      })
  }
  return { left: (settled) => Math.max(0, counted.left - Math.max(0, settled - counted.settled)), anew }
}

/** A new session starts without words, and a task without a session shows none. */
function forget(lastWords: Map<TaskId | null, unknown>, facts: readonly RecordedFact[], { working }: LiveState): void {
  for (const { fact } of facts) {
    if (fact.type === 'iterationStarted') lastWords.delete(fact.taskId)
    if (fact.type === 'iterationStarted' || fact.type === 'planning') lastWords.delete(null)
  }
  for (const task of lastWords.keys()) if (task !== null && !working.has(task)) lastWords.delete(task)
}
