// `ralph build`: runs the loop, reports it while it runs, and prints how it ended.
import { killEverything } from '../../compose.ts'
import type { Config } from '../../config/settings/config.ts'
import type { Build } from '../../core/builds/build.ts'
import { formatBudget, isLimited } from '../../core/money/budget.ts'
import { DONE_REASONS } from '../../core/builds/done-reason.ts'
import { refuse } from '../../core/error/error.ts'
import { claimsSentence } from '../../core/task/claim.ts'
import type { TaskId } from '../../core/values/id.ts'
import { reportBuild } from '../../operations/read/build-report.ts'
import type { BudgetNow } from '../../operations/builds/budget.ts'
import { type BuildContext, planName } from '../../operations/builds/builds.ts'
import { unshippedWork } from '../../operations/ship/unshipped-work.ts'
import type { Run } from '../../operations/open-run.ts'
import { readPlanInput, type PlanInput } from '../../operations/plans/plan-source.ts'
import { type Call, type Command, unlessDry } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { closingJson, closingText, type RunEnd } from '../text/closing.ts'
import { checkoutOf, hasStore, openBuildContext, unsettled, userPlace } from './build-context.ts'
import { following } from './following.ts'
import { closeIdea } from './idea-closing.ts'
import { onInterrupt } from './interrupt.ts'
import { count, firstLine, timeOfDay } from '../text/sanitize.ts'
import { choose, type ChosenBuild, openChosen, runPlace } from './prepare.ts'
import { openReporter, note, type Reporter } from './reporter.ts'
import { BUILD_FLAGS, type BuildOptions, readBuildOptions } from './options.ts'
import type { AgentEvent } from '../text/last-words.ts'

export const build: Command = {
  usage:
    'build ["GOAL" | SPEC.md | PROGRESS.md] [--once] [--dry-run] [-n N] [--until HH:MM] [--workers N] [--agent NAME] ' +
    '[--budget USD] [--claim WHO] [--in-place]',
  who: unlessDry,
  about:
    'Builds until every task is verified and merged. A goal or a spec is planned first; the tasks of a progress file, a\n' +
    'checklist or a prd.json are taken as they are. Without any, it goes on with the unfinished build, else builds the\n' +
    'open tasks of this repository. Ctrl+C stops; calling it again goes on.',
  flags: BUILD_FLAGS,
  wordsMax: 1,
  run: async (call) => {
    const options = readBuildOptions(call, Date.now())
    const wanted = await wantedBy(call)
    if (call.flags.has('dry-run')) return (await import('./dry-run.ts')).dryRun(call, options, wanted)
    if (options.limits.mode === 'one-iteration') note('One iteration only, as asked with --once.')
    if (wanted === null && !hasStore(call)) return nothingToDo(call, null)
    const context = await openBuildContext(call)
    const chosen = await choose(context, call, options, wanted)
    if (chosen.unfinished === null && wanted === null && (await unsettled(context)) === 0) {
      nothingToDo(call, null)
      const behind = await unshippedWork(context, userPlace(call))
      return behind === null ? undefined : note(`Note: ${behind}.`)
    }
    for (const sentence of chosen.notes) note(`Note: ${sentence}.`)
    await runChosen(context, call, options, chosen)
  },
}

async function wantedBy(call: Call): Promise<PlanInput | null> {
  const [word] = call.words
  if (word === undefined) return null
  const stdin = async () => (await import('../input.ts')).readInput('what is to be built, on stdin')
  return readPlanInput({ root: checkoutOf(call), folder: call.folder }, word, null, stdin)
}

async function runChosen(context: BuildContext, call: Call, options: BuildOptions, chosen: ChosenBuild): Promise<void> {
  let reporter: Reporter | null = null
  const watcher = {
    fact: () => {},
    agent: (_: string, event: AgentEvent, task: TaskId | null) => reporter?.agent(task, event),
  }
  if (options.claim === 'agent') requireShell(chosen.config)
  const place = runPlace(context, call, watcher, (line) => (reporter === null ? note(line) : reporter.note(line)))
  const run = await openChosen(place, call, chosen, options)
  if (run === null) return nothingToDo(call, chosen)
  try {
    note(headline(run, chosen))
    for (const sentence of bounds(options, run.workers)) note(sentence)
    if (chosen.unfinished === null) for (const sentence of await claims(context)) note(sentence)
    const money = budgetText(run.budget)
    if (money !== null) note(money)
    reporter = openReporter(call, { build: run.build, since: Date.now(), unsettled: () => unsettled(context) })
    const ended = await loop(run, options, reporter, chosen)
    if (options.claim === 'agent') for (const sentence of await blockedOnes(context)) note(sentence)
    await close(context, call, run.build, ended)
  } finally {
    await run.close()
  }
}

