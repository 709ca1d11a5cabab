// Shows merged and pinned work in the user's own repository: the build branch, the notes, the pins. It writes only
// these refs, and only forward: a person's commits on one of them stay.
import type { BuildId, CommitId } from '../../../core/values/id.ts'
import type { Mirrored } from '../../workspace.ts'
import { lockIn } from '../command/git-failure.ts'
import type { Standing } from '../known/mirror-state.ts'
import type { GitContext } from '../repository/git-context.ts'
import { BRANCHES, FOREIGN, NOTES_REF, PINS, baseRef, branchName, branchRef, encodeId } from '../repository/layout.ts'
import { breakOurLocks } from '../repository/our-locks.ts'
import { readRef } from '../repository/refs.ts'
import { FETCH } from '../repository/take-objects.ts'

/** Joins calls that come while one runs into the next run. */
export function startMirror(context: GitContext): (build: BuildId) => Promise<Mirrored> {
  const running = new Map<BuildId, Promise<Mirrored>>()
  const waiting = new Map<BuildId, Promise<Mirrored>>()
  const go = (build: BuildId): Promise<Mirrored> => {
    const mirroring = mirror(context, build).finally(() => running.delete(build))
    running.set(build, mirroring)
    return mirroring
  }
  const begin = (build: BuildId): Promise<Mirrored> => {
    // Later callers may know of newer moves than this run has seen.
    waiting.delete(build)
    return go(build)
  }
  return (build) => {
    const now = running.get(build)
    if (now === undefined) return go(build)
    const next = waiting.get(build) ?? now.then(() => begin(build))
    waiting.set(build, next)
    return next
  }
}

/** The complete commits of the user's repository when a build begins. */
interface MirrorStart {
  readonly base: CommitId
  readonly notes: CommitId | null
}

/** With this, even the first mirror takes the short way. */
export async function expectMirror(
  { mirrorState, paths }: GitContext,
  build: BuildId,
  { base, notes }: MirrorStart,
): Promise<void> {
  mirrorState.forget(build)
  mirrorState.mirrored(build, [
    { name: baseRef(build), to: base },
    ...(notes === null ? [] : [{ name: NOTES_REF, to: notes }]),
  ])
  mirrorState.moved(branchRef(build))
  const ours = await readRef(paths.repo, NOTES_REF)
  if (ours !== notes) mirrorState.moved(NOTES_REF)
}

async function mirror(context: GitContext, build: BuildId): Promise<Mirrored> {
  const isMirrored = (name: string) => context.mirrors === 'all' || name !== branchRef(build)
  const news = context.mirrorState.takeMoved((name) => isOf(build, name) && isMirrored(name))
  const mirrored = await bring(context, build, news).catch(
    // Nobody waits for this, and nothing depends on it.
    (error: unknown): Mirrored => ({ done: false, reason: error instanceof Error ? error.message : String(error) }),
  )
  if (!mirrored.done) context.mirrorState.moved(...news)
  return mirrored
}

async function bring(context: GitContext, build: BuildId, news: readonly string[]): Promise<Mirrored> {
  const known = context.mirrorState.mirroredOf(build)
  const moved = known === null ? null : await context.fast.mirror(context, news, known)
  const mirrored: Mirrored = moved === null ? await mirrorByFetch(context, build) : { done: true }
  if (!mirrored.done) return mirrored
  const moves = moved ?? (await standingOf(context, build))
  const standings = moves.filter(({ name }) => !name.startsWith(PINS))
  context.mirrorState.mirrored(build, standings)
  return mirrored
}

function isOf(build: BuildId, name: string): boolean {
  const isKept = [PINS, FOREIGN].some((folder) => name.startsWith(`${folder}${encodeId(build)}/`))
  return name === branchRef(build) || name === NOTES_REF || isKept
}

/** Branch and notes in the user's repository after a fetch; pins are new each time. */
async function standingOf({ user }: GitContext, build: BuildId): Promise<Standing[]> {
  const names = [branchRef(build), NOTES_REF]
  const found = names.map(async (name) => ({ name, to: await readRef(user.commonDir, name) }))
  return (await Promise.all(found)).flatMap(({ name, to }) => (to === null ? [] : [{ name, to }]))
}

async function mirrorByFetch(context: GitContext, build: BuildId): Promise<Mirrored> {
  const mirrored = await fetchAll(context, build)
  if (mirrored.done || lockIn(mirrored.reason) === null || !(await breakOurLocks(context.user, build))) return mirrored
  return fetchAll(context, build)
}

async function fetchAll(context: GitContext, build: BuildId): Promise<Mirrored> {
  const refs = [
    ...(context.mirrors === 'all' ? [`${branchRef(build)}:${branchRef(build)}`] : []),
    // A pin is never moved back: a newer pin of the same name contains the older one.
    ...[PINS, FOREIGN].map((folder) => `${folder}${encodeId(build)}/*:${folder}${encodeId(build)}/*`),
    ...((await readRef(context.paths.repo, NOTES_REF)) === null ? [] : [`${NOTES_REF}:${NOTES_REF}`]),
  ]
  if ((await fetch(context, refs)) === null) return { done: true }
  // One of them blocks all, so fetch each alone.
  const reasons: string[] = []
  for (const ref of refs) {
    const words = await fetch(context, [ref])
    if (words !== null) reasons.push(reasonFor(ref, branchName(build), words))
  }
  return reasons.length === 0 ? { done: true } : { done: false, reason: reasons.join('; ') }
}

/** Null, or git's reason against it. */
async function fetch({ git, paths, user }: GitContext, refs: readonly string[]): Promise<string | null> {
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
  if (words.includes(`'refs/heads/${BRANCHES}' exists`))
    return `${branch} is not in your repository: your branch '${BRANCHES}' leaves no room for it (git cannot have both); rename that with 'git branch -m ${BRANCHES} NEW-NAME', 'ralph ship' works either way`
  if (/non-fast-forward|rejected/.test(words))
    return `${name} has commits in your repository that are not Ralph's; rename yours`
  const line = words.split('\n').find((text) => /^(fatal|error): /.test(text)) ?? words.split('\n')[0] ?? ''
  return `${name} could not be brought into your repository: ${line.replace(/^(fatal|error): /, '')}`
}
