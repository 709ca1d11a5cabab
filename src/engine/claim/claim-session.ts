// One session that chooses its task. It starts in a folder of no task, with a list of the tasks; the engine harvests,
// records and proves what it claimed like any iteration.
import type { Attempt } from '../../core/attempt/attempt.ts'
import type { AgentCause } from '../../core/fact/fact.ts'
import { choosingPlace } from '../../core/session/session-name.ts'
import type { Used } from '../../core/money/spending.ts'
import { reopenTask } from '../../core/task/task.ts'
import { giveBack, releaseFolder } from '../claimed-task.ts'
import type { Control } from '../control.ts'
import { takerOf } from '../lost-leases.ts'
import { openMeter } from '../session/meter.ts'
import { rejectUnproved } from '../verify/landing.ts'
import { mirrorDebounced } from '../debounced-mirror.ts'
import { iterationOutcome } from '../effects/iterate.ts'
import type { SessionOutcome } from '../session/session-budget.ts'
import { type AttemptEnd, runAttempt } from '../run-attempt.ts'
import { runSession, type SessionEnd } from '../session/session.ts'
import type { SessionRequestContext, Loop } from '../deps.ts'
import type { Stop, StopSwitch } from '../stop.ts'
import { claimRequestHandler, type ClaimedTask } from './claim-requests.ts'
import { EXITED } from './failed-tasks.ts'
import { fileTranscript } from './file-transcript.ts'
import type { UnclaimedWorkspace } from './unclaimed-workspace.ts'
import { afterUnclaimed } from './unclaimed-session.ts'

export interface ClaimSession {
  readonly unclaimed: UnclaimedWorkspace
  readonly stops: StopSwitch
  readonly control: Control
  /** Among the sessions of this loop, from 1. */
  readonly number: number
  readonly snapshot: string
  /** How often in a row the loop has waited for the agent. */
  readonly waits: number
}

export type ClaimSessionEnd =
  | { readonly is: 'worked' }
  | { readonly is: 'lost'; readonly takenBy: string }
  /** Its agent was limited, and the loop waited. */
  | { readonly is: 'waited' }
  /** It claimed nothing although there were tasks; `problem`: how it failed, if it did. */
  | { readonly is: 'idle'; readonly problem: string | null; readonly transcript: string }
  | { readonly is: 'stopped'; readonly stop: Stop }

const WORKED: ClaimSessionEnd = { is: 'worked' }

export async function runClaimSession(loop: Loop, session: ClaimSession): Promise<ClaimSessionEnd> {
  const { engine, build } = loop
  const { stops, control } = session
  const workspace = await engine.workspaces.acquire(build, session.unclaimed.task, null, 'fresh')
  const lost = new AbortController()
  const signal = AbortSignal.any([stops.signal, lost.signal])
  let stopListening = (): void => {}
  const context = claimRequestHandler(loop, {
    workspace,
    signal,
    onLease: (keeper) => {
      stopListening = control.onChange(keeper.look)
      keeper.lost.addEventListener('abort', () => lost.abort(keeper.lost.reason))
    },
  })
  const startedAt = engine.now()
  try {
    const meter = openMeter()
    const requestContext: SessionRequestContext = {
      engine,
      // Each session gets its own folder for the transcript, since it has no task yet.
      build: choosingPlace(build, loop.agentId, session.number),
      task: null,
      attempt: nth(session),
      signal,
      agentId: loop.agentId,
      account: build,
      about: () => aboutOf(context.claimed()),
      meter,
    }
    const prompt = await engine.prompts.fill('claim', { snapshot: session.snapshot })
    const end = await runSession(requestContext, 'implementer', prompt, workspace.folder, context, {
      env: { ...workspace.env, RALPH_AGENT_ID: loop.agentId },
      plugin: engine.plugin,
      pluginPrompt: `/ralph-build ${session.snapshot}`,
    })
    const claimed = context.claimed()
    return claimed === null
      ? await afterIdle(loop, session, end)
      : await settle(loop, claimed, { ...end, startedAt, spent: meter.total() }, stops)
  } finally {
    stopListening()
    context.claimed()?.keeper.end()
    if (context.claimed() === null) await engine.workspaces.release(workspace)
  }
}

function aboutOf(claimed: ClaimedTask | null): ReturnType<NonNullable<SessionRequestContext['about']>> {
  if (claimed === null) return null
  const { taskRun, effect } = claimed
  return { task: taskRun.task.id, attempt: effect.attempt, iteration: effect.iteration }
}

