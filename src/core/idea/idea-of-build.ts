// How an idea follows its build. The rule uses the state of the build and not single facts: a reader that missed a fact
// reaches the same phase.
import type { Build, BuildState } from '../builds/build.ts'
import type { Fact } from '../fact/fact.ts'
import type { Instant } from '../values/id.ts'
import { type Idea, ideaText, type Project, type WantedMove } from './idea.ts'
import { legalMoves, type PipelinePhase } from './pipeline.ts'
import { type Seed, seedName, seedText } from '../plan/seed.ts'

const ENGINE = 'ralph'

/** The idea of a build that was started without one. */
export function ideaOfBuild({ id, idea, spec }: Build, seed: Seed | null, project: Project, now: Instant): Idea {
  const wanted = seed === null ? '' : seedText(seed)
  const text = wanted === '' ? `Build ${id} over ${seed === null ? 'the open tasks' : seedName(seed)}` : wanted
  return {
    id: idea,
    ...ideaText(text),
    spec: spec === null ? null : { id: spec, text: wanted, graph: null },
    project,
    advance: 'manual',
    phase: 'building',
    resumes: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** `waiting`: tasks of the build that wait for a human. */
export function phaseOfBuild(state: BuildState, waiting: number): PipelinePhase {
  switch (state) {
    case 'running':
      return waiting > 0 ? 'paused' : 'building'
    case 'paused':
      return 'paused'
    case 'aborted':
    case 'failed':
      return 'failed'
    case 'complete':
      return 'build_review'
  }
}

/** The moves of an idea after this fact of its newest build; several where one leads through another. */
export function followMoves(idea: Idea, build: Pick<Build, 'state'>, waiting: number, fact: Fact): WantedMove[] {
  if (fact.type === 'shipped' || fact.type === 'deployed' || fact.type === 'deploying') return shipMoves(idea, fact)
  if (!isWithBuild(idea)) return []
  const to = phaseOfBuild(build.state, waiting)
  if (to === idea.phase) return []
  const said = { by: 'by' in fact ? fact.by : ENGINE, reason: reasonOf(fact) }
  // Also from a review: a paused or failed idea must lead back to the build.
  const isStep = to === 'building' || (idea.phase !== 'build_review' && legalMoves(idea).includes(to))
  return isStep
    ? [{ ...said, to }]
    : [
        { ...said, to: 'building' },
        { ...said, to },
      ]
}

/** Whether the build decides about the idea: an idea that a person moved elsewhere stays there. */
function isWithBuild({ phase, resumes }: Idea): boolean {
  return phase === 'building' || phase === 'build_review' || resumes === 'building'
}

function shipMoves({ phase }: Idea, fact: Extract<Fact, { type: 'shipped' | 'deploying' | 'deployed' }>): WantedMove[] {
  if (fact.type === 'shipped' && fact.how === 'base' && phase === 'build_review')
    return [{ to: 'deployed', by: fact.by, reason: `shipped to ${fact.base} as ${fact.commit.slice(0, 10)}` }]
  if (fact.type !== 'deployed') return []
  const by = fact.by ?? ENGINE
  if (fact.exit === 0) return phase === 'build_review' ? [{ to: 'deployed', by, reason: 'the deploy succeeded' }] : []
  const reason = `the deploy failed (exit ${fact.exit ?? 'unknown'})`
  return phase === 'deployed' ? [{ to: 'build_review', by, reason }] : []
}

function reasonOf(fact: Fact): string {
  switch (fact.type) {
    case 'humanNeeded':
      return `task '${fact.taskId}' waits for a human: ${fact.reason.split('\n', 1)[0]}`
    case 'taskAnswered':
    case 'taskRetried':
    case 'taskResolved':
    case 'taskSkipped':
      return `task '${fact.taskId}' was ${fact.type.slice('task'.length).toLowerCase()}`
    case 'buildPaused':
      return 'the build was paused'
    case 'baselineFailed':
      return `the build cannot start: ${fact.error.split('\n', 1)[0]}`
    case 'buildResumed':
      return 'the build goes on'
    case 'buildAborted':
      return 'the build was aborted'
    case 'buildComplete':
      return 'the build is complete'
    case 'buildFailed':
      return `the build failed: ${fact.error.split('\n', 1)[0]}`
    default:
      return `the build had ${fact.type}`
  }
}
