// The sealed examples of a task with their values, for people.
import type { Config } from '../../config/settings/config.ts'
import type { SealedRecord } from '../../core/builds/attachment.ts'
import { refuse } from '../../core/error/error.ts'
import { exampleJson, type Json, type SealedExample } from '../../core/sealed/example.ts'
import type { TriedExamples } from '../../core/sealed/for-reviewer.ts'
import type { TaskId, TreeId } from '../../core/values/id.ts'
import { examplesFor } from '../../engine/verify/sealed-examples.ts'
import type { Store } from '../../store/store.ts'
import { type BuildContext, frozenOf } from '../builds/builds.ts'

export interface SealedView extends Omit<TriedExamples, 'onBase' | 'results'> {
  /** Null: the task has none. */
  readonly from: SealedRecord['from'] | null
  /** What came out of these very examples the last time; null: they were not tried yet. */
  readonly tried: (TriedExamples & { readonly tree: TreeId }) | null
}

/** `current`: the settings as they are now, for a task that no build has taken yet. */
export async function sealedOfTask(
  context: Pick<BuildContext, 'scope'> & { readonly store: Pick<Store, 'tasks' | 'builds'> },
  id: TaskId,
  current: () => Promise<Pick<Config, 'examples'>>,
): Promise<SealedView> {
  const { store, scope } = context
  const task = await store.tasks.find(scope, id)
  if (task === null) throw refuse('TASK_NOT_FOUND', { id })
  const { build } = task
  const config = build === null ? await current() : (await frozenOf(context, build)).config
  const known = await examplesFor({ config, store, scope }, id)
  if (known === null) return { from: null, examples: [], tried: null }
  const last = build === null ? undefined : (await store.builds.attachments(build, 'sealed', id)).at(-1)
  const tried = last !== undefined && isSame(last.examples, known.list) ? last : null
  return { from: known.from, examples: known.list, tried }
}

function isSame(one: readonly SealedExample[], other: readonly SealedExample[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** As it goes over the wire and into `--json`. */
export function wireSealed(id: TaskId, { from, examples, tried }: SealedView) {
  return {
    id,
    from,
    examples: examples.map((example): Json => exampleJson(example)),
    tried:
      tried === null
        ? null
        : {
            tree: tried.tree,
            results: tried.results.map((one) => ({ ...one })),
            on_base: tried.onBase.map((one) => ({ ...one })),
          },
  }
}
