// What each verb does with a repository and its loops. Only translation is left to do here.
import type { BuildId, IdeaId, TaskId } from '../../core/values/id.ts'
import { taskId } from '../../core/values/id.ts'
import { refuse } from '../../core/error/error.ts'
import { reportBuild } from '../read/build-report.ts'
import { type HistoryCache, readBuildState } from '../read/build-state.ts'
import { buildNamed, frozenOf, moveBuild, requireNamed } from '../builds/builds.ts'
import { type Answer, type Asked, type RouteName, routes } from '../contract/contract.ts'
import { answerTask, retryTask, skipTask } from '../builds/escalations.ts'
import { hasStep, isInactive, publish, resolveManually, revertManually, stepManually } from '../serve/manual-actions.ts'
import type { WireDriveOptions } from '../contract/drive.ts'
import type { DriveOptions } from '../serve/begin-run.ts'
import type { Loops } from '../serve/loops.ts'
import { sendMessage } from '../builds/send-message.ts'
import type { Mutex } from '../../engine/mutex.ts'
import type { IdeaWork } from '../serve/idea-worker.ts'
import { createFromDocuments, resumeAndDrive, startAndDrive } from '../serve/serve-builds.ts'
import { sessionStatusOf } from '../read/session-status.ts'
import type { ServedRepository } from '../serve/served-repository.ts'
import { areProved, verifyBuild } from '../ship/verify.ts'
import { detailVerbs } from './detail.ts'
import { ideaVerbs } from './ideas.ts'
import { listVerbs } from './lists.ts'
import { planVerbs } from './plans.ts'
import { taskVerbs } from './tasks.ts'

export type VerbOf<Name extends RouteName> = (asked: Asked<Name>) => Promise<Answer<Name>>
export type Verbs = { readonly [Name in RouteName]: VerbOf<Name> }

/** A verb for each route of the contract. */
export function verbsBy(make: <Name extends RouteName>(name: Name) => VerbOf<Name>): Verbs {
  const names = Object.keys(routes) as RouteName[]
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Verbs
}

export interface VerbContext {
  readonly servedRepo: ServedRepository
  readonly histories: HistoryCache
  readonly loops: Loops
  readonly ideas: IdeaWork
  readonly alone: Mutex
  /** Aborted when the server stops, to give back what is under way. */
  readonly stopping: AbortSignal
}

export function verbsOf(context: VerbContext): Verbs {
  return {
    ...stateVerbs(context),
    ...startVerbs(context),
    ...escalationVerbs(context),
    ...proofVerbs(context),
    ...listVerbs(context.servedRepo),
    ...detailVerbs(context.servedRepo),
    ...ideaVerbs(context),
    ...planVerbs(context),
    ...taskVerbs(context.servedRepo),
  }
}

function stateVerbs({ servedRepo, histories, loops, ideas, stopping }: VerbContext) {
  const { context } = servedRepo
  const state = (id: BuildId) => readBuildState({ ...servedRepo, histories }, id)
  return {
    status: async ({ params }) => {
      const build = await buildNamed(context, params.ideaId)
      return build === null ? { status: 'not_started' } : sessionStatusOf(await reportBuild(context, build.id))
    },
    state: async ({ params }) => state((await requireNamed(context, params.build_id)).id),
    step: async ({ body }) => {
      const build = await requireNamed(context, body.build_id)
      const step = () => stepManually(servedRepo, build.id, body.user_message ?? null, stopping)
      if (await hasStep(context, build, body.mode)) {
        await loops.driveManually(build.id, step)
        void ideas.advance(build.id)
      } else if (body.user_message !== undefined && !isInactive(build))
        await sendMessage(context, build.id, body.user_message)
      return state(build.id)
    },
    abort: async ({ params }) => {
      const { id } = await requireNamed(context, params.build_id)
      await moveBuild(context, 'abort', id)
      return state(id)
    },
  } satisfies Partial<Verbs>
}

