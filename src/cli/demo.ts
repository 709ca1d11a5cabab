// `ralph demo`: a whole build on a small real project, played by the scripted agent. Only the agent is not real.
import { styleText } from 'node:util'
import { killEverything } from '../compose.ts'
import { DONE_REASONS } from '../core/builds/done-reason.ts'
import { type RalphError, refuse } from '../core/error/error.ts'
import type { BuildContext } from '../operations/builds/builds.ts'
import { answerTask, findWaiting } from '../operations/builds/escalations.ts'
import type { Run } from '../operations/open-run.ts'
import type { RunEnd } from './text/closing.ts'
import { openBuildContext } from './run/build-context.ts'
import { following } from './run/following.ts'
import { onInterrupt } from './run/interrupt.ts'
import { choose, openChosen, runPlace } from './run/prepare.ts'
import { openReporter, note, type Reporter } from './run/reporter.ts'
import type { Call, Command } from './command.ts'
import { closing, closingJson } from './demo/closing.ts'
import { openDemoPage } from './demo/page.ts'
import { demoReporter } from './demo/demo-reporter.ts'
import { lookAtOutcome } from './demo/outcome.ts'
import { enterPlan, makePlace, type Place } from './demo/place.ts'
import { ANSWER } from './demo/script.ts'
import { print, printJson } from './output.ts'

export const demo: Command = {
  usage: 'demo [--page]',
  who: 'anyone',
  about:
    'Builds six tasks of a small real project in a temporary folder, with an agent that plays a script: real git, real\n' +
    'tests, real evidence. No key, no network, nothing outside that folder.',
  flags: [{ long: 'page', takes: 'nothing', about: 'also show it in a browser, at a link that is printed' }],
  wordsMax: 0,
  run: async (call) => {
    const place = await makePlace(call.env['PATH'] ?? '')
    const { folder, env } = place
    const context = await openBuildContext({ ...call, folder, env })
    await enterPlan(context)
    if (!call.wantsJson) print(opening(place))
    const page = call.flags.has('page') && !call.wantsJson ? await openDemoPage({ ...call, folder, env }) : null
    try {
      if ((await page?.watched()) === 'left') return
      await play({ context, place, call })
      await page?.left()
    } finally {
      await page?.close()
    }
  },
}

interface Stage {
  readonly context: BuildContext
  readonly place: Place
  readonly call: Call
}

const LIMITS = { mode: 'to-the-end', iterationsMax: null, until: null } as const

async function play({ context, place, call }: Stage): Promise<void> {
  const inside = { ...call, folder: place.folder, env: place.env }
  const who = { workers: 1, agent: null, claim: 'engine', where: 'isolated' } as const
  const options = { limits: LIMITS, limited: 'wait', budget: {}, ...who } as const
  const chosen = await choose(context, inside, options, null)
  const run = await openChosen(runPlace(context, inside), inside, chosen, options)
  if (run === null) throw refuse('INTERNAL', { reason: 'the demo has no tasks' })
  try {
    await perform({ context, place, call }, run)
  } finally {
    await run.close()
  }
}

async function perform({ context, place, call }: Stage, run: Run): Promise<void> {
  const { build } = run
  const reporter = call.wantsJson ? openReporter(call, { build, unsettled: async () => 0 }) : demoReporter()

  const first = await loop(run, reporter, async () => {})
  const isAsked = first.reason === 'HumanNeeded'
  const { reason, detail } = isAsked ? await loop(run, reporter, () => beThePerson(context, call)) : first
  if (reason === 'UserCancelled') {
    process.exitCode = DONE_REASONS[reason].exit
    return note(`Stopped. What was made so far is in ${place.folder}.`)
  }
  if (reason !== 'AllTasksComplete') throw otherwise(place, [`it ended with ${reason}`, detail ?? 'no further reason'])
  const outcome = await lookAtOutcome(context, place, build.id)
  if (call.wantsJson) printJson(closingJson(outcome, place))
  if (outcome.problems.length > 0) throw otherwise(place, outcome.problems)
  if (!call.wantsJson) print(closing(outcome, place))
}

function otherwise({ folder }: Place, problems: readonly string[]): RalphError {
  return refuse('DEMO_FAILED', { problems: problems.join('; '), folder })
}

/** Runs until nothing can go on. `before` runs after the reporter has started. */
async function loop(run: Run, reporter: Reporter, before: () => Promise<void>): Promise<RunEnd> {
  const { context, build } = run
  const done = (await context.store.builds.attachments(build.id, 'iteration')).length
  const stops = await run.limits(LIMITS)
  const quiet = onInterrupt({
    stop: () => stops.demand({ reason: 'UserCancelled' }),
    kill: () => void killEverything().finally(() => process.exit(DONE_REASONS.UserCancelled.exit)),
  })
  const follow = await following(context, build, reporter, done === 0 ? 'from-the-start' : 'from-now')
  try {
    await before()
    return await run.loop(stops)
  } finally {
    await follow.end()
    quiet()
  }
}

/** The commands that the owner of the shop would type. */
async function beThePerson(context: BuildContext, call: Call): Promise<void> {
  const { attempt, reason } = await findWaiting(context)
  if (!call.wantsJson) print(question(attempt.task, reason))
  await answerTask(context, ANSWER, attempt.task)
}

function opening({ folder }: Place): string {
  return [
    styleText('bold', 'A corner shop, six tasks, and an agent that makes mistakes'),
    `The project is real (${folder}), and so are git, the tests and`,
    'the engine. Only the agent plays a script: no key, no network.',
    'What an agent says is a claim. What Ralph itself ran is evidence. Only evidence is merged.',
    '',
  ].join('\n')
}

function question(task: string, reason: string): string {
  return [
    `\n${styleText('bold', `Everything else is done: ${task} waits for you`)}`,
    `  ${reason}`,
    `  ${styleText('dim', '$')} ralph answer ${task} -m '${ANSWER}'`,
    `  ${styleText('dim', '$')} ralph build\n`,
    '',
  ].join('\n')
}
