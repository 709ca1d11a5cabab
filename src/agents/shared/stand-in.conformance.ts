// A program that replaces a CLI in tests that need no model. It prints its version. In a session it saves its input
// in its folder and prints the given lines.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Agent, AgentEvent, Outcome, Session } from '../agent.ts'
import { tempFolder } from '../trial.conformance.ts'

export interface StandIn {
  readonly program: string
  /** `argv`, `stdin`, `env`, `home` (its files) or `config` of the last session. */
  readonly recordOf: (name: 'argv' | 'stdin' | 'env' | 'home' | 'config') => Promise<string>
}

/** `config` is a shell word: the file whose text is kept. */
export async function standIn(version: string, lines: readonly object[], config: string): Promise<StandIn> {
  const folder = await tempFolder()
  const program = join(folder, 'bin')
  await mkdir(program)
  const path = join(program, 'cli')
  await writeFile(join(folder, 'session.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await writeFile(
    path,
    `#!/bin/sh
here='${folder}'
if [ "$1" = --version ]; then ${version}; exit; fi
for word in "$@"; do printf '%s\\n' "$word"; done > "$here/argv"
cat > "$here/stdin"
env > "$here/env"
(cd "$HOME" && find . -type f | sort) > "$here/home"
cat ${config} > "$here/config"
cat "$here/session.jsonl"
`,
  )
  await chmod(path, 0o755)
  return { program: path, recordOf: (name) => readFile(join(folder, name), 'utf8') }
}

export async function runOnce(
  agent: Agent,
  more: Partial<Session> = {},
): Promise<Outcome & { events: readonly AgentEvent[] }> {
  const events: AgentEvent[] = []
  const about = { role: 'implementer', task: null, attempt: 1, iteration: 1, env: {}, prompt: '# Do it.\n' } as const
  const signal = new AbortController().signal
  const onEvent = (event: AgentEvent): void => void events.push(event)
  return { ...(await agent.run({ ...about, folder: await tempFolder(), signal, onEvent, ...more })), events }
}
