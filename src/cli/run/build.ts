// `ralph build`: the loop, told while it runs, and how it ended.
import { hostname } from 'node:os'
import { killEverything, openNotifying } from '../../compose.ts'
import type { Config } from '../../config/settings/config.ts'
import { formatBudget, isLimited } from '../../core/money/budget.ts'
import { DONE_REASONS } from '../../core/builds/done-reason.ts'
import { refuse } from '../../core/error/error.ts'
import type { TaskId } from '../../core/values/id.ts'
import { freeDeadLoops } from '../../operations/builds/dead-loops.ts'
import { reportBuild } from '../../operations/read/build-report.ts'
import { agreeOnBudget } from '../../operations/builds/budget.ts'
import { type BuildContext, planName } from '../../operations/builds/builds.ts'
import { leftBehind } from '../../operations/ship/unshipped-work.ts'
import { type Notices, tellNotices } from '../../operations/feed/notices.ts'
import { readPlanInput, type PlanInput } from '../../operations/plans/plan-source.ts'
import { runBuild, runLimits, withLimitsLifted } from '../../operations/builds/run-build.ts'
import { asWorkers, workersOf } from '../../operations/builds/workers.ts'
import { type Call, type Command, unlessDry } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { closingJson, closingText, type Ended } from '../text/closing.ts'
import { checkoutOf, hasStore, openBuildContext, unsettled, userPlace } from './build-context.ts'
import { following } from './following.ts'
import { closeIdea } from './idea-closing.ts'
import { onInterrupt } from './interrupt.ts'
import { count, firstLine, timeOfDay } from '../text/sanitize.ts'
import { choose, type Chosen, prepare, type Prepared } from './prepare.ts'
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
      const behind = await leftBehind(context, userPlace(call))
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

async function runChosen(context: BuildContext, call: Call, options: BuildOptions, chosen: Chosen): Promise<void> {
  let reporter: Reporter | null = null
  const watcher = {
    fact: () => {},
    agent: (_: string, event: AgentEvent, task: TaskId | null) => reporter?.agent(task, event),
  }
  if (options.claim === 'agent') requireShell(chosen.config)
  const found = await prepare(context, call, chosen, watcher)
  if (found === null) return nothingToDo(call, chosen)
  const prepared =
    options.limited === 'wait' ? found : { ...found, engine: await withLimitsLifted(found.engine, found.build.id) }
  for (const sentence of prepared.notes) note(`Note: ${sentence}.`)
  note(headline(prepared, chosen))
  const workers = workersOf(prepared.engine.config, chosen.where, options.workers)
  for (const sentence of bounds(options, workers)) note(sentence)
  const money = await budgetText(context, prepared, options)
  if (money !== null) note(money)
  reporter = openReporter(call, { build: prepared.build, since: Date.now(), unsettled: () => unsettled(context) })
  const at = { ...context, store: prepared.engine.store }
  const notices = await notifying(at, call, prepared, reporter)
  try {
    const ended = await run(at, prepared, { ...options, workers }, reporter, chosen)
    if (options.claim === 'agent') for (const sentence of await blockedOnes(context)) note(sentence)
    await close(context, call, prepared, ended)
  } finally {
    await notices.end()
  }
}

/** Whoever chooses a task does so by commands. */
function requireShell({ agents: { implementer: name }, agent }: Config): void {
  if (name !== 'model' && agent[name].tools !== 'none') return
  const reason =
    'with --claim agent a session chooses its task by commands, and it has no shell; leave --claim agent out, or use another agent'
  throw refuse('AGENT_NOT_READY', { name, reason })
}

async function notifying(
  context: BuildContext,
  call: Call,
  { build, engine }: Prepared,
  reporter: Reporter,
): Promise<Notices> {
  const whom = await openNotifying(call.folder, call.env, engine.config)
  return tellNotices(context, { ...whom, build: build.id, note: (sentence) => reporter.note(`Note: ${sentence}.`) })
}

async function run(
  context: BuildContext,
  { build, engine }: Prepared,
  options: BuildOptions & { readonly workers: number },
  reporter: Reporter,
  chosen: Chosen,
): Promise<Ended> {
  await freeDeadLoops(context, build.id, hostname())
  const done = (await context.store.builds.attachments(build.id, 'iteration')).length
  const stops = runLimits(options.limits, done, engine.config.limits.maxIterations, Date.now)
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
  const follow = await following(context, build, reporter, chosen.unfinished === null ? 'from-the-start' : 'from-now')
  try {
    return await asWorkers(context, options.workers, (ids) =>
      runBuild(context, engine, build, stops, ids, options.claim),
    )
  } finally {
    await follow.end()
    reporter.end()
    quiet()
  }
}

function headline({ build, engine }: Prepared, chosen: Chosen): string {
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
  const said = [
    ...(limits.iterationsMax === null ? [] : [`at most ${count(limits.iterationsMax, 'iteration')}`]),
    ...(limits.until === null ? [] : [`none begun after ${timeOfDay(limits.until)}`]),
    ...(workers === 1 ? [] : [`${workers} tasks at a time`]),
    ...(claim === 'agent' ? ['each session chooses its task (--claim agent)'] : []),
  ]
  return said.length === 0 ? [] : [`This run: ${said.join(', ')}.`]
}

/** The budget as it stands now, after what the flags say of it; null where there is none. */
async function budgetText(
  context: BuildContext,
  { build, engine }: Prepared,
  options: BuildOptions,
): Promise<string | null> {
  const { budget, charged } = await agreeOnBudget(context, build.id, engine.config, options.budget)
  if (!isLimited(budget)) return null
  const isBegun = charged.usd > 0 || charged.tokens > 0
  const used = { usd: budget.usd === null ? null : charged.usd, tokens: budget.tokens === null ? null : charged.tokens }
  return `Budget of the build: ${formatBudget(budget)}${isBegun ? `, of which ${formatBudget(used)} is used` : ''}.`
}

/** What no agent can claim: for people who look at what is left, and for scripts that only see an exit code. */
async function blockedOnes({ store, scope }: BuildContext): Promise<string[]> {
  const left = await store.tasks.list(scope, { statuses: ['open', 'active', 'waiting'] })
  const ids = new Set(left.map(({ id }) => id))
  return left.flatMap((task) => {
    if (task.status === 'waiting') return [`Blocked: ${task.id} waits for you: ${firstLine(task.failReason ?? '')}`]
    const by = task.deps.filter((id) => ids.has(id))
    return task.status === 'active' || by.length === 0 ? [] : [`Blocked: ${task.id} waits for ${by.join(', ')}.`]
  })
}

function nothingToDo(call: Call, chosen: Chosen | null): void {
  const anew = chosen?.wanted?.is === 'seed' ? "; 'ralph plan' plans it anew" : ''
  const sentence =
    chosen === null
      ? 'Nothing to do: there are no open tasks; say what is to be built, as in \'ralph build "add a login page"\'.'
      : `Nothing to do: no task of ${planName(chosen)} is open${anew}.`
  if (call.wantsJson) printJson({ type: 'done', reason: 'AllTasksComplete', exit: 0, sentence, commits: [] })
  else print(`${sentence}\n`)
}

async function close(context: BuildContext, call: Call, { build, engine }: Prepared, ended: Ended): Promise<void> {
  const mirrored = await engine.workspaces.mirror(build.id)
  if (!mirrored.done) note(`Note: ${mirrored.reason}.`)
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
