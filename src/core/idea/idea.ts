// An idea: what a person wants, and its phase in the pipeline. Every move leaves an entry with its author and reason.
import type { BuildGraph } from '../plan/build-graph.ts'
import { refuse } from '../error/error.ts'
import type { IdeaId, Instant } from '../values/id.ts'
import { type PipelinePhase, placeAfter, type PipelinePlace, type Prerequisite } from './pipeline.ts'
import { SEED_BYTES_MAX } from '../plan/seed.ts'
import { cutToLength, utf8Length } from '../values/text-bounds.ts'

export interface Idea extends PipelinePlace {
  readonly id: IdeaId
  readonly title: string
  /** What the person wants, in words. */
  readonly text: string
  readonly spec: Spec | null
  /** Null: nobody has named a repository for it yet. */
  readonly project: Project | null
  /** `auto`: a complete build passes through the ship gate by itself. */
  readonly advance: 'auto' | 'manual'
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A repository and the branch that a finished build goes to. */
export interface Project {
  readonly repository: string
  readonly base: string
}

/** The written form of an idea; its plan is made from it. */
export interface Spec {
  readonly id: string
  readonly text: string
  /** The tasks, where they are known already; null: the build starts with planning. */
  readonly graph: BuildGraph | null
}

/** One move of an idea. It is kept forever. */
export interface IdeaMove {
  readonly at: Instant
  readonly by: string
  readonly from: PipelinePhase
  readonly to: PipelinePhase
  readonly reason: string
  /** Prerequisites that a person waived. */
  readonly overridden: readonly Prerequisite[]
}

/** The requested move; the store adds the time and the phase before. */
export interface WantedMove extends Pick<IdeaMove, 'by' | 'to' | 'reason'> {
  readonly overridden?: readonly Prerequisite[]
  /** The spec of the idea from then on. */
  readonly spec?: Spec
}

const TITLE_LENGTH_MAX = 200
const REASON_LENGTH_MAX = 2_000

export type IdeaText = Pick<Idea, 'title' | 'text'>

/** A long text needs no title: its first line is one. */
export function ideaText(text: string, title = firstLine(text)): IdeaText {
  const trimmed = text.trim()
  if (trimmed === '') throw refuse('IDEA_TEXT_BAD', { problem: 'the idea is empty; say what is wanted' })
  if (utf8Length(trimmed) > SEED_BYTES_MAX)
    throw refuse('IDEA_TEXT_BAD', { problem: `an idea has at most ${SEED_BYTES_MAX / 1024} KiB; shorten it` })
  if (title.trim() === '' || title.length > TITLE_LENGTH_MAX || /[\p{Cc}\u2028\u2029]/u.test(title))
    throw refuse('IDEA_TEXT_BAD', { problem: `a title is one line of at most ${TITLE_LENGTH_MAX} characters` })
  return { title: title.trim(), text: trimmed }
}

/** Without the marks of a heading. */
function firstLine(text: string): string {
  const line = (text.trim().split('\n', 1)[0] ?? '').replace(/^#{1,6}\s+/, '').replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
  return line.length <= TITLE_LENGTH_MAX ? line : `${cutToLength(line, TITLE_LENGTH_MAX - 1).trimEnd()}…`
}

export function newIdea(
  id: IdeaId,
  text: IdeaText,
  { project, advance }: Pick<Idea, 'project' | 'advance'>,
  now: Instant,
): Idea {
  const place = { phase: 'ideation', resumes: null } as const
  return { id, ...text, spec: null, project, advance, ...place, createdAt: now, updatedAt: now }
}

/** The idea after a move, and its entry; the caller makes sure that the move is legal (see pipeline.ts). */
export function ideaMoved(
  idea: Idea,
  wanted: WantedMove,
  now: Instant,
): { readonly idea: Idea; readonly move: IdeaMove } {
  const { by, to, reason, overridden = [], spec = idea.spec } = wanted
  return {
    idea: { ...idea, ...placeAfter(idea, to), spec, updatedAt: now },
    move: { at: now, by, from: idea.phase, to, reason: cutToLength(reason, REASON_LENGTH_MAX), overridden },
  }
}
