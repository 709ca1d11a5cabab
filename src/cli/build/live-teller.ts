// The live view of a build on a terminal. Drawn at most ten times a second, and once a second for its clock.
import type { RecordedFact } from '../../core/fact.ts'
import type { TaskId } from '../../core/id.ts'
import { print, printError } from '../output.ts'
import { paint } from '../paint.ts'
import { frame } from './frame.ts'
import { type LiveState, NOTHING_SEEN, onlyHeld, seen } from './live-state.ts'
import { openScreen } from './screen.ts'
import { storyteller } from './story.ts'
import type { Teller } from './teller.ts'
import { withWords } from './words.ts'

const DRAW_EVERY_MS = 100
const CLOCK_MS = 1_000

interface Watched {
  readonly startedAt: number
  readonly unsettled: () => Promise<number>
}

export function liveTeller({ startedAt, unsettled }: Watched): Teller {
  const { stdout } = process
  const size = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 })
  const screen = openScreen(print, () => size().columns)
  const tell = storyteller()
  let state: LiveState = NOTHING_SEEN
  const said = new Map<TaskId | null, readonly string[]>()
  /** What was left when so many were settled; what is settled since is counted off until it is known anew. */
  let counted = { left: 0, settled: 0 }
  let counting: 'idle' | 'busy' | 'busy-and-outdated' = 'idle'
  let isOver = false
  let pending: NodeJS.Timeout | null = null

  const left = (): number => Math.max(0, counted.left - Math.max(0, state.settled - counted.settled))
  const lines = (): string[] => frame({ state, unsettled: left(), startedAt, now: Date.now(), said }, size(), paint)
  const draw = (): void => {
    if (!isOver) screen.draw(lines())
  }
  const soon = (): void => {
    pending ??= setTimeout(() => {
      pending = null
      draw()
    }, DRAW_EVERY_MS).unref()
  }
  const recount = (): void => {
    if (counting !== 'idle') {
      counting = 'busy-and-outdated'
      return
    }
    counting = 'busy'
    const { settled } = state
    void unsettled()
      .then((number) => {
        counted = { left: number, settled }
        soon()
      })
      .catch(() => {})
      .finally(() => {
        const again = counting === 'busy-and-outdated'
        counting = 'idle'
        if (again && !isOver) recount()
      })
  }
  const ticker = setInterval(draw, CLOCK_MS).unref()
  stdout.on('resize', soon)

  const take = (facts: Parameters<Teller['facts']>[0]): void => {
    state = facts.reduce(seen, state)
    recount()
  }
  return {
    past: take,
    held: (report) => (state = onlyHeld(state, report)),
    facts: (facts) => {
      take(facts)
      forget(said, facts, state)
      const story = tell(facts)
      if (story === '') soon()
      else screen.above(story, lines())
    },
    agent: (task, event) => {
      said.set(task, withWords(said.get(task) ?? [], event))
      soon()
    },
    remark: (sentence) => {
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

/** A new session has not said anything yet, and of a task that nobody works on nothing is shown. */
function forget(said: Map<TaskId | null, unknown>, facts: readonly RecordedFact[], { working }: LiveState): void {
  for (const { fact } of facts) {
    if (fact.type === 'iterationStarted') said.delete(fact.taskId)
    if (fact.type === 'iterationStarted' || fact.type === 'planning') said.delete(null)
  }
  for (const task of said.keys()) if (task !== null && !working.has(task)) said.delete(task)
}
