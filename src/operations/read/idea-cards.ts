// Ideas for lists and boards: the phase of each, and the progress of its newest build.
import { type Build, isOver } from '../../core/builds/build.ts'
import type { Idea } from '../../core/idea/idea.ts'
import { legalMoves } from '../../core/idea/pipeline.ts'
import type { Task } from '../../core/task/task.ts'
import type { BuildContext } from '../builds/builds.ts'
import { lastErrorOf, outlineOf, progressOf } from './build-outline.ts'
import type { IdeaCard, WireIdea } from '../contract/ideas.ts'
import { showIdea } from '../ideas/ideas.ts'

export interface CardPlace {
  readonly context: BuildContext
  /** The repository's name. */
  readonly repository: string
}

/** In the order of the ideas. Reads the tasks once, however many ideas there are. */
export async function ideaCards({ context, repository }: CardPlace, ideas: readonly Idea[]): Promise<IdeaCard[]> {
  const builds = await Promise.all(ideas.map(({ id }) => context.store.builds.newestOf(id)))
  const tasks = builds.every((build) => build === null) ? [] : await context.store.tasks.list(context.scope, {})
  const byBuild = Map.groupBy(tasks, ({ build }) => build)
  return Promise.all(
    ideas.map(async (idea, at) => {
      const build = builds[at] ?? null
      return cardOf(
        idea,
        repository,
        build === null ? null : await standingOf(context, build, byBuild.get(build.id) ?? []),
      )
    }),
  )
}

export async function ideaInFull(place: CardPlace, id: string): Promise<WireIdea> {
  const { idea, moves } = await showIdea(place.context, id)
  const [card] = await ideaCards(place, [idea])
  const { spec, text } = idea
  return {
    ...(card ?? cardOf(idea, place.repository, null)),
    text,
    spec:
      spec === null
        ? null
        : { id: spec.id, text: spec.text, tasks: spec.graph === null ? null : spec.graph.tasks.map(specTask) },
    moves: moves.map((move) => ({ ...move, overridden: [...move.overridden] })),
  }
}

type SpecTask = NonNullable<NonNullable<WireIdea['spec']>['tasks']>[number]

function specTask(task: NonNullable<NonNullable<Idea['spec']>['graph']>['tasks'][number]): SpecTask {
  const { id, title, goal, acceptance, dependsOn, filesExpected, type } = task
  const lists = { acceptance: [...acceptance], depends_on: [...dependsOn], files_expected: [...filesExpected] }
  return { id, title, goal, ...lists, type }
}

function cardOf(idea: Idea, repository: string, build: IdeaCard['build']): IdeaCard {
  const { id, title, phase, resumes, advance, project, spec, createdAt, updatedAt } = idea
  return {
    id,
    title,
    phase,
    resumes,
    legal: [...legalMoves(idea)],
    auto_advance: advance === 'auto',
    repository: project === null ? null : repository,
    base: project?.base ?? null,
    spec_id: spec?.id ?? null,
    build,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

async function standingOf({ store }: BuildContext, build: Build, tasks: readonly Task[]): Promise<IdeaCard['build']> {
  // A build that is over has no attempt under way.
  const attempts = isOver(build.state) ? new Map() : await store.builds.attempts(build.id)
  const outline = outlineOf(build, tasks, attempts)
  return {
    sessionId: build.id,
    status: outline.view.status,
    progress: progressOf(outline),
    lastError: lastErrorOf(outline),
    startedAt: build.startedAt,
  }
}
