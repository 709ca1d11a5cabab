// One fresh agent session on the task, in the task's own folder. The engine harvests the result, whatever the agent
// says.
import type { Agent } from '../../agents/agent.ts'
import type { Effect } from '../../core/attempt/attempt.ts'
import type { IterationRecord } from '../../core/builds/attachment.ts'
import { reconcile, type Signal, signalOf } from '../../core/session/signal.ts'
import { outsideWord } from '../../core/task/task.ts'
import type { Instant, TreeId } from '../../core/values/id.ts'
import { buildBrief, messagesFor } from '../session/brief.ts'
import { failurePolicy } from '../session/failure-policy.ts'
import { soundBranch } from '../verify/landing.ts'
import { patchBrief, type TakenPatch, takePatch } from '../session/patch-session.ts'
import type { EffectOutcome } from '../perform.ts'
import type { ProgressSession } from '../progress.ts'
import { signalIn } from '../progress/answer.ts'
import { scratchpadFile, takeScratchpad } from '../session/scratchpad-file.ts'
import { runSession, type SessionEnd } from '../session/session.ts'
import { iterationRequestHandler, type SessionReport } from '../session/session-requests.ts'
import { openPatchTools } from '../session/patch-tools.ts'
import type { TaskRun } from '../deps.ts'
import type { AttemptMark, Workspace } from '../../workspace/workspace.ts'
import { takeOutsideWork } from './take-outside-work.ts'

export type Iterate = Extract<Effect, { do: 'iterate' }>

export async function iterate(effect: Iterate, taskRun: TaskRun): Promise<EffectOutcome> {
  const { engine, attempt, task, build } = taskRun
  const word = outsideWord(task)
  if (word !== null) return takeOutsideWork(effect, word, taskRun)
  const { workspaces } = engine
  // A patch applies to the tree that the agent sees, so what an interrupted session had applied must not be in it.
  const isPatched = engine.agents.implementer.edits === 'patch'
  const isFresh = isPatched ? effect.iteration === 1 || taskRun.begun.resumed : isFirst(effect, taskRun)
  const mode = isFresh ? 'fresh' : 'keep'
  const workspace = await workspaces.acquire(build, task.id, attempt.tree, mode)
  const startedAt = engine.now()
  const pad = scratchpadFile(workspace, taskRun.agentId)
  const said = await messagesFor(taskRun, effect.iteration)
  const prompt = async ({ edits }: Agent): Promise<string> =>
    edits === 'patch'
      ? patchBrief(taskRun, effect.iteration, await treeIn(workspace, effect, taskRun), said)
      : buildBrief(taskRun, effect.iteration, pad, said)
  const plan = await engine.progress?.startSession(workspace.folder)
  const tools = openPatchTools(taskRun, workspace, markOf(effect, taskRun))
  const context = iterationRequestHandler(taskRun, workspace.folder, effect.iteration, pad, tools)
  const extras = workspace.env === undefined ? {} : { env: workspace.env }
  const end = await runSession(taskRun, 'implementer', prompt, workspace.folder, context, extras)
  const patch =
    end.agent.edits === 'patch' && end.outcome.failure === null
      ? await takePatch(taskRun, workspace, markOf(effect, taskRun), end.outcome.finalMessage)
      : null
  return iterationOutcome(effect, taskRun, {
    ...end,
    workspace,
    startedAt,
    said: context.said(),
    plan: plan ?? null,
    patch,
  })
}

/** The real content of the folder: a build that works in place shares it with people. */
async function treeIn(workspace: Workspace, effect: Iterate, taskRun: TaskRun): Promise<TreeId> {
  const harvest = await taskRun.engine.workspaces.harvest(workspace, markOf(effect, taskRun))
  return harvest.taken ? harvest.tree : treeBefore(taskRun)
}

function isFirst({ iteration }: Iterate, { begun }: TaskRun): boolean {
  return iteration === 1 && !begun.resumed
}

