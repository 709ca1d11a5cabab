// A patch as steps of the scripted agent. It knows no replacements and moves, so these become whole files.
import type { Change } from './corpus-format.ts'
import { applyChanges, caseFolder } from './project-folder.ts'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface Steps {
  readonly steps: readonly object[]
  /** What makes the tree as it is after them. */
  readonly files: readonly Change[]
}

export function stepsOf(base: readonly Change[], changes: readonly Change[]): Steps {
  const { folder, remove } = caseFolder()
  try {
    applyChanges(folder, base)
    const steps = changes.flatMap((change) => {
      const before = change.is === 'move' ? contentOf(folder, change.path) : null
      applyChanges(folder, [change])
      if (change.is === 'delete') return [{ delete: change.path }]
      if (change.is === 'move') return [{ delete: change.path }, write(change.to, before ?? '')]
      return [write(change.path, contentOf(folder, change.path) ?? '')]
    })
    return { steps, files: [...base, ...changes] }
  } finally {
    remove()
  }
}

function write(path: string, content: string): object {
  return { write: { path, content } }
}

function contentOf(folder: string, path: string): string | null {
  const full = join(folder, path)
  if (!existsSync(full)) return null
  if (statSync(full).isDirectory()) throw new Error(`${path}: move files one by one`)
  return readFileSync(full, 'utf8')
}
