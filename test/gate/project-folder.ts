// Makes the folders that cases are played and checked in.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Change } from './corpus-format.ts'

export interface CaseFolder {
  readonly root: string
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  remove(): void
}

/** Nothing of the person who runs it gets in. The `node` that checks find is the one that runs this program. */
export function caseFolder(): CaseFolder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-gate-')))
  const folder = join(root, 'project')
  for (const name of ['project', 'home', 'programs']) mkdirSync(join(root, name))
  symlinkSync(process.execPath, join(root, 'programs/node'))
  const env = {
    PATH: `${join(root, 'programs')}:${process.env['PATH'] ?? ''}`,
    HOME: join(root, 'home'),
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    ...managers(),
  }
  return { root, folder, env, remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Where version managers keep their programs. */
function managers(): Record<string, string> {
  const home = process.env['HOME'] ?? ''
  const known = { RUSTUP_HOME: '.rustup', PYENV_ROOT: '.pyenv' }
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, path]) => {
      const value = process.env[name] ?? join(home, path)
      return existsSync(value) ? [[name, value]] : []
    }),
  )
}

export function applyChanges(folder: string, changes: readonly Change[]): void {
  for (const change of changes) apply(folder, change)
}

function apply(folder: string, change: Change): void {
  const path = join(folder, change.path)
  if (change.is === 'delete') {
    if (!existsSync(path)) throw new Error(`${change.path} cannot be deleted: it is not there`)
    rmSync(path, { recursive: true })
    return
  }
  if (change.is === 'move') {
    mkdirSync(dirname(join(folder, change.to)), { recursive: true })
    renameSync(path, join(folder, change.to))
    return
  }
  mkdirSync(dirname(path), { recursive: true })
  if (change.is === 'replace') writeFileSync(path, replaced(readFileSync(path, 'utf8'), change))
  else if (change.is === 'append') appendFileSync(path, change.text)
  else writeFileSync(path, change.text)
}

function replaced(text: string, { path, pairs }: Extract<Change, { is: 'replace' }>): string {
  return pairs.reduce((now, [before, after]) => {
    if (now.split(before).length !== 2) throw new Error(`${path} has this not exactly once: ${before}`)
    return now.split(before).join(after)
  }, text)
}
