// The adapter for any CLI that takes a prompt. The user gives the command line, and its output is the final
// message.
import { asTyped, fromRoot, isFound } from '../../system/program.ts'
import type { AgentAdapter, Readiness } from '../agent.ts'
import { filled, namesPrompt } from './template.ts'

export interface CommandSettings {
  /** Program and first arguments, with places in braces; null: none is configured. */
  readonly command: readonly string[] | null
  /** Appended. */
  readonly args: readonly string[]
}

export interface CommandContext {
  /** The operator's checkout. */
  readonly root: string
  /** The PATH that the program will be looked up on. */
  readonly path: string
}

export function commandAdapter(settings: CommandSettings, { root, path }: CommandContext): AgentAdapter {
  const [program, ...rest] = settings.command ?? []
  if (program === undefined) return unconfigured
  const words = [fromRoot(program, root), ...rest, ...settings.args]
  const isSpoken = !namesPrompt(words)
  return {
    name: 'command',
    ...(words.some((word) => word.includes('{prompt_file}')) ? {} : { promptFile: 'unread' }),
    describe: ({ folder }) => {
      const blanks = { prompt_file: '{prompt_file}', prompt: '{prompt}', workspace: folder }
      return `${asTyped(filled(words, blanks))}${isSpoken ? ' < {prompt_file}' : ''}`
    },
    ready: () => readiness(words[0] ?? '', path),
    call: async ({ prompt, folder }, { promptFile }) => ({
      // No argument can hold a NUL; in a file and on stdin it stays.
      argv: filled(words, { prompt_file: promptFile, prompt: prompt.replaceAll('\0', '\uFFFD'), workspace: folder }),
      ...(isSpoken ? { input: prompt } : {}),
    }),
  }
}

async function readiness(program: string, path: string): Promise<Readiness> {
  if (await isFound(program, path)) return { ready: true }
  const mend = program.includes('/') ? 'correct the path' : 'install it, or name its full path'
  return { ready: false, reason: `${JSON.stringify(program)} was not found; ${mend} in agent.command.command` }
}

const MISSING = 'no command is set for this agent; add [agent.command] command = ["my-agent", "{prompt}"] to ralph.toml'

const unconfigured: AgentAdapter = {
  name: 'command',
  describe: () => '(no command is set)',
  ready: async () => ({ ready: false, reason: MISSING }),
  call: async () => ({ kind: 'notFound', sentence: MISSING, until: null }),
}
