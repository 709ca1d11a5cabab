// The prompts that ship with Ralph, and the values that the engine fills into each of them.
import build from './PROMPT_build.md'
import claim from './PROMPT_claim.md'
import objection from './PROMPT_objection.md'
import patch from './PROMPT_patch.md'
import plan from './PROMPT_plan.md'
import repair from './PROMPT_repair.md'
import review from './PROMPT_review.md'
import sia from './PROMPT_sia.md'

export const PROMPT_NAMES = ['build', 'patch', 'review', 'objection', 'sia', 'plan', 'repair', 'claim'] as const
export type PromptName = (typeof PROMPT_NAMES)[number]

export interface Prompt {
  readonly template: string
  /** Placeholders that a user's own template must have: without them the role cannot do its work. */
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

export const embedded: Readonly<Record<PromptName, Prompt>> = {
  build: {
    template: build,
    required: ['task', 'scratchpad', 'feedback', 'answers'],
    optional: ['iteration', 'attempt', 'attempts', 'lessons', 'checks', 'scratchpad_file'],
  },
  patch: {
    template: patch,
    required: ['task', 'scratchpad', 'feedback', 'answers', 'attempts', 'listing', 'snippets'],
    optional: ['iteration', 'attempt', 'lessons', 'checks', 'limit', 'protected'],
  },
  review: {
    template: review,
    required: ['task', 'diff'],
    optional: ['findings', 'second_opinion', 'checks', 'strength'],
  },
  objection: { template: objection, required: ['task', 'objection'], optional: [] },
  sia: {
    template: sia,
    required: ['task', 'problem', 'techniques'],
    optional: ['feedback', 'attempts', 'failures', 'tried', 'agents', 'interventions', 'splitting'],
  },
  plan: { template: plan, required: ['goal'], optional: ['project', 'checks', 'existing', 'limit', 'files'] },
  repair: { template: repair, required: ['prompt', 'problem'], optional: [] },
  claim: { template: claim, required: ['snapshot'], optional: [] },
}
