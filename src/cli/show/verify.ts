// `ralph verify`: everything that was said of a commit, proved once more from a clean clone.
import { openCleanClone } from '../../compose.ts'
import { areProved, commitsToVerify, type CommitProof, runsText, verifyCommit } from '../../operations/ship/verify.ts'
import { taskToVerify, verifyReportedTask } from '../../operations/ship/verify-task.ts'
import type { CleanClone } from '../../operations/ship/clean-clone.ts'
import { inTotoEnvelope } from '../../operations/ship/in-toto.ts'
import type { ProbeReport } from '../../core/evidence/probe-report.ts'
import { shortSentence } from '../../core/probes/report/probe-text.ts'
import { refuse } from '../../core/error/error.ts'
import { isReported } from '../../core/task/reported.ts'
import type { Task } from '../../core/task/task.ts'
import { type BuildId, taskId } from '../../core/values/id.ts'
import { configForNew } from '../../operations/builds/build-config.ts'
import { findBuild, frozenOf } from '../../operations/builds/builds.ts'
import type { Call, Command } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { checkoutOf, hasStore, openExistingContext, userPlace } from '../run/build-context.ts'
import { shownText } from '../text/sanitize.ts'
import { onInterrupt } from '../run/interrupt.ts'

/** Refused by a gate. */
const EXIT_REFUSED = 4

export const verify: Command = {
  usage: 'verify [COMMIT | BUILD | A..B | --task ID] [--quick] [--in-toto]',
  // With --task it changes the task.
  who: (flags) => (flags.has('task') ? 'operator' : 'anyone'),
  about:
    'Proves evidence again: reads what each commit carries, and runs every check and every probe once more in a clean\n' +
    'clone. The newest build, if nothing is named. --task runs the checks on HEAD for a task that was reported done outside a\n' +
    'build, and opens it again where they are red. Exit 4 where something does not hold.',
  flags: [
    { long: 'task', takes: 'value', value: 'ID', about: 'a task that is done' },
    { long: 'quick', takes: 'nothing', about: 'the checks alone, without the probes' },
    {
      long: 'in-toto',
      takes: 'nothing',
      about: 'prints an in-toto statement of each proved commit, a DSSE envelope a line',
    },
  ],
  wordsMax: 1,
  run: async (call) => {
    const named = call.flags.get('task')
    const done = named === undefined ? null : await doneTask(call, named)
    if (done !== null && done.commit === null) return verifyReport(call, done.task)
    const target = done?.commit ?? call.words[0] ?? (await findBuild(await openExistingContext(call))).id
    await inCleanClone(call, await copiedFor(call, target), async (room, signal) => {
      const probes = call.flags.has('quick') ? 'left' : 'again'
      const note = (sentence: string): void => printError(`${shownText(sentence)}\n`)
      const proofs: CommitProof[] = []
      for (const commit of await commitsToVerify(room, target)) {
        const proof = await verifyCommit(room, commit, { signal, probes, note })
        proofs.push(proof)
        if (call.flags.has('in-toto')) await printEnvelope(call, room, proof, probes)
        else if (!call.wantsJson) print(proofText(proof))
      }
      conclude(call, target, proofs)
    })
  },
}

async function doneTask(call: Call, id: string): ReturnType<typeof taskToVerify> {
  if (call.words.length > 0) throw refuse('FLAGS_CONFLICT', { one: '--task', other: 'a commit or a build' })
  return taskToVerify(await openExistingContext(call), taskId(id))
}

async function verifyReport(call: Call, task: Task): Promise<void> {
  const context = await openExistingContext(call)
  const { config } = await configForNew({ folder: checkoutOf(call), env: call.env }, null)
  const fact = await inCleanClone(call, config.workspace.copy, (room, signal) =>
    verifyReportedTask(context, room, config, task, signal),
  )
  const { taskId: id, commit } = fact
  const ok = fact.type === 'reportVerified'
  if (!ok) process.exitCode = EXIT_REFUSED
  if (call.wantsJson)
    return printJson({ task: id, ok, commit, ...(ok ? { checks: fact.checks } : { reason: fact.reason }) })
  const words = ok ? `verified on HEAD (${commit.slice(0, 10)}): ${fact.checks}` : `NOT verified: ${fact.reason}`
  const again = !ok && isReported(task) ? '\nIt is open again.' : ''
  print(`${shownText(id)} ${words.split('\n').map(shownText).join('\n  ')}${again}\n`)
}

async function inCleanClone<T>(
  call: Call,
  copy: readonly string[],
  work: (room: CleanClone, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const quiet = onInterrupt({ stop: () => stop.abort(new Error('stopped')), kill: () => process.exit(130) })
  const room = await openCleanClone(call.folder, call.env, copy)
  try {
    return await work(room, stop.signal)
  } finally {
    quiet()
    await room.close()
  }
}

/** Ignored files that the checks of a build need; a commit by itself says nothing of them. */
async function copiedFor(call: Call, target: string): Promise<readonly string[]> {
  if (!hasStore(call)) return []
  const context = await openExistingContext(call)
  const build = await context.store.builds.find(target as BuildId)
  return build === null ? [] : (await frozenOf(context, build.id)).config.workspace.copy
}

const words = { proved: 'proved', disproved: 'NOT proved', accepted: 'NOT proved', foreign: 'NOT proved' } as const

function proofText({ commit, subject, is, reasons, runs, probes, notes }: CommitProof): string {
  const why = (is === 'proved' ? runsText(runs) : reasons.join('\n')).split('\n').map(shownText)
  const again = is === 'proved' && probes !== null ? [againText(probes)] : []
  const below = [...again, ...notes].map((line) => `           ${shownText(line)}\n`)
  const first = `${commit.slice(0, 10)} ${shownText(subject)}\n           ${words[is]}: ${why.join('\n             ')}\n`
  return `${first}${below.join('')}`
}

function againText({ sentence, breaks, witnesses }: ProbeReport): string {
  const hasRuns = breaks.length > 0 || witnesses.count > 0
  return `${hasRuns ? 'the same probes again: ' : ''}${shortSentence(sentence)}`
}

/** Only the statement goes to stdout. */
async function printEnvelope(
  call: Call,
  room: CleanClone,
  proof: CommitProof,
  probes: 'again' | 'left',
): Promise<void> {
  const made = await inTotoEnvelope(room, userPlace(call), proof, probes)
  printError(proofText(proof))
  if (made === null) return
  printJson(made.envelope)
  if (made.unsigned !== null) printError(`${shownText(made.unsigned)}\n`)
}

function conclude(call: Call, target: string, proofs: readonly CommitProof[]): void {
  const proved = proofs.filter(({ is }) => is === 'proved').length
  const ok = areProved(proofs)
  if (!ok) process.exitCode = EXIT_REFUSED
  if (call.flags.has('in-toto')) return
  if (call.wantsJson) return printJson({ target, ok, commits: proofs.map(({ evidence: _, ...proof }) => proof) })
  const rest = proofs.length - proved
  const count = `${proofs.length} ${proofs.length === 1 ? 'commit' : 'commits'}`
  if (proofs.length === 0) print(`There is nothing to prove: ${target} has no commit that Ralph made.\n`)
  else print(ok ? `${count}: every one is proved.\n` : `${count}: ${proved} proved, ${rest} not.\n`)
}
