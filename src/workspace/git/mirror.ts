// What the engine has landed and pinned, shown in the user's own repository: the build branch, the notes, the pins. Only
// these refs are written there, and only forward: what a person put on one of them stays.
import type { BuildId } from '../../core/id.ts'
import type { Mirrored } from '../workspace.ts'
import type { Ground } from './ground.ts'
import { NOTES_REF, PINS, branchName, branchRef, encoded } from './layout.ts'
import { readRef } from './refs.ts'
import { FETCH } from './take-over.ts'

/** Calls while one runs are joined into the next. */
export function startMirror(ground: Ground): (build: BuildId) => Promise<Mirrored> {
  const running = new Map<BuildId, Promise<Mirrored>>()
  const waiting = new Map<BuildId, Promise<Mirrored>>()
  const go = (build: BuildId): Promise<Mirrored> => {
    const mirroring = mirror(ground, build).finally(() => running.delete(build))
    running.set(build, mirroring)
    return mirroring
  }
  return (build) => {
    const now = running.get(build)
    if (now === undefined) return go(build)
    const next = waiting.get(build) ?? now.then(() => go(build)).finally(() => waiting.delete(build))
    waiting.set(build, next)
    return next
  }
}

async function mirror(ground: Ground, build: BuildId): Promise<Mirrored> {
  try {
    const refs = [
      `${branchRef(build)}:${branchRef(build)}`,
      // A pin is never taken back: a newer one of the same name holds the older one.
      `${PINS}${encoded(build)}/*:${PINS}${encoded(build)}/*`,
      ...((await readRef(ground.paths.repo, NOTES_REF)) === null ? [] : [`${NOTES_REF}:${NOTES_REF}`]),
    ]
    if ((await fetch(ground, refs)) === null) return { done: true }
    // One of them is in the way of all: each alone, then.
    const reasons: string[] = []
    for (const ref of refs) {
      const words = await fetch(ground, [ref])
      if (words !== null) reasons.push(reasonFor(ref, branchName(build), words))
    }
    return reasons.length === 0 ? { done: true } : { done: false, reason: reasons.join('; ') }
  } catch (error) {
    // Nobody waits for this, and nothing depends on it.
    return { done: false, reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Null, or what git said against it. */
async function fetch({ git, paths, user }: Ground, refs: readonly string[]): Promise<string | null> {
  const answer = await git.user(
    [
      '-c',
      'transfer.fsckObjects=false',
      '-c',
      'fetch.fsckObjects=false',
      ...FETCH,
      '--end-of-options',
      paths.repo,
      ...refs,
    ],
    { gitDir: user.commonDir, answers: [1, 128] },
  )
  return answer.code === 0 ? null : answer.stderr
}

function reasonFor(ref: string, branch: string, words: string): string {
  const name = ref.split(':')[0] ?? ref
  if (/refusing to fetch into/.test(words))
    return `${branch} is checked out in your repository; switch to another branch`
  if (/non-fast-forward|rejected/.test(words))
    return `${name} has commits in your repository that are not Ralph's; rename yours`
  const line = words.split('\n').find((text) => /^(fatal|error): /.test(text)) ?? words.split('\n')[0] ?? ''
  return `${name} could not be brought into your repository: ${line.replace(/^(fatal|error): /, '')}`
}
