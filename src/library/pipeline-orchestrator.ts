// The pipeline for programs: requests moves, and knows the phases of ideas.
import { refuse } from '../core/error/error.ts'
import type { IdeaId } from '../core/values/id.ts'
import type { Spec } from '../core/idea/idea.ts'
import type { PipelinePhase } from '../core/idea/pipeline.ts'
import { writtenSpec } from '../core/idea/spec-text.ts'
import { addIdea, type IdeaInput, pipelinePhase } from '../operations/ideas/ideas.ts'
import { moveIdea } from '../operations/ideas/move-idea.ts'
import type { BuildAgent } from './build-agent.ts'
import { libraryIdeaActions } from './idea-actions.ts'

export interface PipelineState {
  readonly ideaId: string
  /** Null: there is no such idea, as far as we know by now. */
  readonly currentPhase: PipelinePhase | null
}

export interface TransitionOptions {
  /** Who wants it; default: this user. */
  readonly by?: string
  /** `overridden`: moves although something is missing, which is kept with the reason. */
  readonly missing?: 'refused' | 'overridden'
  /** The text of a spec that somebody wrote. */
  readonly spec?: string
}

export class PipelineOrchestrator {
  readonly #agent: BuildAgent
  readonly #phases = new Map<string, PipelinePhase | null>()
  readonly #over = new AbortController()
  #following: Promise<void> | null = null
  readonly #complete = ({ ideaId }: { readonly ideaId: string }): void => {
    void this.#agent.advance(ideaId).catch(() => {})
  }

  constructor({ buildAgent }: { readonly buildAgent: BuildAgent }) {
    this.#agent = buildAgent
    buildAgent.on('buildComplete', this.#complete)
  }

  /** Saves an idea, in phase ideation. */
  async addIdea(moveOptions: IdeaInput): Promise<PipelineState> {
    const { id, phase } = await addIdea(await this.#agent.context(), moveOptions)
    this.#phases.set(id, phase)
    return this.getState(id)
  }

  /** Resolves when the idea has moved; what the move starts, such as a build, may continue after that. */
  async requestTransition(
    ideaId: string,
    phase: PipelinePhase | string,
    reason: string,
    options: TransitionOptions = {},
  ): Promise<PipelineState> {
    if (reason.trim() === '') throw refuse('USAGE', { message: 'a transition needs a reason' })
    const place = await this.#agent.place()
    const { spec, ...rest } = options
    const own: { spec?: Spec } = spec === undefined ? {} : { spec: writtenSpec(ideaId, spec) }
    const moveOptions = { to: pipelinePhase(phase), reason, ...rest, ...own }
    const moved = await moveIdea(
      place.context,
      libraryIdeaActions(place, this.#agent, this.#over.signal),
      ideaId,
      moveOptions,
    )
    if (moved.starts === 'resumeBuild' && moved.build !== null) await this.#agent.resume(moved.build.id)
    this.#phases.set(ideaId, moved.idea.phase)
    return this.getState(ideaId)
  }

  /** As known in this process, which follows the store from the first call on; `readState` asks the store. */
  getState(ideaId: string): PipelineState {
    this.#following ??= this.#follow()
    if (!this.#phases.has(ideaId)) {
      this.#phases.set(ideaId, null)
      void this.readState(ideaId).catch(() => {})
    }
    return { ideaId, currentPhase: this.#phases.get(ideaId) ?? null }
  }

  async readState(ideaId: string): Promise<PipelineState> {
    const idea = await (await this.#agent.context()).store.ideas.find(ideaId as IdeaId)
    this.#phases.set(ideaId, idea?.phase ?? null)
    return { ideaId, currentPhase: idea?.phase ?? null }
  }

  /** Call this before closing the agent. */
  async close(): Promise<void> {
    this.#agent.off('buildComplete', this.#complete)
    this.#over.abort()
    await this.#following
  }

  async #follow(): Promise<void> {
    const { store } = await this.#agent.context()
    try {
      for await (const _ of store.changes(this.#over.signal))
        for (const id of this.#phases.keys()) await this.readState(id)
    } catch (error) {
      if (!this.#over.signal.aborted) process.emitWarning(error instanceof Error ? error : String(error))
    }
  }
}
