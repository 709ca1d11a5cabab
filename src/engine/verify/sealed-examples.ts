// Tries the sealed examples of a task: twice on the candidate, once on its base. What came out stays in the store, for a
// reviewer and for people; the evidence gets only numbers.
import type { Config } from '../../config/settings/config.ts'
import type { SealedRecord } from '../../core/builds/attachment.ts'
import type { PatchKind } from '../../core/evidence/probe-report.ts'
import type { InstallRule } from '../../core/findings/install-scripts.ts'
import type { SealedExample } from '../../core/sealed/example.ts'
import { type ExampleResult, PRINTED_TOO_MUCH, TOOK_TOO_LONG } from '../../core/sealed/example-result.ts'
import { judgeExamples, type SealedReport, toldToAgent } from '../../core/sealed/judge-examples.ts'
import type { TaskId, TreeId } from '../../core/values/id.ts'
import type { Store } from '../../store/store.ts'
import type { EngineDeps } from '../deps.ts'
import type { Examination } from './check-runs.ts'
import { setupFor } from './install.ts'

interface KnownExamples {
  readonly list: readonly SealedExample[]
  readonly from: SealedRecord['from']
}

interface ExampleSources extends Pick<EngineDeps, 'scope'> {
  readonly store: Pick<Store, 'tasks'>
  readonly config: Pick<Config, 'examples'>
}

/** The operator's own come before those of the plan; null: the task has none. */
export async function examplesFor(
  { config, store, scope }: ExampleSources,
  task: TaskId,
): Promise<KnownExamples | null> {
  const own = Object.hasOwn(config.examples, task) ? config.examples[task] : undefined
  if (own !== undefined && own.list.length > 0) return own
  const list = await store.tasks.examples(scope, task)
  return list.length === 0 ? null : { list, from: 'plan' }
}

interface SealedInput {
  readonly kind: PatchKind
  readonly tree: TreeId
  readonly baseTree: TreeId
  readonly install: InstallRule
  /** How long all of it may take. */
  readonly limitMs: number
}

export type TrySealed = (input: SealedInput, mayMake: () => boolean) => Promise<SealedReport | null>

/** Null: there are none, the patch changes nothing that they could see, or they may not be tried. */
export async function probeSealed(
  taskRun: Examination,
  input: SealedInput,
  mayMake: () => boolean,
): Promise<SealedReport | null> {
  if (input.kind !== 'code' && input.kind !== 'data' && input.kind !== 'generated') return null
  const examples = await examplesFor(taskRun.engine, taskRun.task.id)
  return examples === null || !mayMake() ? null : trySealed(taskRun, examples, input)
}

async function trySealed(
  taskRun: Examination,
  { list, from }: KnownExamples,
  { tree, baseTree, install, limitMs }: SealedInput,
): Promise<SealedReport> {
  const { engine, task, build } = taskRun
  const until = engine.now() + limitMs
  const [first, second] = await onTree(taskRun, { tree, install, until, examples: list, times: 2 })
  const [onBase] = await onTree(taskRun, { tree: baseTree, install, until, examples: list, times: 1 })
  const results = { onBase: onBase ?? [], results: first ?? [] }
  const judged = judgeExamples(results.onBase, [results.results, second ?? []])
  const record: SealedRecord = { kind: 'sealed', task: task.id, tree, from, examples: list, ...results }
  await engine.store.builds.keep(build, [record])
  const told = toldToAgent(judged, list, results.results)
  const readable = from === 'settings' || canReadFiles(engine.config)
  return { ...judged, readable, ...(told === null ? {} : { told }) }
}

/** No sandbox hides the store from an agent that has tools of its own. */
function canReadFiles({ agents, agent }: EngineDeps['config']): boolean {
  return [agents.implementer, ...agents.fallback].some((name) => agent[name].tools !== 'none')
}

interface TreeRequest extends Pick<SealedInput, 'install'> {
  readonly tree: TreeId
  readonly until: number
  readonly examples: readonly SealedExample[]
  readonly times: number
}

/** A tree never changes, and neither do its answers; the base is the same for every attempt. */
async function onTree(taskRun: Examination, request: TreeRequest): Promise<readonly (readonly ExampleResult[])[]> {
  const { engine } = taskRun
  const { tree, examples, times } = request
  const known = engine.memory.exampleResults
  const key = JSON.stringify([tree, times, examples])
  const kept = known.get(key)
  if (kept !== undefined) return kept
  const results = await runOnTree(taskRun, request)
  if (results.flat().every(({ is }) => is !== 'unclear')) known.set(key, results)
  return results
}

async function runOnTree(taskRun: Examination, request: TreeRequest): Promise<ExampleResult[][]> {
  const { engine, signal } = taskRun
  const { checks, workspaces } = engine
  const { tree, install, until, examples, times } = request
  const command = await setupFor(engine, tree)
  const setup = command === null ? null : { command, installScripts: install.scripts }
  const checkout = await workspaces.checkout(tree)
  try {
    const prepared = await checks.prepare(checkout, setup, signal)
    if (!prepared.ok) return Array.from({ length: times }, () => examples.map(() => NOT_SET_UP))
    const runs: ExampleResult[][] = []
    for (let time = 0; time < times; time += 1) {
      const before = runs.at(-1)
      // What was cut short once would be again.
      const cut = (at: number): ExampleResult | null => (isCut(before?.[at]) ? (before?.[at] ?? null) : null)
      const wanted = examples.filter((_, at) => cut(at) === null)
      const results = await checks.tryExamples(checkout, wanted, signal, { limitMs: until - engine.now() })
      runs.push(examples.map((_, at) => cut(at) ?? results.shift() ?? NOT_SET_UP))
    }
    return runs
  } finally {
    await checks.release(checkout)
    checkout.free()
  }
}

const NOT_SET_UP: ExampleResult = { is: 'unclear', answer: 'the setup failed' }

function isCut(result: ExampleResult | undefined): boolean {
  return result !== undefined && (result.answer === TOOK_TOO_LONG.answer || result.answer === PRINTED_TOO_MUCH.answer)
}