function startVerbs({ servedRepo, histories, loops, ideas, alone, stopping }: VerbContext) {
  const { context } = servedRepo
  return {
    start: async ({ params, body }) => {
      const idea = await context.store.ideas.find(params.ideaId as IdeaId)
      // An idea that has a spec is built from it; otherwise the open tasks are built for it.
      const build = await (idea?.phase === 'spec_ready'
        ? ideas.build(idea, driveOptions(body))
        : alone(() => startAndDrive(servedRepo, loops, params.ideaId, driveOptions(body))))
      return { sessionId: build.id, status: 'started' }
    },
    create: async ({ body }) => {
      const { id } = await alone(() => createFromDocuments(servedRepo, body.project_id, body.seed))
      return readBuildState({ ...servedRepo, histories }, id)
    },
    pause: async ({ params }) => {
      await moveBuild(context, 'pause', (await requireNamed(context, params.sessionId)).id)
      return { success: true }
    },
    resume: async ({ params, body }) => {
      const build = await requireNamed(context, params.sessionId)
      await alone(() => resumeAndDrive(context, loops, build, driveOptions(body)))
      return { success: true }
    },
    publish: async ({ params, body }) => {
      const allowed = {
        skipped: body.allow_skipped ? 'allowed' : 'refused',
        unverified: body.allow_unverified ? 'allowed' : 'refused',
      } as const
      const { push, deploy = null } = body
      const how = { allowed, push: push ? 'pushed' : 'kept', deploy } as const
      const published = await alone(() => publish(servedRepo, params.project_id, how, stopping))
      if (published.is === 'refused') {
        const reasons = published.reasons.map(({ what }) => what).join('; ')
        throw Object.assign(refuse('SHIP_REFUSED', { what: published.what, reasons }), { reasons: published.reasons })
      }
      const { build, base, commit, pushed, deployed } = published
      return { build_id: build, base, commit, pushed, deployed: deployed === null ? null : { ...deployed } }
    },
  } satisfies Partial<Verbs>
}

function proofVerbs({ servedRepo, stopping }: VerbContext) {
  return {
    verify: async ({ params, body }) => {
      const { id } = await requireNamed(servedRepo.context, params.id)
      const { config } = await frozenOf(servedRepo.context, id)
      const probes = body.quick ? 'left' : 'again'
      const openClone = () => servedRepo.openCleanClone(config.workspace.copy)
      const proofs = await verifyBuild(openClone, id, { signal: stopping, probes })
      const commits = proofs.map(({ runs: _, evidence: _evidence, probes: now, reasons, notes, ...rest }) => {
        const { strength = null, sentence = null } = now ?? {}
        return { ...rest, strength, sentence, reasons: [...reasons], notes: [...notes] }
      })
      return { ok: areProved(proofs), commits }
    },
  } satisfies Partial<Verbs>
}

/** The ways out of a task that waits. */
function escalationVerbs({ servedRepo, stopping }: VerbContext) {
  const { context } = servedRepo
  const idOf = async (ref: string) => (await requireNamed(context, ref)).id
  return {
    skip: async ({ params, body }) => {
      const task = await skipTask(context, namedTask(body), await idOf(params.sessionId))
      return { success: true, task_id: task }
    },
    retry: async ({ params, body }) => {
      const task = await retryTask(context, namedTask(body), await idOf(params.sessionId))
      return { success: true, task_id: task }
    },
    answer: async ({ params, body }) => {
      const task = await answerTask(context, body.text, namedTask(body), await idOf(params.sessionId))
      return { success: true, task_id: task }
    },
    resolve: async ({ params, body }) => {
      const fix = {
        text: body.resolution,
        from: body.ref === undefined ? null : { ref: body.ref },
        accepted: body.unverified ? 'unverified' : 'if-verified',
      } as const
      const id = await idOf(params.sessionId)
      const { task, ...rest } = await resolveManually(servedRepo, id, fix, namedTask(body), stopping)
      return { success: true, task_id: task, ...rest }
    },
    revert: async ({ params, body }) => {
      const id = await idOf(params.sessionId)
      const { task, commit } = await revertManually(servedRepo, id, namedTask(body), stopping)
      return { success: true, task_id: task, commit }
    },
  } satisfies Partial<Verbs>
}

function driveOptions({ max_iterations: iterationsMax, workers, budget }: WireDriveOptions): DriveOptions {
  const { usd, tokens } = budget ?? {}
  return {
    ...(iterationsMax === undefined ? {} : { iterationsMax }),
    ...(workers === undefined ? {} : { workers }),
    budget: {
      ...(usd === undefined ? {} : { usd: usd || null }),
      ...(tokens === undefined ? {} : { tokens: tokens || null }),
    },
  }
}

function namedTask({ task_id: id }: { readonly task_id?: string | undefined }): TaskId | undefined {
  return id === undefined ? undefined : taskId(id)
}
