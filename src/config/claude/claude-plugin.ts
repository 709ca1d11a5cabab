// The Claude Code plugin in the user's own repository: its skills and its hook in `.claude/`, where a plain `claude`
// finds them, and where a team can commit them.
import { chmod, mkdir, readdir, readFile, realpath, rename } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { refuse } from '../../core/error/error.ts'
import { writeWhole } from '../../system/files.ts'
import { type ClaudeHooks, withHooks } from './claude-settings.ts'
import { faultCode, faultWords } from '../settings/fault.ts'
import { pluginFolder } from './plugin-folder.ts'

/** One file of the user's repository, and its planned change. */
export interface PluginFile {
  /** From the root of the repository. */
  readonly path: string
  readonly content: string
  /** `merge`: the file is the user's, and gets our lines beside theirs. */
  readonly change: 'none' | 'add' | 'replace' | 'merge'
  readonly isProgram: boolean
}

const SETTINGS = '.claude/settings.json'
const HOOK = '.claude/hooks/ralph-release.sh'

const hooks: ClaudeHooks = {
  SessionEnd: hookCommand('session-end'),
  PreCompact: hookCommand('pre-compact'),
}

function hookCommand(event: string): string {
  return `sh "$CLAUDE_PROJECT_DIR/${HOOK}" ${event}`
}

/** The changes to this repository; it writes nothing yet. */
export async function planPlugin(root: string, plugin = pluginFolder()): Promise<PluginFile[]> {
  const skills = (await readdir(join(plugin, 'skills'))).toSorted()
  const sources = [
    ...skills.map((name) => [`skills/${name}/SKILL.md`, `.claude/skills/${name}/SKILL.md`] as const),
    ['hooks/ralph-release.sh', HOOK] as const,
  ]
  const files = sources.map(async ([source, path]): Promise<PluginFile> => {
    const content = await readFile(join(plugin, source), 'utf8')
    const there = await readUserFile(join(root, path))
    const change = there === null ? 'add' : there === content ? 'none' : 'replace'
    return { path, content, change, isProgram: path === HOOK }
  })
  for (const path of [SETTINGS, ...sources.map(([, target]) => target)]) await requireInside(root, join(root, path))
  const settings = await readUserFile(join(root, SETTINGS))
  const merged = withHooks(join(root, SETTINGS), settings, hooks)
  const change = merged === null ? 'none' : settings === null ? 'add' : 'merge'
  return [
    ...(await Promise.all(files)),
    { path: SETTINGS, content: merged ?? settings ?? '', change, isProgram: false },
  ]
}

/** Keeps a replaced file as `NAME.old`. */
export async function installPlugin(root: string, files: readonly PluginFile[]): Promise<void> {
  for (const { path, content, change, isProgram } of files) {
    if (change === 'none') continue
    const target = join(root, path)
    try {
      await mkdir(dirname(target), { recursive: true })
      if (change === 'replace') await rename(target, `${target}.old`)
      await writeWhole(target, content, { mode: 0o666 })
      if (isProgram) await chmod(target, 0o755)
    } catch (error) {
      throw refuse('FILE_UNWRITABLE', { path: target, reason: faultWords(error) }, error)
    }
  }
}

/** Somebody else may have made the repository: no link in it leads us elsewhere. */
async function requireInside(root: string, folder: string): Promise<void> {
  const real = await realpath(folder).catch(() => null)
  if (real === null) return requireInside(root, dirname(folder))
  const top = await realpath(root)
  if (real !== top && !real.startsWith(`${top}${sep}`))
    throw refuse('FILE_UNWRITABLE', { path: folder, reason: 'a link leads out of the repository' })
}

async function readUserFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (faultCode(error) === 'ENOENT') return null
    throw refuse('FILE_UNREADABLE', { path, reason: faultWords(error) }, error)
  }
}
