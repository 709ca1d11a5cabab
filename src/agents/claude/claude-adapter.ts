// The adapter for Claude Code, Anthropic's CLI.
import { tmpdir } from 'node:os'
import { asTyped, fromRoot } from '../../system/program.ts'
import type { AgentAdapter } from '../agent.ts'
import { commandLine, type CommandLineSettings, variables } from './command-line.ts'
import { explainCrash } from './ending.ts'
import { userLogin } from './login.ts'
import { claudeReader } from './stream-reader.ts'
import { ANSWER_LIMIT_MS, readiness } from './readiness.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface ClaudeSettings extends CommandLineSettings {
  readonly credentials: 'user' | 'none'
}

export interface ClaudeContext {
  /** The operator's checkout. */
  readonly root: string
  /** The user's environment. */
  readonly user: Environment
}

export function claudeAdapter(settings: ClaudeSettings, { root, user }: ClaudeContext): AgentAdapter {
  const [program = 'claude', ...rest] = settings.command ?? []
  const command = [fromRoot(program, root), ...rest]
  return {
    name: 'claude',
    login: userLogin(user),
    promptFile: 'unread',
    describe: ({ role }) => `${asTyped(commandLine({ ...settings, command }, { role }))} < {prompt_file}`,
    ready: (inEnvironment) =>
      inEnvironment(({ env, home }) => {
        const folder = home ?? tmpdir()
        const asking = { command, env: { ...variables(folder), ...env }, folder, limitMs: ANSWER_LIMIT_MS }
        return readiness(asking, { user, credentials: settings.credentials, platform: process.platform })
      }),
    call: async (session, { home }) => ({
      argv: commandLine({ ...settings, command }, session),
      input: (session.plugin === undefined ? undefined : session.pluginPrompt) ?? session.prompt,
      env: variables(home ?? tmpdir()),
      reader: claudeReader(session.role, Date.now),
      explain: explainCrash,
    }),
  }
}