/** The number continues from one session to the next, as with iterations. */
function nth({ number }: ClaimSession): SessionRequestContext['attempt'] {
  return { number: 0, iteration: number - 1 }
}

async function settle(
  loop: Loop,
  claimed: ClaimedTask,
  end: SessionEnd & { readonly startedAt: number; readonly spent: Used | null },
  stops: StopSwitch,
): Promise<ClaimSessionEnd> {
  const { store, watcher, failpoint } = loop.engine
  const { taskRun, effect, lease, keeper } = claimed
  const said = claimed.said()
  // A session that has reported may be stopped at once, for example with a full context: its report stands.
  const outcome: SessionOutcome = said.signal === null ? end.outcome : { ...end.outcome, failure: null }
  const transcript = await fileTranscript(taskRun, effect, end.transcript)
  const performed = await iterationOutcome(effect, taskRun, { ...claimed, ...end, outcome, transcript, said })
  failpoint('performed iterate')
  const fact = end.spent === null ? performed.fact : { ...performed.fact, spent: end.spent }
  if (fact.type !== 'iterationDone') stops.uncount()
  const recorded = await store.builds.record(lease, loop.build, fact, performed.attachments ?? [])
  if (!recorded.kept) return close(loop, claimed, performed.fact, { why: 'leaseLost' })
  failpoint('recorded iterate')
  for (const told of recorded.facts) watcher.fact(told)
  if (performed.stop !== undefined) {
    // What stops this loop would also stop every other loop of this process, only later.
    stops.ask(performed.stop)
    return stopWith(loop, claimed, performed.stop)
  }
  const held = { lease, attempt: recorded.attempt, stops: untilSession(stops), lost: keeper.lost }
  return close(loop, claimed, performed.fact, await runAttempt(loop, held))
}

async function close(loop: Loop, claimed: ClaimedTask, fact: AgentCause, end: AttemptEnd): Promise<ClaimSessionEnd> {
  const { engine, build } = loop
  const { task } = claimed.taskRun
  if (end.why === 'stopped' && end.stop !== NEXT_SESSION) return stopWith(loop, claimed, end.stop)
  if (end.why === 'leaseLost') await rejectUnproved(engine, build)
  const attempt = end.why === 'rested' ? end.attempt : await engine.store.builds.attempt(build, task.id)
  if (end.why === 'stopped') await reopen(loop, claimed, fact, attempt)
  // A loop that loses its task to a human who settled it was the last user of the folder.
  else if (attempt !== null) await releaseFolder(engine, build, attempt)
  if (end.why === 'rested') mirrorDebounced(engine, build)
  const takenBy = end.why === 'leaseLost' ? await takerOf(loop, task.id) : null
  return takenBy === null ? WORKED : { is: 'lost', takenBy }
}

async function stopWith({ engine }: Loop, { taskRun }: ClaimedTask, stop: Stop): Promise<ClaimSessionEnd> {
  await giveBack(engine, taskRun.task)
  return { is: 'stopped', stop }
}

/**
 * Another session is needed: opens the task again with the reason. An interruption that is nobody's fault is no retry.
 */
async function reopen(
  { engine }: Loop,
  { taskRun }: ClaimedTask,
  fact: AgentCause,
  attempt: Attempt | null,
): Promise<void> {
  const { task } = taskRun
  if (fact.type !== 'iterationDone') return giveBack(engine, task)
  const isReported = fact.signal !== null && fact.signal.kind !== 'ITERATION_DONE'
  const told = attempt?.feedback.join('; ') ?? ''
  const reason = isReported && told !== '' ? told : EXITED
  await engine.store.tasks.change(engine.scope, task.id, (row, now) =>
    row.fence === task.fence && row.status === 'active' ? reopenTask(row, reason, now) : row,
  )
}

async function afterIdle(loop: Loop, session: ClaimSession, end: SessionEnd): Promise<ClaimSessionEnd> {
  const { engine } = loop
  const { failure } = end.outcome
  const found = await afterUnclaimed(loop, end, session)
  if (found.is !== 'idle') return found
  const left = await engine.store.tasks.claimable(engine.scope, 1)
  return left.length === 0 ? WORKED : { is: 'idle', problem: failure?.sentence ?? null, transcript: end.transcript }
}

/** Not an end: the next iteration is a session that has to choose the task again. */
export const NEXT_SESSION: Stop = { reason: 'SingleIterationComplete' }

/** Lets the engine do its own work on a task, up to where it needs an agent. */
export function untilSession(stops: StopSwitch): StopSwitch {
  return { ...stops, atIteration: () => stops.asked() ?? NEXT_SESSION }
}
