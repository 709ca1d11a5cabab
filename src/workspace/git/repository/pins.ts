// Pins keep agents' work for ever under refs. A pin is a commit with the harvested tree. Its first parent is the base
// of the work; the others are commits that it must not lose: an older pin of the same name, and the agent's own
// commits.
import { attemptTrailer } from '../../../core/builds/commit-message.ts'
import { refuse } from '../../../core/error/error.ts'
import type { BuildId, CommitId, TaskId, TreeId } from '../../../core/values/id.ts'
import type { AttemptMark, Pin } from '../../workspace.ts'
import { RALPH, startCommit } from './commits.ts'
import { treeOf } from './commit-trees.ts'
import type { GitContext } from './git-context.ts'
import { PINS, combinedRef, pinRef, taskPins } from './layout.ts'
import { readRef, writeRef } from './refs.ts'

export interface PinContent {
  readonly tree: TreeId
  readonly base: CommitId
  readonly agentCommits?: readonly CommitId[]
  /** The tree's own objects, where they are still being written. */
  readonly written?: Promise<unknown>
}

export async function pin(context: GitContext, mark: AttemptMark, pinned: PinContent): Promise<void> {
  const { tree, base, agentCommits = [], written } = pinned
  const { repo } = context.paths
  context.bases.set(pinnedKey(mark.build, mark.task, tree), base)
  const older = await readRef(repo, pinRef(mark))
  if (older !== null && agentCommits.length === 0 && (await treeOf(context, older)) === tree) {
    await written
    return
  }
  const made = startCommit(context.objects, {
    tree,
    parents: [...new Set([base, ...(older === null ? [] : [older]), ...agentCommits])],
    author: RALPH,
    committer: RALPH,
    at: context.now(),
    message: `pin: ${mark.task}, attempt ${mark.attempt}, iteration ${mark.iteration}\n\nRalph-Build: ${mark.build}\n${attemptTrailer(mark)}`,
  })
  await Promise.all([made.written, written])
  const commit = made.id as CommitId
  await writeRef(context, pinRef(mark), commit)
  context.mirrorState.moved(pinRef(mark))
  context.trees.addCommit(commit, tree)
}

export async function listPins({ git, paths }: GitContext): Promise<Pin[]> {
  const format = '%(refname)%00%(objectname)%00%(committerdate:unix)%00%(contents)%00'
  const { stdout } = await git.engine(['for-each-ref', `--format=${format}`, PINS], {
    gitDir: paths.repo,
  })
  const fields = stdout.toString('utf8').split('\0')
  const pins = fields.flatMap((field, at): Pin[] => {
    const ref = field.trim()
    const [commit, seconds, message] = fields.slice(at + 1)
    if (at % 4 !== 0 || ref === '' || commit === undefined || message === undefined) return []
    const mark = markIn(message)
    return mark === null ? [] : [{ ...mark, ref, commit: commit as CommitId, at: Number(seconds) * 1000 }]
  })
  return pins.sort((one, other) => other.at - one.at || other.attempt - one.attempt || other.iteration - one.iteration)
}

function markIn(message: string): AttemptMark | null {
  const build = /^Ralph-Build: (.+)$/m.exec(message)?.[1]
  const [, task, attempt, iteration] = /^Ralph-Attempt: (.+)\/(\d+)\/(\d+)$/m.exec(message) ?? []
  if (build === undefined || task === undefined) return null
  return { build: build as BuildId, task: task as TaskId, attempt: Number(attempt), iteration: Number(iteration) }
}

/** The base of a tree of this task, from merged trees and pins; null where neither has it. */
export async function pinnedBase(
  context: GitContext,
  build: BuildId,
  task: TaskId,
  tree: TreeId,
): Promise<CommitId | null> {
  const { bases } = context
  const known = bases.get(combinedRef(build, tree)) ?? bases.get(pinnedKey(build, task, tree))
  return known ?? readBase(context, build, task, tree)
}

/** The next attempt on a merged tree has this base. */
export function rememberMergeBase({ bases }: GitContext, build: BuildId, tree: TreeId, base: CommitId): void {
  bases.set(combinedRef(build, tree), base)
}

/** The key of a merged tree is the name of its ref. */
function pinnedKey(build: BuildId, task: TaskId, tree: TreeId): string {
  return taskPins(build, task) + tree
}

async function readBase(context: GitContext, build: BuildId, task: TaskId, tree: TreeId): Promise<CommitId | null> {
  const merged = combinedRef(build, tree)
  // Two attempts may reach the same tree within one second on different bases; the later one counts.
  const newestFirst = ['--sort=-version:refname', '--sort=-committerdate']
  const { stdout } = await context.git.engine(
    ['for-each-ref', ...newestFirst, '--format=%(refname) %(tree) %(parent)', merged, taskPins(build, task)],
    { gitDir: context.paths.repo },
  )
  const lines = stdout
    .toString()
    .split('\n')
    .map((line) => line.split(' '))
  const found = lines.find(([ref]) => ref === merged) ?? lines.find(([, pinned]) => pinned === tree)
  return (found?.[2] as CommitId | undefined) ?? null
}

/** The tree of a pin, by its ref or by the part after `refs/ralph/attempts/`. */
export async function pinnedTree(context: GitContext, ref: string): Promise<TreeId> {
  const name = ref.startsWith(PINS) ? ref : PINS + ref
  const isName = /^[\w%/-]+$/.test(name) && !name.includes('//')
  const commit = isName ? await readRef(context.paths.repo, name) : null
  if (commit === null) throw refuse('PIN_NOT_FOUND', { ref })
  return treeOf(context, commit)
}
