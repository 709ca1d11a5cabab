// `ralph ship`: the gate, then the base branch, then what comes after.
import { openCleanClone, openEngine } from '../../compose.ts'
import { originOf } from '../../config/settings/config.ts'
import { branchOf } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import type { CommitId } from '../../core/values/id.ts'
import { removedText } from '../../core/builds/removed-tasks.ts'
import { deploy, sayDeployed } from '../../operations/ship/deploy.ts'
import { findBuild, frozenOf } from '../../operations/builds/builds.ts'
import {
  examineShip,
  type GateReport,
  recordPullRequest,
  ship as moveBase,
  shippedCommit,
  type Shipping,
} from '../../operations/ship/ship.ts'
import { proveShip, type ShipProof } from '../../operations/ship/ship-proof.ts'
import { openPullRequest, push } from '../../operations/ship/ship-git.ts'
import { reportBuild, waitedFor } from '../../operations/read/build-report.ts'
import { requireYes, YES } from '../ask.ts'
import { type Call, type Command, unlessDry } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { openExistingContext, userPlace } from '../run/build-context.ts'
import { onInterrupt } from '../run/interrupt.ts'
import { count, shownLines, shownText } from '../text/sanitize.ts'
import { reportMarkdown } from '../text/report-markdown.ts'
import { note } from '../run/reporter.ts'

const EXIT_REFUSED = 4
const EXIT_STOPPED = 130

export const ship: Command = {
  usage:
    'ship [BUILD] [--dry-run] [--push] [--pr] [--allow-skipped] [--allow-unverified] [--yes] [--deploy again|done]',
  who: unlessDry,
  about:
    'Takes a finished build to the base branch, if the gate lets it: every task settled and proved, its evidence\n' +
    'unchanged, and every check as green as that says when it is run once more in a clean clone of what is shipped.\n' +
    'Exit 4 with every reason where it is not. Then the deploy command.',
  flags: [
    { long: 'dry-run', takes: 'nothing', about: 'run the checks, say what would happen, and change nothing' },
    { long: 'push', takes: 'nothing', about: 'push the base branch and the notes with the evidence' },
    {
      long: 'pr',
      takes: 'nothing',
      about: "leave base alone: push the build's branch and open a pull request with gh",
    },
    { long: 'allow-skipped', takes: 'nothing', about: 'ship although tasks were skipped; this is recorded' },
    { long: 'allow-unverified', takes: 'nothing', about: 'ship what a person accepted unverified; this is recorded' },
    { ...YES, about: 'do not ask before --allow-skipped and --allow-unverified' },
    { long: 'deploy', takes: 'value', value: 'again|done', about: 'after a deploy whose end is not known' },
  ],
  wordsMax: 1,
  run: async (call) => {
    await confirmAllowed(call)
    const stop = new AbortController()
    const quiet = onInterrupt({ stop: () => stop.abort(new Error('stopped')), kill: () => process.exit(130) })
    try {
      await run(call, stop.signal)
    } finally {
      quiet()
    }
  },
}

/** A dry run lets nothing pass. */
async function confirmAllowed({ flags }: Call): Promise<void> {
  if (flags.has('dry-run')) return
  await requireYes(flags, 'allow-skipped', 'Ship it although tasks were skipped?')
  await requireYes(flags, 'allow-unverified', 'Ship it although work was taken without evidence?')
}

async function run(call: Call, signal: AbortSignal): Promise<void> {
  const shipping = await prepare(call, signal)
  const word = call.flags.get('deploy')
  if (word !== undefined && word !== 'again' && word !== 'done')
    throw refuse('USAGE', { message: "--deploy takes 'again' or 'done'" })
  const gate = await examineShip(shipping)
  const reasons = gate.reasons.filter(({ code }) => code !== 'deployUnknown' || word === undefined)
  if (reasons.length > 0) return refused(call, { ...gate, reasons })
  if (gate.isShipped) return after(call, shipping, gate, gate.head)
  if (gate.hasBaseMoved) note(`${gate.base} moved on since the build started: the two are merged and verified …`)
  const proof = await proveShip(shipping, gate).catch(unlessStopped(signal))
  if (proof === null) return stopped()
  if (proof.reasons.length > 0) return refused(call, { ...gate, reasons: proof.reasons })
  if (call.flags.has('dry-run')) return foretell(call, gate, shipping)
  if (call.flags.has('pr')) return byPullRequest(call, shipping, gate, proof)
  const commit = await moveBase(shipping, gate, proof)
  await after(call, shipping, gate, commit)
}

function unlessStopped(signal: AbortSignal): (error: unknown) => null {
  return (error) => {
    if (signal.aborted) return null
    throw error
  }
}

function stopped(): void {
  process.exitCode = EXIT_STOPPED
  note('Stopped while the checks ran; nothing was changed.')
}

