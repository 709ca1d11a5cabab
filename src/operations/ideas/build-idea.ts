// From an idea to its spec, and from the spec to a build.
import type { Config } from '../../config/settings/config.ts'
import type { Build } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import type { Idea, Spec } from '../../core/idea/idea.ts'
import { requireMove } from '../../core/idea/pipeline.ts'
import { planningPlace } from '../../core/session/session-name.ts'
import { plannedSpec, seedOfIdea } from '../../core/idea/spec-text.ts'
import type { Why } from '../../store/store.ts'
import {
  type BuildContext,
  frozenOf,
  moveBuild,
  planName,
  startBuild,
  startUnplanned,
  unfinishedBuild,
} from '../builds/builds.ts'
import { projectOf } from './ideas.ts'
import { draftOfGraph, keepPlan, makePlan, type PlannerCall } from '../plans/make-plan.ts'

/** The planner reads the project and the idea and answers with tasks; the spec is their text. */
export async function specifyIdea(call: PlannerCall, idea: Idea): Promise<Spec> {
  const name = planningPlace(idea.id, idea.updatedAt)
  return plannedSpec(idea, await makePlan({ ...call, name }, seedOfIdea({ ...idea, spec: null })))
}

/** A plan that was made with the spec is used as it is; otherwise the build plans first. */
export function isPlannedIdea({ spec }: Pick<Idea, 'spec'>): 'planned' | 'unplanned' {
  return spec?.graph ? 'planned' : 'unplanned'
}

/** Refuses before anything is changed. Returns the failed build of the idea that continues; null: a new one starts. */
export async function requireBuildable(context: BuildContext, idea: Idea): Promise<Build | null> {
  const { id, project, phase } = idea
  // Whoever moved the idea has judged its spec; only its origin counts here.
  const met = ['spec', 'project', 'answers'] as const
  if (phase !== 'building') requireMove(id, idea, { to: 'building', met, missing: 'refused' })
  const { repository, base } = projectOf(context)
  if (project !== null && (project.repository !== repository || project.base !== base))
    throw refuse('IDEA_ELSEWHERE', { id, base: project.base, branch: base })
  const unfinished = await unfinishedBuild(context)
  if (unfinished === null || (unfinished.idea === id && unfinished.state === 'failed')) return unfinished
  const plan = planName(await frozenOf(context, unfinished.id))
  throw refuse('BUILD_UNFINISHED', { id: unfinished.id, plan })
}

/** Continues the idea's failed build, or starts a new one. The store moves the idea in the same step. */
export async function buildIdea(context: BuildContext, idea: Idea, config: Config, why: Why): Promise<Build> {
  const failed = await requireBuildable(context, idea)
  if (failed !== null) return moveBuild({ ...context, person: why.by }, 'resume', failed.id)
  const seed = seedOfIdea(idea)
  const start = { config, source: null, seed, idea: idea.id, why }
  const graph = idea.spec?.graph ?? null
  if (graph === null) return startUnplanned(context, start)
  await keepPlan(context, draftOfGraph(graph, seed))
  const build = await startBuild(context, start)
  if (build === null) throw refuse('IDEA_BUILT', { id: idea.id })
  return build
}