/** An agent that chooses its task needs the task commands. */
function requireShell({ agents: { implementer: name }, agent }: Config): void {
  if (name !== 'model' && agent[name].tools !== 'none') return
  const reason =
    'with --claim agent a session chooses its task by commands, and it has no shell; leave --claim agent out, or use another agent'
  throw refuse('AGENT_NOT_READY', { name, reason })
}

async function loop(run: Run, options: BuildOptions, reporter: Reporter, chosen: ChosenBuild): Promise<RunEnd> {
  const stops = await run.limits(options.limits)
  const quiet = onInterrupt({
    stop: () => {
      reporter.note('Stopping: the agent is asked to stop, and all is saved. Ctrl+C again kills it.')
      stops.demand({ reason: 'UserCancelled' })
    },
    kill: () => {
      reporter.end()
      note('Killed.')
      void killEverything().finally(() => process.exit(DONE_REASONS.UserCancelled.exit))
    },
  })
  const from = chosen.unfinished === null ? 'from-the-start' : 'from-now'
  const follow = await following(run.context, run.build, reporter, from)
  try {
    return await run.loop(stops, options.claim)
  } finally {
    await follow.end()
    reporter.end()
    quiet()
  }
}

function headline({ build, engine }: Run, chosen: ChosenBuild): string {
  const { agents } = engine.config
  const what = chosen.unfinished === null ? 'Build' : 'Going on with build'
  const checks = engine.config.checks.map(({ name }) => name).join(', ')
  const over = chosen.source === null && chosen.seed === null ? '' : ` over ${planName(chosen)}`
  const who = chosen.plan === 'planned' ? '' : `${agents.planner} plans it first, `
  const next = agents.fallback.filter((name) => name !== agents.implementer)
  const others = next.length === 0 ? '' : ` (where it cannot, ${next.join(', then ')})`
  return `${what} ${build.id}${over}: ${who}${agents.implementer} works${others}, checks: ${checks === '' ? 'none' : checks}.`
}

function bounds({ limits, claim }: BuildOptions, workers: number): string[] {
  const sentences = [
    ...(limits.iterationsMax === null ? [] : [`at most ${count(limits.iterationsMax, 'iteration')}`]),
    ...(limits.until === null ? [] : [`none begun after ${timeOfDay(limits.until)}`]),
    ...(workers === 1 ? [] : [`${workers} tasks at a time`]),
    ...(claim === 'agent' ? ['each session chooses its task (--claim agent)'] : []),
  ]
  return sentences.length === 0 ? [] : [`This run: ${sentences.join(', ')}.`]
}

async function claims({ store, scope }: BuildContext): Promise<string[]> {
  const sentence = claimsSentence(await store.tasks.list(scope, { statuses: ['open', 'active', 'waiting'] }))
  return sentence === null ? [] : [`Claims: ${sentence}.`]
}

/** The budget after the flags are applied; null where there is none. */
function budgetText({ budget, charged }: BudgetNow): string | null {
  if (!isLimited(budget)) return null
  const isBegun = charged.usd > 0 || charged.tokens > 0
  const used = { usd: budget.usd === null ? null : charged.usd, tokens: budget.tokens === null ? null : charged.tokens }
  return `Budget of the build: ${formatBudget(budget)}${isBegun ? `, of which ${formatBudget(used)} is used` : ''}.`
}

/** The tasks that no agent can claim. */
async function blockedOnes({ store, scope }: BuildContext): Promise<string[]> {
  const left = await store.tasks.list(scope, { statuses: ['open', 'active', 'waiting'] })
  const ids = new Set(left.map(({ id }) => id))
  return left.flatMap((task) => {
    if (task.status === 'waiting') return [`Blocked: ${task.id} waits for you: ${firstLine(task.failReason ?? '')}`]
    const by = task.deps.filter((id) => ids.has(id))
    return task.status === 'active' || by.length === 0 ? [] : [`Blocked: ${task.id} waits for ${by.join(', ')}.`]
  })
}

function nothingToDo(call: Call, chosen: ChosenBuild | null): void {
  const anew = chosen?.wanted?.is === 'seed' ? "; 'ralph plan' plans it anew" : ''
  const sentence =
    chosen === null
      ? 'Nothing to do: there are no open tasks; say what is to be built, as in \'ralph build "add a login page"\'.'
      : `Nothing to do: no task of ${planName(chosen)} is open${anew}.`
  if (call.wantsJson) printJson({ type: 'done', reason: 'AllTasksComplete', exit: 0, sentence, commits: [] })
  else print(`${sentence}\n`)
}

async function close(context: BuildContext, call: Call, build: Build, ended: RunEnd): Promise<void> {
  const report = await reportBuild(context, build.id)
  process.exitCode = DONE_REASONS[ended.reason].exit
  if (call.flags.has('debug') && 'cause' in ended) printError(`${stackOf(ended.cause)}\n`)
  if (call.wantsJson) printJson(closingJson(ended, report))
  else print(closingText(ended, report))
  await closeIdea(context, call, build)
}

function stackOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