function markOf({ attempt, iteration }: Iterate, { build, task }: TaskRun): AttemptMark {
  return { build, task: task.id, attempt, iteration }
}

/** A session that is over, with everything that it was given. */
export interface IterationEnd extends SessionEnd {
  readonly workspace: Workspace
  readonly startedAt: Instant
  readonly said: SessionReport
  readonly plan: ProgressSession | null
  /** Set for an agent without tools that answered with a patch. */
  readonly patch?: TakenPatch | null
}

export async function iterationOutcome(effect: Iterate, taskRun: TaskRun, end: IterationEnd): Promise<EffectOutcome> {
  const { engine, task } = taskRun
  const { workspace, outcome, transcript, startedAt, said, plan, patch = null } = end
  const pad = scratchpadFile(workspace, taskRun.agentId)
  const scratchpad = patch?.scratchpad ?? (await takeScratchpad(workspace.folder, pad)) ?? said.scratchpad
  // The session may have moved the branch.
  await soundBranch(engine, taskRun.build)
  const harvest = await engine.workspaces.harvest(workspace, markOf(effect, taskRun))
  const tree = harvest.taken ? harvest.tree : await treeBefore(taskRun)
  const error = outcome.failure?.sentence ?? patch?.error ?? (harvest.taken ? null : harvest.reason)
  const byTool = said.signal ?? (await signalInStore(taskRun))
  const words = patch === null ? outcome.finalMessage : ''
  const spoken = patch === null ? byTool : reconcile(patch.signal, byTool)
  const signal = error === null ? signalIn(words, task.id, plan?.before ?? null, spoken) : null
  if (error === null) await plan?.takeOver(outcome.finalMessage, task, nameOf(effect, taskRun))

  const left = harvest.taken ? harvest.tree : null
  const free = outcome.failure === null ? null : failurePolicy(outcome.failure, taskRun, end.agent, left)
  if (free !== null) return free
  return {
    fact: {
      type: 'iterationDone',
      taskId: task.id,
      attempt: effect.attempt,
      iteration: effect.iteration,
      signal,
      tree,
      error,
      ...(end.agent.session === 'attempt' && outcome.failure !== null ? { ends: 'attempt' } : {}),
    },
    attachments: [record(effect, taskRun, end, { startedAt, transcript, scratchpad, signal, error })],
  }
}

/** A session that writes to the store instead of asking us gets no more rights that way. */
async function signalInStore({ engine, task }: TaskRun): Promise<Signal | null> {
  const row = await engine.store.tasks.find(engine.scope, task.id)
  return row?.reportedDone?.where === 'session' && row.fence === task.fence ? signalOf('TASK_COMPLETE') : null
}

/** The tree that the session started on: where nothing could be harvested, nothing changed. */
async function treeBefore({ attempt, engine, build }: TaskRun): Promise<TreeId> {
  return attempt.tree ?? (await engine.workspaces.head(build)).tree
}

/** The session's name for people. */
function nameOf({ attempt, iteration }: Iterate, { task }: TaskRun): string {
  return `task ${task.id}, attempt ${attempt}, iteration ${iteration}`
}

interface SessionFacts {
  readonly startedAt: number
  readonly transcript: string
  readonly scratchpad: string | null
  readonly signal: Signal | null
  readonly error: string | null
}

function record(
  effect: Iterate,
  { task }: TaskRun,
  { outcome, agent }: Pick<SessionEnd, 'outcome' | 'agent'>,
  facts: SessionFacts,
): IterationRecord {
  return {
    kind: 'iteration',
    task: task.id,
    attempt: effect.attempt,
    iteration: effect.iteration,
    agent: agent.name,
    startedAt: facts.startedAt,
    durationMs: outcome.durationMs,
    inputTokens: outcome.usage.inputTokens,
    outputTokens: outcome.usage.outputTokens,
    costUsd: outcome.usage.costUsd,
    signal: facts.signal?.kind ?? null,
    error: facts.error,
    scratchpad: facts.scratchpad,
    transcript: facts.transcript,
  }
}
