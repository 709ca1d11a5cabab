// A program that answers like Claude Code in tests that need no model: its version, its login, and a recorded
// session.
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { programAgent } from '../program-agent.ts'
import { tempFolder } from '../trial.conformance.ts'
import { claudeAdapter } from './claude-adapter.ts'
import { recorded } from './recorded.conformance.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'

export interface StandIn {
  readonly program: string
  /** Where it leaves `argv`, `stdin`, `env` and `home` of its last session. */
  readonly folder: string
}

interface Does {
  readonly version?: string
  /** A recorded session; where `lines` are given, these. */
  readonly session?: string
  readonly lines?: readonly unknown[]
  /** Shell lines that are run in a session before it speaks. */
  readonly first?: string
}

export async function standIn({
  version = 'echo "2.1.325 (Claude Code)"',
  session = 'ok',
  lines,
  first = '',
}: Does = {}): Promise<StandIn> {
  const folder = await tempFolder()
  const program = join(folder, 'bin/claude')
  await mkdir(join(folder, 'bin'))
  const spoken = lines?.map((line) => JSON.stringify(line)) ?? recorded(session)
  await writeFile(join(folder, 'session.jsonl'), `${spoken.filter((line) => line !== '').join('\n')}\n`)
  await writeFile(
    program,
    `#!/bin/sh
here='${folder}'
case "$1" in
  --version) ${version}; exit ;;
  auth)
    if [ -n "$ANTHROPIC_API_KEY" ]; then echo '{"loggedIn":true,"authMethod":"api_key"}'; exit 0; fi
    if [ -e "$HOME/.claude/.credentials.json" ]; then
      echo '{"loggedIn":true,"authMethod":"claude.ai","subscriptionType":"max"}'; exit 0
    fi
    echo '{"loggedIn":false,"authMethod":"none"}'; exit 1 ;;
esac
for word in "$@"; do printf '%s\\0' "$word"; done > "$here/argv"
cat > "$here/stdin"
env > "$here/env"
(cd "$HOME" && find . -type f) > "$here/home"
${first}
cat "$here/session.jsonl"
`,
  )
  await chmod(program, 0o755)
  return { program, folder }
}

export const PATH = process.env['PATH'] ?? ''

export interface Asked {
  readonly user?: Readonly<Record<string, string>>
  readonly env?: readonly string[]
  readonly credentials?: 'user' | 'none'
}

export function agentOf(
  { program }: Pick<StandIn, 'program'>,
  { user = {}, env = [], credentials = 'user' }: Asked = {},
): Agent {
  const bounds = { timeoutMs: HANG_MS, idleTimeoutMs: HANG_MS }
  const settings = { ...bounds, command: [program], model: 'opus', args: ['--effort', 'high'], env, credentials }
  const all = { PATH, HOME: '/nonexistent', ...user }
  return programAgent(claudeAdapter(settings, { root: '/', user: all }), settings, all)
}

export const tokens = {
  accessToken: 'sk-ant-oat01-canary-access',
  refreshToken: 'sk-ant-ort01-canary-refresh',
  expiresAt: 1,
}

export async function loggedInHome(): Promise<string> {
  const home = await tempFolder()
  await mkdir(join(home, '.claude'))
  await writeFile(join(home, '.claude/.credentials.json'), JSON.stringify({ claudeAiOauth: tokens, mcpOAuth: {} }))
  await writeFile(join(home, '.claude/history.jsonl'), 'secret plans')
  await writeFile(join(home, '.claude.json'), JSON.stringify({ oauthAccount: {}, projects: {} }))
  return home
}
