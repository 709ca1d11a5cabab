// What changed between two trees: the list of files, and the text for people and models.
import type { TreeId } from '../../core/id.ts'
import type { ChangedFile, Patch } from '../workspace.ts'
import { type Ground, remember } from './ground.ts'

/** List and text together; 20,000 changed files take some 3 MiB of it. */
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

export async function diff(ground: Ground, from: TreeId, to: TreeId): Promise<Patch> {
  if (from === to) return { diff: '', files: [], isWhole: true }
  const { diffs } = ground.memory
  const known = diffs.get(`${from} ${to}`)
  if (known !== undefined) return known
  const patch = await readDiff(ground, from, to)
  // A tree is verified, then reviewed: the same question twice.
  if (patch.diff.length <= REMEMBERED_LENGTH_MAX) remember(diffs, `${from} ${to}`, patch, 1)
  return patch
}

async function readDiff({ git, paths }: Ground, from: TreeId, to: TreeId): Promise<Patch> {
  const { stdout, cut } = await git.engine([...DIFF, '--end-of-options', from, to], {
    gitDir: paths.repo,
    outputBytes: OUTPUT_BYTES_MAX,
  })
  const { files, end } = readList(stdout)
  return { diff: stdout.subarray(end).toString('utf8'), files, isWhole: !cut }
}

/** `:100644 100644 <id> <id> M\0path\0`, a rename with two paths; then one more NUL, and the text. */
function readList(output: Buffer): { files: ChangedFile[]; end: number } {
  const files: ChangedFile[] = []
  let at = 0
  const word = (): string => {
    const end = output.indexOf(0, at)
    const text = output.subarray(at, end < 0 ? output.length : end).toString('utf8')
    at = end < 0 ? output.length : end + 1
    return text
  }
  while (output[at] === 0x3a) {
    const how = word().split(' ')[4]?.charAt(0)
    const path = word()
    if (how === 'R') files.push({ path: word(), change: 'renamed', from: path })
    else files.push({ path, change: how === 'A' ? 'added' : how === 'D' ? 'deleted' : 'modified' })
  }
  return { files, end: output[at] === 0 ? at + 1 : at }
}
