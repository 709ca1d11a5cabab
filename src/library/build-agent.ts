// The build agent: builds of ideas as live sessions, with everything that happens to them as events.
import { EventEmitter } from 'node:events'
import type { Build } from '../core/builds/build.ts'
import { RalphError, refuse } from '../core/error/error.ts'
import type { Fact, RecordedFact, FactEvent } from '../core/fact/fact.ts'
import { type BuildId, type IdeaId, taskId } from '../core/values/id.ts'
import { agreeOnBudget } from '../operations/builds/budget.ts'
import { reportBuild } from '../operations/read/build-report.ts'
import { type BuildSession, sessionOf } from '../operations/read/build-session.ts'
import { type BuildContext, findBuild, frozenOf, goOn, moveBuild } from '../operations/builds/builds.ts'
import {
  answerTask,
  findWaiting,
  type Fix,
  resolveTask,
  retryTask,
  skipTask,
} from '../operations/builds/escalations.ts'
import { findIdea } from '../operations/ideas/ideas.ts'
import type { DriveOptions } from '../operations/serve/begin-run.ts'
import { advanceIdea } from '../operations/ideas/move-idea.ts'
import type { Parts, SiaAgent, TaskExecutor, ValidationRunner } from '../operations/in-process-agents.ts'
import { type FirstRun, openFirstRun } from '../operations/open-run.ts'
import { ideaRun } from '../operations/serve/serve-builds.ts'
import { withEngine, type ServedRepository } from '../operations/serve/served-repository.ts'
import { libraryIdeaActions } from './idea-actions.ts'
import { type LiveBuild, liveBuild } from './live-builds.ts'
import { openForOperator, type OpenPlace, type Place, servedRepositoryOf } from './place.ts'

export type FactEvents = { [Type in Fact['type']]: [event: FactEvent<Type>] }

/** Called with the session after every event; the store keeps it anyway. */
export interface CheckpointManager {
  save(session: BuildSession): Promise<void>
}

/** Called after a task was merged; the engine has already committed it. */
export interface GitIntegration {
  commit(ideaId: string, message: string): Promise<unknown>
}

/** Every part is optional; the default is our own. */
export interface BuildAgentParts extends Parts, Place {
  readonly checkpointManager?: CheckpointManager | undefined
  readonly gitIntegration?: GitIntegration | undefined
}

/** How `resume` continues. Every option is optional; the default comes from the build's settings. */
export type ResumeOptions = Pick<DriveOptions, 'workers' | 'budget' | 'iterationsMax'>

type OtherParts = [ValidationRunner?, CheckpointManager?, GitIntegration?, SiaAgent?, Place['db']?]

export class BuildAgent extends EventEmitter<FactEvents> {
  readonly #parts: BuildAgentParts
  readonly #live = new Map<string, LiveBuild>()
  readonly #opening = new Map<string, Promise<LiveBuild>>()
  readonly #reasons = new Map<string, { readonly by: string; readonly reason: string }>()
  #place: Promise<OpenPlace> | null = null
  #advancing: Promise<unknown> = Promise.resolve()

  constructor(parts?: BuildAgentParts)
  /** The parts one by one, as older programs pass them. */
  constructor(
    taskExecutor: TaskExecutor | undefined,
    validationRunner?: ValidationRunner,
    checkpointManager?: CheckpointManager,
    gitIntegration?: GitIntegration,
    siaAgent?: SiaAgent,
    db?: Place['db'],
  )
  constructor(first: BuildAgentParts | TaskExecutor = {}, ...rest: OtherParts) {
    super()
    const [validationRunner, checkpointManager, gitIntegration, siaAgent, db] = rest
    if (rest.length === 0 && !('execute' in first)) this.#parts = first
    else {
      const taskExecutor = 'execute' in first ? first : undefined
      this.#parts = { taskExecutor, validationRunner, checkpointManager, gitIntegration, siaAgent, db }
    }
  }

