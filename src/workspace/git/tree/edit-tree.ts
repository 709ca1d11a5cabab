// Applies an edit to a tree in a temporary index: it writes no file, whatever the edit says.
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { RalphError } from '../../../core/error/error.ts'
import type { TreeId } from '../../../core/values/id.ts'
import { pathProblem } from '../../../core/patch/patch-paths.ts'
import { readForm } from '../../../core/patch/patch-form.ts'
import type { EditedFile, TreeChange, TreeEdit } from '../../../core/patch/tree-edit.ts'
import type { EditedTree } from '../../workspace.ts'
import { applyWords } from './apply-failure.ts'
import type { GitCall } from '../command/git.ts'
import type { GitContext } from '../repository/git-context.ts'
import { writeObject } from '../objects/objects.ts'

/** Refuses every name that some disk takes for `.git`, on all systems. */
const CAUTIOUS = ['-c', 'core.protectHFS=true', '-c', 'core.protectNTFS=true']
/** Length of a diff, or of all files of an edit together, in UTF-16 units. */
const EDIT_LENGTH_MAX = 4 * 1024 * 1024
/** A patch that takes git minutes was made for that. */
const APPLY_DEADLINE_MS = 60_000

export async function editTree(context: GitContext, tree: TreeId, edit: TreeEdit): Promise<EditedTree> {
  const length = 'diff' in edit ? edit.diff.length : edit.files.reduce((sum, { content }) => sum + content.length, 0)
  if (length > EDIT_LENGTH_MAX)
    return { ok: false, reason: `it is longer than ${EDIT_LENGTH_MAX} characters; make a smaller change` }
  const { git, paths } = context
  const indexFile = join(paths.state, `index.${randomBytes(6).toString('hex')}`)
  const call = { gitDir: paths.repo, indexFile }
  try {
    await git.engine(['read-tree', '--end-of-options', tree], call)
    const reason =
      'diff' in edit ? await applyDiff(context, tree, edit.diff, call) : await putFiles(context, edit.files, call)
    if (reason !== null) return { ok: false, reason }
    const { stdout } = await git.engine(['write-tree'], call)
    const edited = stdout.toString().trim() as TreeId
    const changes = await changesBetween(context, tree, edited)
    // Git replaces a folder by a file of that name, and a file or a link by a folder.
    if ('files' in edit && changes.some(({ change }) => change === 'deleted')) return { ok: false, reason: IN_THE_WAY }
    return { ok: true, tree: edited, changes }
  } finally {
    for (const left of [indexFile, `${indexFile}.lock`]) await rm(left, { force: true })
  }
}

const IN_THE_WAY =
  'a file of it stands where there is a folder, or a folder where there is a file or a link; choose other paths'

/** The reason against it; null: it is in the index now. */
async function applyDiff(context: GitContext, tree: TreeId, diff: string, call: GitCall): Promise<string | null> {
  const form = readForm(diff)
  if (!form.ok) return form.problem
  const whole = diff.endsWith('\n') ? diff : `${diff}\n`
  const { code, stderr } = await context.git.engine(
    [...CAUTIOUS, 'apply', '--cached', `-p${form.value.strip}`, '--whitespace=nowarn', '-'],
    { ...call, input: whole, answers: [1, 128], deadlineMs: APPLY_DEADLINE_MS },
  )
  return code === 0 ? null : applyWords(context, tree, stderr)
}

async function putFiles(context: GitContext, files: readonly EditedFile[], call: GitCall): Promise<string | null> {
  const problem = files.map(({ path }) => pathProblem(path)).find((found) => found !== null)
  if (problem !== undefined) return problem
  const modes = await modesOf(context, files, call)
  const lines: string[] = []
  for (const { path, content } of files) {
    const id = await writeObject(context.objects, 'blob', content.toWellFormed())
    lines.push(`${modes.get(path) === '100755' ? '100755' : '100644'} ${id}\t${path}\0`)
  }
  try {
    await context.git.engine([...CAUTIOUS, 'update-index', '-z', '--index-info'], { ...call, input: lines.join('') })
    return null
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== 'GIT_FAILED') throw error
    return IN_THE_WAY
  }
}

/** The modes of existing files: a rewritten program stays executable. */
async function modesOf({ git }: GitContext, files: readonly EditedFile[], call: GitCall): Promise<Map<string, string>> {
  const { stdout } = await git.engine(['ls-files', '-s', '-z', '--', ...files.map(({ path }) => path)], call)
  const lines = stdout.toString('utf8').split('\0').filter(Boolean)
  return new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, 6)]))
}

const RAW = /^:(\d{6}) (\d{6}) \S+ \S+ ([A-Z])/

async function changesBetween({ git, paths }: GitContext, from: TreeId, to: TreeId): Promise<TreeChange[]> {
  if (from === to) return []
  const { stdout } = await git.engine(
    ['diff-tree', '-r', '-z', '--no-renames', '--raw', '--numstat', '--no-ext-diff', '--no-textconv', from, to],
    { gitDir: paths.repo },
  )
  const changes: Omit<TreeChange, 'isBinary'>[] = []
  const binary = new Set<string>()
  const words = stdout.toString('utf8').split('\0')
  for (let at = 0; at < words.length; at += 1) {
    const [, oldMode, newMode, letter] = RAW.exec(words[at] ?? '') ?? []
    if (oldMode !== undefined && newMode !== undefined) {
      at += 1
      const change = letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified'
      changes.push({ path: words[at] ?? '', change, oldMode, newMode })
    } else if (words[at]?.startsWith('-\t-\t') === true) binary.add(words[at]?.slice('-\t-\t'.length) ?? '')
  }
  return changes.map((change) => ({ ...change, isBinary: binary.has(change.path) }))
}
