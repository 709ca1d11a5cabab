// `ralph verify`: everything that was said of a commit, proved once more from a clean clone.
import { openCleanClone } from '../../compose.ts'
import { areProved, commitsToVerify, type CommitProof, runsText, verifyCommit } from '../../operations/ship/verify.ts'
import type { BuildId } from '../../core/values/id.ts'
import { findBuild, frozenOf } from '../../operations/builds/builds.ts'
import type { Call, Command } from '../command.ts'
import { print, printJson } from '../output.ts'
import { hasStore, openExistingContext } from '../run/build-context.ts'
import { shownText } from '../text/sanitize.ts'
import { onInterrupt } from '../run/interrupt.ts'

/** Refused by a gate. */
const EXIT_REFUSED = 4

export const verify: Command = {
  usage: 'verify [COMMIT | BUILD | A..B]',
  who: 'anyone',
  about:
    'Proves evidence again: reads what each commit carries, and runs every check once more in a clean clone. The\n' +
    'newest build, if nothing is named. Exit 4 where something does not hold.',
  flags: [],
  wordsMax: 1,
  run: async (call) => {
    const target = call.words[0] ?? (await findBuild(await openExistingContext(call))).id
    const copy = await copiedFor(call, target)
    const stop = new AbortController()
    const quiet = onInterrupt({ stop: () => stop.abort(new Error('stopped')), kill: () => process.exit(130) })
    const room = await openCleanClone(call.folder, call.env, copy)
    try {
      const proofs: CommitProof[] = []
      for (const commit of await commitsToVerify(room, target)) {
        const proof = await verifyCommit(room, commit, stop.signal)
        proofs.push(proof)
        if (!call.wantsJson) print(proofText(proof))
      }
      conclude(call, target, proofs)
    } finally {
      quiet()
      await room.close()
    }
  },
}

/** Ignored files that the checks of a build need; a commit by itself says nothing of them. */
async function copiedFor(call: Call, target: string): Promise<readonly string[]> {
  if (!hasStore(call)) return []
  const context = await openExistingContext(call)
  const build = await context.store.builds.find(target as BuildId)
  return build === null ? [] : (await frozenOf(context, build.id)).config.workspace.copy
}

const words = { proved: 'proved', disproved: 'NOT proved', accepted: 'NOT proved', foreign: 'NOT proved' } as const

function proofText({ commit, subject, is, reasons, runs }: CommitProof): string {
  const why = (is === 'proved' ? runsText(runs) : reasons.join('\n')).split('\n').map(shownText)
  return `${commit.slice(0, 10)} ${shownText(subject)}\n           ${words[is]}: ${why.join('\n             ')}\n`
}

function conclude(call: Call, target: string, proofs: readonly CommitProof[]): void {
  const proved = proofs.filter(({ is }) => is === 'proved').length
  const ok = areProved(proofs)
  if (!ok) process.exitCode = EXIT_REFUSED
  if (call.wantsJson) return printJson({ target, ok, commits: proofs })
  const rest = proofs.length - proved
  const count = `${proofs.length} ${proofs.length === 1 ? 'commit' : 'commits'}`
  if (proofs.length === 0) print(`There is nothing to prove: ${target} has no commit that Ralph made.\n`)
  else print(ok ? `${count}: every one is proved.\n` : `${count}: ${proved} proved, ${rest} not.\n`)
}