  /** The context of all operations; opened when it is first needed. */
  async context(): Promise<BuildContext> {
    return (await this.place()).context
  }

  /** @deprecated Use `context`. */
  desk(): Promise<BuildContext> {
    return this.context()
  }

  place(): Promise<OpenPlace> {
    this.#place ??= openForOperator(this.#parts, 'ralph.BuildAgent')
    return this.#place
  }

  /** The reason to record with the next start of this idea's build. */
  because(ideaId: string, why: { readonly by: string; readonly reason: string }): void {
    this.#reasons.set(ideaId, why)
  }

  /** Starts a build of the idea and returns at once; the session lives as long as the build. */
  async startBuild(ideaId: string): Promise<BuildSession> {
    const context = await this.context()
    const idea = await findIdea(context, ideaId)
    const why = this.#reasons.get(ideaId) ?? { by: context.person, reason: 'startBuild was called' }
    this.#reasons.delete(ideaId)
    const run = await ideaRun(await this.#servedRepo(), idea, null, why)
    if (run.in === 'new build') return this.#startFirst(run.first)
    const live = await this.#follow(run.build, 'from-now')
    await live.drive({ by: why.by })
    return live.session
  }

  /** Null where this process does not know the session; `findSession` also reads the store. */
  getSession(sessionId: string): BuildSession | null {
    return this.#live.get(sessionId)?.session ?? null
  }

  async findSession(sessionId: string): Promise<BuildSession | null> {
    const context = await this.context()
    const known = this.getSession(sessionId)
    if (known !== null) return known
    const build = await context.store.builds.find(sessionId as BuildId)
    return build === null ? null : sessionOf(await reportBuild(context, build.id))
  }

  /** The newest session of the idea. */
  async getSessionByIdeaId(ideaId: string): Promise<BuildSession | null> {
    const build = await (await this.context()).store.builds.newestOf(ideaId as IdeaId)
    return build === null ? null : this.findSession(build.id)
  }

  /** The loop finishes the current effect and begins nothing more. */
  async pause(sessionId: string): Promise<void> {
    await moveBuild(await this.context(), 'pause', sessionId)
  }

  /**
   * Ends a pause and lets loops of this process work on the build. Refuses if another process works on it or an agent
   * cannot work; then the build stays as it was.
   */
  async resume(sessionId: string, how: ResumeOptions = {}): Promise<void> {
    const context = await this.context()
    const build = await findBuild(context, sessionId)
    const live = await this.#follow(build, 'from-now')
    if (live.isDriven()) {
      await goOn(context, build)
      await agreeOnBudget(context, build.id, (await frozenOf(context, build.id)).config, how.budget ?? {})
    }
    await live.drive(how)
  }

  async abort(sessionId: string): Promise<void> {
    await moveBuild(await this.context(), 'abort', sessionId)
  }

  /** Leaves a task undone and continues; default: the task that waits, else the one that is worked on. */
  async skipTask(sessionId: string, task?: string): Promise<void> {
    const context = await this.context()
    const { build, view, waiting } = await reportBuild(context, sessionId)
    const current = task === undefined ? (waiting[0]?.task ?? view.currentTaskId) : taskId(task)
    await skipTask(context, current ?? undefined, build.id)
    await this.#drive(build)
  }

  /** Tries the waiting task again: with these words, or as it is. */
  async retryTask(sessionId: string, answer?: string): Promise<void> {
    const context = await this.context()
    const build = await findBuild(context, sessionId)
    await (answer === undefined
      ? retryTask(context, undefined, build.id)
      : answerTask(context, answer, undefined, build.id))
    await this.#drive(build)
  }

  /** Takes a human's fix of the waiting task. It is verified like any other work, and then the build continues. */
  async resolveTask(sessionId: string, resolution: string, fix: Partial<Omit<Fix, 'text'>> = {}): Promise<void> {
    const context = await this.context()
    const build = await findBuild(context, sessionId)
    const waiting = await findWaiting(context, undefined, build.id)
    const whole: Fix = { from: null, accepted: 'if-verified', ...fix, text: resolution }
    await withEngine(await this.#servedRepo(), build.id, (engine) =>
      resolveTask(context, engine.workspaces, whole, waiting),
    )
    await this.#drive(build)
  }

  /**
   * Resolves when no loop of this process works on it any more: it is complete, paused, failed, or waits for a human.
   */
  async atRest(sessionId: string): Promise<void> {
    await this.#live.get(sessionId)?.atRest()
  }

  /** Takes a complete build through the ship gate if its idea advances by itself; any other build stays as it is. */
  advance(ideaId: string): Promise<void> {
    const turn = this.#advancing.then(async () => {
      const place = await this.place()
      const build = await place.context.store.builds.newestOf(ideaId as IdeaId)
      if (build === null) return
      await this.#live.get(build.id)?.atRest()
      await advanceIdea(place.context, libraryIdeaActions(place, this, NEVER), build)
    })
    this.#advancing = turn.catch(() => {})
    return turn
  }

  /** Stops and saves running work and closes the store; a later start continues from there. */
  async close(): Promise<void> {
    await Promise.all([...this.#live.values()].map((live) => live.close()))
    await this.#advancing
    if (this.#place !== null) (await this.#place).context.store.close()
    this.#live.clear()
    this.#opening.clear()
    this.#place = null
  }

  async #servedRepo(): Promise<ServedRepository> {
    return servedRepositoryOf(await this.place(), this.#parts)
  }

  async #startFirst(first: FirstRun): Promise<BuildSession> {
    const run = await openFirstRun(await this.#servedRepo(), first, {})
    if (run === null) throw refuse('NOTHING_TO_BUILD')
    try {
      const live = await this.#follow(run.build, 'from-the-start')
      await live.driveRun(run)
      return live.session
    } catch (error) {
      await run.close()
      throw error
    }
  }

  /** Continues after an answer for a task: here, unless another process works on the build, which then continues it. */
  async #drive(build: Build): Promise<void> {
    const live = await this.#follow(build, 'from-now')
    await live.drive({ paused: 'kept' }).catch((error: unknown) => {
      if (!(error instanceof RalphError && error.code === 'BUILD_DRIVEN')) throw error
    })
  }

  /** One for each build, however many calls come at once. */
  #follow(build: Build, from: 'from-the-start' | 'from-now'): Promise<LiveBuild> {
    const opening = this.#opening.get(build.id) ?? this.#openLive(build, from)
    this.#opening.set(build.id, opening)
    return opening
  }

  async #openLive(build: Build, from: 'from-the-start' | 'from-now'): Promise<LiveBuild> {
    const after = from === 'from-now' ? await (await this.context()).store.builds.lastSeq(build.id) : 0
    const listener = {
      facts: (session: BuildSession, facts: readonly RecordedFact[]) => this.#tell(session, facts),
      rested: async () => {
        // Checked in the store, not by an event that anybody could emit.
        if (this.getSession(build.id)?.status === 'complete') void this.advance(build.idea).catch(() => {})
      },
      failed: (error: unknown) => process.emitWarning(error instanceof Error ? error : String(error)),
    }
    const live = await liveBuild(await this.#servedRepo(), build, listener, after)
    this.#live.set(build.id, live)
    return live
  }

  async #tell(session: BuildSession, facts: readonly RecordedFact[]): Promise<void> {
    for (const { seq, at, fact } of facts) {
      const event = { ...fact, seq, at, sessionId: session.id, ideaId: session.ideaId }
      // The name decides the type of the event, which `emit` cannot know here.
      this.emit(fact.type, event as never)
      if (fact.type === 'taskComplete')
        await this.#parts.gitIntegration?.commit(session.ideaId, `feat: ${fact.taskName}\n\nTask ID: ${fact.taskId}`)
    }
    await this.#parts.checkpointManager?.save(session)
  }
}

const NEVER = new AbortController().signal
