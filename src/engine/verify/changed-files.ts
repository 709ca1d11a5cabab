// Reads the changed files of a patch for the probes: texts before and after, and their syntax.
import { readPatch } from '../../core/patch/patch.ts'
import { type ChangedFile, touchedLines } from '../../core/probes/changed-file.ts'
import type { TreeId } from '../../core/values/id.ts'
import type { Patch } from '../../workspace/workspace.ts'
import type { EngineDeps } from '../deps.ts'

/** A larger patch is examined by its first files. */
const FILES_READ_MAX = 300

export async function changedFiles(
  { workspaces, syntax }: Pick<EngineDeps, 'workspaces' | 'syntax'>,
  trees: { readonly base: TreeId; readonly tree: TreeId },
  patch: Patch,
): Promise<ChangedFile[]> {
  const files = patch.files.slice(0, FILES_READ_MAX)
  const before = await workspaces.read(
    trees.base,
    files.map(({ path, from }) => from ?? path),
  )
  const now = await workspaces.read(
    trees.tree,
    files.map(({ path }) => path),
  )
  const patched = new Map(readPatch(patch.diff).map((file) => [file.path, file]))
  return Promise.all(
    files.map(async (file): Promise<ChangedFile> => {
      const baseText = before.get(file.from ?? file.path) ?? null
      const text = file.change === 'deleted' ? null : (now.get(file.path) ?? null)
      return {
        ...file,
        baseText,
        text,
        base: baseText === null ? null : await syntax.read(file.from ?? file.path, baseText),
        now: text === null ? null : await syntax.read(file.path, text),
        lines: touchedLines(patched.get(file.path)),
      }
    }),
  )
}

/** Whole files of a tree, as if a patch had added them. */
export async function wholeFiles(
  { workspaces, syntax }: Pick<EngineDeps, 'workspaces' | 'syntax'>,
  tree: TreeId,
  paths: readonly string[],
): Promise<ChangedFile[]> {
  const texts = await workspaces.read(tree, paths)
  return Promise.all(
    [...texts].map(async ([path, text]): Promise<ChangedFile> => {
      const now = await syntax.read(path, text)
      return { path, change: 'modified', baseText: null, text, base: null, now, lines: new Set() }
    }),
  )
}
