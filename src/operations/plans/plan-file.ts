// Writes a plan as a progress file, for people to read and change before it is built.
import { open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { refuse } from '../../core/error/error.ts'
import type { PlanItem } from '../../core/plan/plan.ts'
import { renderDetails } from '../../core/progress/progress-details.ts'
import { renderProgressFile } from '../../core/progress/progress-file.ts'
import { inOrder } from './make-plan.ts'

export interface PlanFile {
  readonly path: string
  readonly replace: 'never' | 'allowed'
}

/** Called before asking a planner. */
export function requireFree({ path, replace }: PlanFile): void {
  if (replace === 'never' && existsSync(path)) throw fileExists(path)
}

export function planFileText(name: string, notes: string, items: readonly PlanItem[]): string {
  const tasks = inOrder(items).map(({ id, text, deps = [] }) => {
    const { title, description = null, acceptance = [], steps = [], filesExpected = [], type = null } = text
    const detail = renderDetails({ description, acceptance, steps, filesExpected, type }, deps)
    return { id, title, phase: null, checked: false, detail }
  })
  return renderProgressFile({ name, analysis: notes, tasks })
}

/** Writes a second file and renames it, so that the file is whole or not there at all. */
export async function writePlanFile({ path, replace }: PlanFile, text: string): Promise<void> {
  const draft = join(dirname(resolve(path)), `.${basename(path)}.ralph-draft`)
  try {
    // Creates the file exclusively, so that no file of somebody else is replaced in between.
    if (replace === 'never') await (await open(path, 'wx')).close()
    const file = await open(draft, 'w')
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await unlink(draft).catch(() => {})
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw code === 'EEXIST' ? fileExists(path) : refuse('FILE_UNWRITABLE', { path, reason: code }, error)
  }
}

function fileExists(path: string) {
  return refuse('FILE_EXISTS', { path, mend: 'add --force to replace it' })
}
