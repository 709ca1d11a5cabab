// `ralph plan`: tasks from a goal, a spec or a list, for the store or for a progress file.
import { resolve } from 'node:path'
import { refuse } from '../../core/error/error.ts'
import { FORM_NAMES } from '../../core/plan/plan-form.ts'
import { seedName } from '../../core/plan/seed.ts'
import { unfinishedBuild } from '../../operations/builds/builds.ts'
import { type Draft, type DraftRule, draftOfList, keepPlan, seenAhead } from '../../operations/plans/make-plan.ts'
import { type PlanFile, planFileText, requireFree, writePlanFile } from '../../operations/plans/plan-file.ts'
import { readPlanInput, sourceAt, sourceName, type PlanInput } from '../../operations/plans/plan-source.ts'
import { importProgressFile } from '../../operations/builds/progress-file.ts'
import { listNotes } from '../../operations/plans/start-build.ts'
import { checkoutOf, hasStore, openBuildContext } from '../run/build-context.ts'
import { note } from '../run/reporter.ts'
import type { Call, Command } from '../command.ts'
import { print, printJson } from '../output.ts'
import { planJson, planText, type PlanOutput } from './plan-text.ts'
import { type PlanOptions, PLAN_FLAGS, readPlanOptions } from './plan-options.ts'

export const plan: Command = {
  usage: 'plan "GOAL" | FILE | - [--dry-run] [--out FILE [--force]] [--as FORM] [--agent NAME]',
  who: 'operator',
  about:
    'Makes a plan and keeps its tasks: the planner is asked about a goal or a spec; a progress file, a checklist, a\n' +
    "prd.json and JSON lines are taken over as they are. 'ralph build' builds them.",
  flags: PLAN_FLAGS,
  wordsMax: 1,
  run: async (call) => {
    const options = readPlanOptions(call)
    const place = { root: checkoutOf(call), folder: call.folder }
    const out = outFile(call, options)
    if (out !== null) requireFree(out)
    const stdin = async () => (await import('../input.ts')).readInput('what is to be planned, on stdin')
    const wanted = await readPlanInput(place, options.word, options.as, stdin)
    if (options.keep === 'nothing') note(dryNote(wanted))
    if (wanted.is === 'progress') return importFile(call, wanted, options)
    const spec = out === null ? undefined : sourceName(place.root, out.path)
    await keep(call, options, wanted, await draftRule(call, options, wanted, spec), out)
  },
}

function dryNote({ is }: PlanInput): string {
  return is === 'seed' ? 'Dry run: the planner is asked, but nothing is written.' : 'Dry run: nothing is written.'
}

function outFile(call: Call, { out, replace }: PlanOptions): PlanFile | null {
  return out === null ? null : { path: resolve(call.folder, out), replace }
}

async function draftRule(
  call: Call,
  options: PlanOptions,
  wanted: Exclude<PlanInput, { is: 'progress' }>,
  spec: string | undefined,
): Promise<DraftRule> {
  if (wanted.is === 'seed')
    return (await import('../run/planner.ts')).plannedRule(call, options.agent, wanted.seed, spec)
  note(`${wanted.name} is ${FORM_NAMES[wanted.form]}: no agent is asked.`)
  return draftOfList(wanted, spec)
}

/** Writes the plan to the store, to a file, or nowhere. */
async function keep(
  call: Call,
  options: PlanOptions,
  wanted: Exclude<PlanInput, { is: 'progress' }>,
  rule: DraftRule,
  out: PlanFile | null,
): Promise<void> {
  const name = wanted.is === 'seed' ? seedName(wanted.seed) : wanted.name
  const form = wanted.is === 'list' ? wanted.form : wanted.seed.from
  const context = options.keep === 'store' || hasStore(call) ? await openBuildContext(call) : null
  const { draft, diff } =
    context !== null && options.keep === 'store'
      ? await keepPlan(context, rule)
      : { draft: await seenAhead(context, rule), diff: null }
  if (out !== null) await writePlanFile(out, planFileText(titleOf(wanted), draft.notes, draft.items))
  for (const sentence of listNotes(draft, name)) note(`Note: ${sentence}.`)
  printOutput(call, { name, form, draft, diff, out: options.out })
  const unfinished = context === null || diff === null ? null : await unfinishedBuild(context)
  if (unfinished !== null) note(`Note: build ${unfinished.id} is not finished, and works on these tasks too.`)
  else if (diff !== null && draft.items.length > 0) note("'ralph build' builds them.")
  if (out !== null && draft.items.some(({ examples = [] }) => examples.length > 0))
    note(
      `Note: sealed examples are not written to ${options.out}, where agents would read them; '[sealed] file' takes yours.`,
    )
  if (out !== null) note(`Wrote ${options.out}; 'ralph build ${options.out}' builds it.`)
}

function printOutput(call: Call, output: PlanOutput): void {
  if (call.wantsJson) printJson(planJson(output))
  else print(planText(output))
}

/** The title of the progress file. */
function titleOf(wanted: Exclude<PlanInput, { is: 'progress' }>): string {
  if (wanted.is === 'list') return wanted.name
  const { text } = wanted.seed
  const heading = /^#{1,6}[ \t]+(\S.*)$/m.exec(text)?.[1]
  const line = (heading ?? text.trim().split('\n')[0] ?? '').trim()
  return line.length > TITLE_LENGTH_MAX ? `${line.slice(0, TITLE_LENGTH_MAX - 1)}…` : line
}

const TITLE_LENGTH_MAX = 80

async function importFile(
  call: Call,
  { source }: Extract<PlanInput, { is: 'progress' }>,
  options: PlanOptions,
): Promise<void> {
  if (options.keep !== 'store')
    throw refuse('USAGE', {
      message: `${source} is a progress file already; 'ralph build ${source} --dry-run' looks at it`,
    })
  note(`${source} is ${FORM_NAMES.progress}: no agent is asked.`)
  const context = await openBuildContext(call)
  const { diff, doneBefore } = await importProgressFile(context, sourceAt(checkoutOf(call), source))
  const items = [...diff.inserted, ...diff.updated].map((task) => ({
    id: task.id,
    text: task,
    deps: task.deps,
    line: 0,
  }))
  const draft: Draft = { items, specs: [source], notes: '', renamed: [], doneBefore, checkedOff: 0 }
  for (const sentence of listNotes(draft, source)) note(`Note: ${sentence}.`)
  printOutput(call, { name: source, form: 'progress', draft, diff, out: null })
  note(`'ralph build ${source}' builds it, and keeps the file up to date.`)
}
