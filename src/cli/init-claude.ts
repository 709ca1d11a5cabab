// `ralph init --claude`: Ralph's skills and hooks for Claude Code, in the user's own repository.
import { isatty } from 'node:tty'
import { installPlugin, type PluginFile } from '../config/claude/claude-plugin.ts'
import { refuse } from '../core/error/error.ts'
import { says } from './ask.ts'
import type { Call } from './command.ts'
import { print, printError } from './output.ts'
import { table } from './table.ts'

export type PluginChange = Pick<PluginFile, 'path' | 'change'>

const meanings: Readonly<Record<PluginFile['change'], string>> = {
  none: 'as it is',
  add: 'new',
  replace: 'replaced, the old one kept as .old',
  merge: 'two hooks added, all else kept',
}

export async function installClaude(call: Call, root: string, files: readonly PluginFile[]): Promise<PluginChange[]> {
  const changes = files.map(({ path, change }) => ({ path, change }))
  const isNews = changes.some(({ change }) => change !== 'none')
  if (!call.wantsJson)
    print(
      table(
        ['FILE', 'CHANGE'],
        changes.map(({ path, change }) => [path, meanings[change]]),
      ),
    )
  if (isNews) {
    await requireConsent(call)
    await installPlugin(root, files)
  }
  if (!call.wantsJson) printError(isNews ? INSTALLED : 'Claude Code has it all already.\n')
  return changes
}

const INSTALLED = `
Claude Code has Ralph's skills here now: /ralph-spec, /ralph-plan and /ralph-build. They need 'ralph' in the PATH.
Commit .claude/ to share them. To remove them, delete .claude/skills/ralph-*, .claude/hooks/ralph-release.sh and the two
hooks in .claude/settings.json that name it.
`

async function requireConsent(call: Call): Promise<void> {
  if (call.flags.has('yes')) return
  if (!isatty(0)) throw refuse('USAGE', { message: 'nobody is there to be asked: add --yes to write to .claude/' })
  if (!(await says('\nWrite this to .claude/?', 'yes'))) throw refuse('INTERRUPTED')
}