async function prepare(call: Call, signal: AbortSignal): Promise<Shipping> {
  const context = await openExistingContext(call)
  const { id: build } = await findBuild(context, call.words[0])
  const frozen = await frozenOf(context, build)
  const { config } = frozen
  const user = userPlace(call)
  const engine = await openEngine(user.folder, call.env, config, { fact: () => {}, agent: () => {} }, frozen)
  const base = originOf(config, 'ship.base') === 'default' ? context.scope.branch : config.ship.base
  const allowed = {
    skipped: call.flags.has('allow-skipped') ? 'allowed' : 'refused',
    unverified: call.flags.has('allow-unverified') ? 'allowed' : 'refused',
  } as const
  const openRoom = (copy: readonly string[]) => openCleanClone(user.folder, call.env, copy)
  return { context, engine, build, base, allowed, signal, user, openCleanClone: openRoom, note }
}

function refused(call: Call, gate: GateReport): void {
  process.exitCode = EXIT_REFUSED
  if (call.wantsJson) return printJson({ shipped: false, build: gate.build, base: gate.base, reasons: gate.reasons })
  const lines = gate.reasons.map(({ what, clear }) => `- ${shownLines(what).join('\n  ')}\n  clear it: ${clear}\n`)
  print(`Build ${gate.build} is not shipped, for ${count(gate.reasons.length, 'reason')}:\n${lines.join('')}`)
}

function foretell(call: Call, gate: GateReport, { engine, base }: Shipping): void {
  const { deploy: command } = engine.config.ship
  if (call.wantsJson) return printJson({ shipped: false, dryRun: true, ...gate })
  const merge = gate.hasBaseMoved ? ` after ${base} is merged into it and the result verified` : ''
  const where = call.flags.has('pr') ? 'a pull request is opened for' : `${base} moves forward to`
  print(
    `The gate lets build ${gate.build} pass: ${count(gate.commits.length, 'commit')}. As a dry run, nothing was changed.\n`,
  )
  print(removedNote(gate))
  print(`Shipping it, ${where} ${branchOf(gate.build)}${merge}.\n`)
  if (command !== null && command !== '' && !call.flags.has('pr')) print(`Then this is run: ${command}\n`)
}

/** What the plan had once and has no more, for who ships; empty where nothing was removed. */
function removedNote({ removed }: GateReport): string {
  if (removed.length === 0) return ''
  const were = `${count(removed.length, 'task')} ${removed.length === 1 ? 'was' : 'were'}`
  return `${were} removed from its plan: ${shownText(removedText(removed))}.\n`
}

async function byPullRequest(call: Call, shipping: Shipping, gate: GateReport, proof: ShipProof): Promise<void> {
  const { build, base, user, context } = shipping
  const head = await shippedCommit(shipping, gate, proof)
  const branch = branchOf(build)
  const remote = await push(user, [branch])
  const report = await reportBuild(context, build)
  const title =
    gate.commits.length === 1
      ? (report.merged[0]?.title ?? build)
      : `${count(report.merged.length, 'task')} of build ${build}`
  const seen = { waited: await waitedFor(context, report), checkout: null }
  const body = reportMarkdown(report, seen, 'reviewer')
  const address = await openPullRequest(user, { base, branch, title, body })
  await recordPullRequest(shipping, head, proof)
  if (call.wantsJson) return printJson({ shipped: true, how: 'pullRequest', build, base, commit: head, address })
  print(`${branch} was pushed to ${remote}, and its pull request is ${address}\n`)
}

/** Also where it was shipped before, and only the push or the deploy is left. */
async function after(call: Call, shipping: Shipping, gate: GateReport, commit: CommitId): Promise<void> {
  const { context, build, base, user, engine, signal } = shipping
  const remote = call.flags.has('push') ? await push(user, [base]) : null
  const word = call.flags.get('deploy')
  if (word === 'done') await sayDeployed(context, build, commit)
  const command = engine.config.ship.deploy
  const isDue = command !== null && command !== '' && word !== 'done' && (!gate.isShipped || word === 'again')
  if (isDue && !call.wantsJson) printError(`Deploying: ${command}\n`)
  const deployed = isDue ? await deploy(context, build, { command, commit }, user, signal) : null
  if (deployed !== null && deployed.exit !== 0) process.exitCode = 1
  if (call.wantsJson) return printJson({ shipped: true, how: 'base', build, base, commit, pushed: remote, deployed })
  const was = gate.isShipped ? 'was shipped before' : `is shipped: ${count(gate.commits.length, 'commit')}`
  print(
    `Build ${build} ${was}; ${base} is at ${commit.slice(0, 10)}${remote === null ? '' : `, and pushed to ${remote}`}.\n`,
  )
  if (!gate.isShipped) print(removedNote(gate))
  if (deployed === null) return
  print(deployed.output)
  if (deployed.exit === 0) print('Deployed.\n')
  else
    printError(
      `Error: the deploy command failed (exit ${deployed.exit ?? 'unknown'}); mend it and run 'ralph ship --deploy again' [RALPH_DEPLOY_FAILED]\n`,
    )
}
