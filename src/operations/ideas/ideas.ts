// Ideas on their way through the pipeline.
import type { Build } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import { type IdeaId, ideaId } from '../../core/values/id.ts'
import { type Idea, type IdeaMove, ideaText, newIdea, type Project } from '../../core/idea/idea.ts'
import { legalMoves, PIPELINE_PHASES, type PipelinePhase } from '../../core/idea/pipeline.ts'
import type { IdeaPage } from '../../store/store.ts'
import type { BuildContext } from '../builds/builds.ts'

export interface IdeaInput {
  readonly text: string
  readonly title?: string
  /** Chosen by the caller; otherwise generated. */
  readonly id?: string
  readonly advance?: Idea['advance']
}

/** The repository and base of a context. */
export function projectOf({ scope }: Pick<BuildContext, 'scope'>): Project {
  return { repository: scope.repo, base: scope.branch }
}

export async function addIdea(context: BuildContext, options: IdeaInput): Promise<Idea> {
  const id = ideaId(options.id ?? `i_${context.unique()}`)
  const { advance = 'manual' } = options
  const idea = newIdea(
    id,
    ideaText(options.text, options.title),
    { project: projectOf(context), advance },
    context.now(),
  )
  await context.store.ideas.create(idea)
  return idea
}

export async function findIdea({ store }: Pick<BuildContext, 'store'>, id: string): Promise<Idea> {
  const idea = await store.ideas.find(id as IdeaId)
  if (idea === null) throw refuse('IDEA_NOT_FOUND', { id })
  return idea
}

export interface IdeaQuery {
  readonly phases?: readonly PipelinePhase[]
  readonly after?: string
  readonly limit?: number
}

const PAGE = 50
const PAGE_MAX = 1_000

/** The ideas of this repository and base, newest first. */
export async function listIdeas(context: BuildContext, { limit = PAGE, ...query }: IdeaQuery = {}): Promise<IdeaPage> {
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX)
    throw refuse('USAGE', { message: `a page has 1 to ${PAGE_MAX} ideas` })
  return context.store.ideas.list({ ...query, project: projectOf(context), limit })
}

export interface ShownIdea {
  readonly idea: Idea
  /** Its newest build. */
  readonly build: Build | null
  /** Where it may move from here. */
  readonly legal: readonly PipelinePhase[]
  /** The last ones, oldest first. */
  readonly moves: readonly IdeaMove[]
}

const MOVES_SHOWN_MAX = 1_000

export async function showIdea(context: Pick<BuildContext, 'store'>, id: string): Promise<ShownIdea> {
  const idea = await findIdea(context, id)
  const [build, moves] = await Promise.all([
    context.store.builds.newestOf(idea.id),
    context.store.ideas.moves(idea.id, MOVES_SHOWN_MAX),
  ])
  return { idea, build, legal: legalMoves(idea), moves }
}

export function pipelinePhase(word: string): PipelinePhase {
  const known = PIPELINE_PHASES.find((phase) => phase === word)
  if (known === undefined) throw refuse('PHASE_UNKNOWN', { phase: word, known: PIPELINE_PHASES.join(', ') })
  return known
}
