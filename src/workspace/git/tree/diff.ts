// The difference between two trees: the list of files, and the text for people and models.
import { randomBytes } from 'node:crypto'
import type { TreeId } from '../../../core/values/id.ts'
import type { ChangedFile, Patch } from '../../workspace.ts'
import type { Git } from '../command/git.ts'
import type { GitContext } from '../repository/git-context.ts'
import { intactDifference, requireSameFiles } from './intact-trees.ts'
import { type LongLivedGit, longLivedGit } from '../command/long-lived-git.ts'

/** List and text together; the list of 20,000 changed files takes some 3 MiB. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

const DIFF = [
  'diff-tree',
  '-r',
  '-z',
  '--raw',
  '-p',
  '-M',
  '--full-index',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
]

/** A longer text is not worth its memory. */
const REMEMBERED_LENGTH_MAX = 1_000_000

/** A git process that answers one difference after the other. */
export function startDiffer(git: Git, repo: string): LongLivedGit {
  return longLivedGit(() => git.tool([...DIFF, '--stdin'], repo))
}

export async function diff(context: GitContext, from: TreeId, to: TreeId): Promise<Patch> {
  if (from === to) return { diff: '', files: [], isWhole: true }
  const known = context.lastDiff.get(`${from} ${to}`)
  if (known !== undefined) return known
  const difference = await intactDifference(context, from, to)
  const { patch, ids } = await readDiff(context, from, to)
  if (patch.isWhole) await requireSameFiles(context, ids, { from, to, difference })
  if (patch.diff.length <= REMEMBERED_LENGTH_MAX) context.lastDiff.set(`${from} ${to}`, patch)
  return patch
}

interface ReadDiff {
  readonly patch: Patch
  /** The ids of all its files, old and new. */
  readonly ids: ReadonlySet<string>
}

async function readDiff(context: GitContext, from: TreeId, to: TreeId): Promise<ReadDiff> {
  const { git, paths } = context
  const answer = await askTool(context, from, to)
  if (answer !== null) return patchIn(answer, 'whole')
  const { stdout, cut } = await git.engine([...DIFF, '--end-of-options', from, to], {
    gitDir: paths.repo,
    outputBytes: OUTPUT_BYTES_MAX,
  })
  return patchIn(stdout, cut ? 'cut' : 'whole')
}

function patchIn(output: Buffer, how: 'whole' | 'cut'): ReadDiff {
  const { files, ids, end } = readList(output)
  return { patch: { diff: output.subarray(end).toString('utf8'), files, isWhole: how === 'whole' }, ids }
}

const ANSWER_MS = 60_000

/** Null where the answer is incomplete: then a new git process answers this one question. */
async function askTool({ differ }: GitContext, from: TreeId, to: TreeId): Promise<Buffer | null> {
  // Git prints a line that is no id as it is. The line is random, so no file contains it.
  const last = `end ${randomBytes(16).toString('hex')}\n`
  const limits = { bytes: OUTPUT_BYTES_MAX, deadlineMs: ANSWER_MS }
  const answer = await differ.ask(`${from} ${to}\n${last}`, last, limits)
  const head = Buffer.from(`${from} ${to}\n`)
  return answer?.subarray(0, head.length).equals(head) === true ? answer.subarray(head.length) : null
}

/** `:100644 100644 <id> <id> M\0path\0`, a rename with two paths; then one more NUL, and the text. */
function readList(output: Buffer): { files: ChangedFile[]; ids: Set<string>; end: number } {
  const files: ChangedFile[] = []
  const ids = new Set<string>()
  let at = 0
  const word = (): string => {
    const end = output.indexOf(0, at)
    const text = output.subarray(at, end < 0 ? output.length : end).toString('utf8')
    at = end < 0 ? output.length : end + 1
    return text
  }
  while (output[at] === 0x3a) {
    const [, , old = '', now = '', letter] = word().split(' ')
    for (const id of [old, now]) if (!/^0*$/.test(id)) ids.add(id)
    const how = letter?.charAt(0)
    const path = word()
    if (how === 'R') files.push({ path: word(), change: 'renamed', from: path })
    else files.push({ path, change: how === 'A' ? 'added' : how === 'D' ? 'deleted' : 'modified' })
  }
  return { files, ids, end: output[at] === 0 ? at + 1 : at }
}
