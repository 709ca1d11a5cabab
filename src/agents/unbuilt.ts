// Agents that ralph.toml knows and this version cannot drive by themselves. Most have a CLI that the command agent can call.
import type { Agent } from './agent.ts'
import { NOTHING_USED } from './agent.ts'

/** Command lines that work without anybody there to ask; where none is given a prompt, it comes on stdin. */
const templates: Readonly<Record<string, readonly string[]>> = {
  gemini: ['gemini', '--yolo', '-p', '{prompt}'],
  opencode: ['opencode', 'run', '{prompt}'],
}

export function unbuiltAgent(name: string): Agent {
  const reason = `this version cannot drive the agent ${JSON.stringify(name)} by itself yet; ${mend(name)}`
  return {
    name,
    describe: () => `(${reason})`,
    ready: async () => ({ ready: false, reason }),
    run: async () => ({
      failure: { kind: 'notFound', sentence: reason, until: null },
      finalMessage: '',
      usage: NOTHING_USED,
      durationMs: 0,
      survivors: 0,
    }),
  }
}

function mend(name: string): string {
  const template = Object.hasOwn(templates, name) ? templates[name] : undefined
  if (template === undefined) return 'use the agent "command" with any CLI, or "scripted"'
  const line = JSON.stringify(template).replaceAll(',', ', ')
  return `use the agent "command" with [agent.command] command = ${line} in ralph.toml`
}
