import { closeSync, constants, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { renderScratchpad, SCRATCHPAD_FILE } from '../../core/session/scratchpad.ts'
import { inside } from './path-inside.ts'
import type { Acts } from './player-context.ts'

const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW } = constants
/** In the folder not even the file itself may be a link that leads out. */
const OVER = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW
const ON = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW

export const fileActs: Acts<
  'write' | 'append' | 'delete' | 'scratchpad' | 'savePrompt' | 'writeOutside' | 'deleteFolder'
> = {
  write: ({ path, content }, { folder }) => put(inside(folder, path), content, OVER),
  append: ({ path, content }, { folder }) => put(inside(folder, path), content, ON),
  delete: (path, { folder }) => rmSync(inside(folder, path), { recursive: true, force: true }),
  scratchpad: (text, { folder, part }) =>
    put(inside(folder, SCRATCHPAD_FILE), renderScratchpad(part.iteration, text), OVER),
  savePrompt: (path, { folder, part }) => put(inside(folder, path), part.prompt, OVER),
  writeOutside: ({ path, content }, { folder }) => put(resolve(folder, path), content, O_WRONLY | O_CREAT | O_TRUNC),
  deleteFolder: (_, { folder }) => rmSync(folder, { recursive: true, force: true }),
}

function put(path: string, content: string, flags: number): void {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, flags)
  try {
    writeFileSync(file, content)
  } finally {
    closeSync(file)
  }
}
