// A worker whose agent chooses its task itself (`--claim agent`). The loop looks at the tasks, starts a session with what
// it saw, and proves what the session claims; it claims no work for itself. Everything else is as in any build (loop.ts).
//
//   look ── nothing claimable, nobody at work ──> over
//    │ ^──── only others work: wait for a change
//    │ ^──── the store cannot be read: wait, longer each time
//    v
//   session ── claims one task ── done | fail | exits ──> harvest, verify, review, merge, SIA
//    ^                                                      │ needs another iteration
//    └────────── the task is open again, with the reason ───┘
import { next } from '../../core/attempt/attempt.ts'
import type { AgentId, BuildId } from '../../core/values/id.ts'
import { isFree, outsideWord, type Task } from '../../core/task/task.ts'
import { LEASE_SECONDS } from '../claimed-task.ts'
import type { Control } from '../control.ts'
import { runLoop, type Turn, work } from '../loop.ts'
import { freeDeadLoops, LOOK_FOR_THE_DEAD_MS } from '../recover.ts'
import { lostLeases } from '../lost-leases.ts'
import type { Loop, EngineDeps } from '../deps.ts'
import type { Stop, StopSwitch } from '../stop.ts'
import { type ClaimSessionEnd, runClaimSession, NEXT_SESSION, untilSession } from './claim-session.ts'
import { verifyReported } from '../verify/reported.ts'
import { failUnfinished } from './failed-tasks.ts'
import { lookAhead, type Outlook } from './claimable-tasks.ts'
import { type UnclaimedWorkspace, takeUnclaimedWorkspace } from './unclaimed-workspace.ts'

const PEEK_PAUSE_MS = 1_000
const PEEK_PAUSE_MAX_MS = 30_000
/** About half an hour: a store that is away for longer does not come back by itself. */
const PEEKS_FAILED_MAX = 60
const IDLE_SESSIONS_MAX = 3

export async function runClaimLoop(
  engine: EngineDeps,
  build: BuildId,
  agentId: AgentId,
  stops: StopSwitch,
): Promise<Stop> {
  const unclaimed = takeUnclaimedWorkspace(engine)
  try {
    return await runLoop(engine, build, agentId, stops, agentClaims(unclaimed))
  } finally {
    unclaimed.free()
  }
}

function agentClaims(unclaimed: UnclaimedWorkspace): Turn {
  let sessions = 0
  let idle = 0
  let peeksFailed = 0
  let waits = 0
  const lost = lostLeases()
  return async (loop, stops, control) => {
    const seen = control.seen()
    let outlook: Outlook
    try {
      await failUnfinished(loop)
      await verifyReported(loop, stops.signal)
      outlook = await lookAhead(loop)
      peeksFailed = 0
    } catch (error) {
      peeksFailed += 1
      if (peeksFailed > PEEKS_FAILED_MAX) throw error
      await control.changed(seen, Math.min(PEEK_PAUSE_MAX_MS, PEEK_PAUSE_MS * 2 ** (peeksFailed - 1)))
      return null
    }
    const ready = await findProvable(loop, outlook)
    if (ready !== null) return proveOnly(loop, ready, stops, control)
    if (outlook.is === 'over') return outlook.stop
    if (outlook.is === 'others') return waitForOthers(loop, outlook.until, control, seen)
    const stop = stops.atIteration()
    if (stop !== null) return stop
    sessions += 1
    const { snapshot } = outlook
    const session = await runClaimSession(loop, { unclaimed, stops, control, number: sessions, snapshot, waits })
    waits = session.is === 'waited' ? waits + 1 : 0
    idle = session.is === 'idle' ? idle + 1 : 0
    if (session.is === 'stopped') return session.stop
    if (session.is === 'lost') return lost.afterLoss(loop, session.takenBy, stops)
    lost.afterWork()
    return session.is === 'idle' && idle >= IDLE_SESSIONS_MAX ? idleStop(session) : null
  }
}

/** Finds tasks that need no session: under way when a loop died, resolved by a human, or reported as done. */
async function findProvable({ engine, build }: Loop, outlook: Outlook): Promise<Task | null> {
  const said = outlook.active.find((task) => outsideWord(task) !== null && isFree(task, engine.now(), 'loop'))
  if (said !== undefined) return said
  for (const task of outlook.claimable) {
    const attempt = await engine.store.builds.attempt(build, task.id)
    const effect = attempt === null ? null : next(attempt)
    if (effect !== null && effect.do !== 'iterate') return task
  }
  return null
}

/** Does the engine's own work on a task, up to where it needs an agent again. */
async function proveOnly(loop: Loop, { id }: Task, stops: StopSwitch, control: Control): Promise<Stop | null> {
  const { engine, build, agentId } = loop
  const claim = await engine.store.tasks.claim(engine.scope, { id, agent: agentId, leaseSeconds: LEASE_SECONDS, build })
  if (claim === null) return null
  // The engine takes over the work of an outside agent as an iteration, which needs no session.
  const isOutside = outsideWord(claim.task) !== null
  const { stop } = await work(loop, claim, isOutside ? onlyThis(stops) : untilSession(stops), control)
  return stop === NEXT_SESSION ? null : stop
}

/** Allows one iteration, and no second one. */
function onlyThis(stops: StopSwitch): StopSwitch {
  let isFirst = true
  const atIteration = (): Stop | null => {
    const stop = isFirst ? stops.atIteration() : NEXT_SESSION
    isFirst = false
    return stop
  }
  return { ...stops, atIteration }
}

async function waitForOthers(loop: Loop, until: number, control: Control, seen: number): Promise<null> {
  await freeDeadLoops(loop.engine, loop.build)
  // The store does not change when a loop dies or its lease ends, so nobody notifies us.
  await control.changed(seen, Math.max(1, Math.min(LOOK_FOR_THE_DEAD_MS, until - loop.engine.now())))
  return null
}

function idleStop({ problem, transcript }: Extract<ClaimSessionEnd, { is: 'idle' }>): Stop {
  const why = problem === null ? '' : ` It failed: ${problem}`
  const detail = `${IDLE_SESSIONS_MAX} sessions in a row claimed no task although there were some; '--claim engine' gives each session its task, and what the last one did is in ${transcript}.${why}`
  return { reason: 'Failed', detail }
}
