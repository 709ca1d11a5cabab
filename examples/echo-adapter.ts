// Makes a CLI an agent of Ralph. An adapter starts it, reads its lines, and tells whether it can work.
// This one reads its prompt on stdin and prints one JSON object per line:
//
//   {"say": "I look."}  {"tool": "sh", "input": "ls"}  {"output": "a.txt", "failed": false}
//   {"done": "All is well.", "tokens": {"in": 1200, "out": 80}}   or   {"error": "out of credit"}
import type { AgentEvent, AgentAdapter, Failure, Reader, Result, Usage } from '../src/agents/agent.ts'
import { NOTHING_USED } from '../src/agents/agent.ts'
import { apiFailure } from '../src/agents/shared/api-failure.ts'
import { count, type Fields, fields, text } from '../src/agents/shared/fields.ts'
import { asTyped, isFound } from '../src/system/program.ts'

export function echoAdapter(command: readonly string[]): AgentAdapter {
  const [program = ''] = command
  return {
    name: 'echo',
    describe: () => `${asTyped(command)} < {prompt_file}`,
    ready: (inEnvironment) =>
      inEnvironment(async ({ env }) => {
        if (await isFound(program, env['PATH'] ?? '')) return { ready: true }
        return { ready: false, reason: `"${program}" was not found; install it with: npm install -g echo-agent` }
      }),
    call: async ({ prompt }) => ({ argv: command, input: prompt, reader: echoReader() }),
  }
}

function echoReader(): Reader {
  let used: Usage = NOTHING_USED
  let result: Result | null = null
  let tool = ''
  const eventsOf = (record: Fields): AgentEvent[] => {
    if ('say' in record) return [{ type: 'text', text: text(record['say']) }]
    if ('tool' in record) {
      tool = text(record['tool'])
      return [{ type: 'toolUse', tool, input: text(record['input']) }]
    }
    if ('output' in record)
      return [{ type: 'toolResult', tool, output: text(record['output']), isError: record['failed'] === true }]
    if ('error' in record) result = { failure: failureOf(text(record['error'])) }
    if (!('done' in record)) return []
    result = { finalMessage: text(record['done']) }
    if (!('tokens' in record)) return []
    const tokens = fields(record['tokens'])
    used = { inputTokens: count(tokens['in']), outputTokens: count(tokens['out']), costUsd: null }
    return [{ type: 'usage', usage: used }]
  }
  return {
    usage: () => used,
    result: () => result,
    line: (line) => {
      const record = parsed(line)
      return record === null ? [{ type: 'log', text: line }] : eventsOf(record)
    },
  }
}

/** What the words of its vendor's API mean is known already; what is not known is a failed session. */
function failureOf(words: string): Failure {
  const about = { program: 'echo', table: 'agent.echo', login: 'run "echo-agent login"' }
  const known = apiFailure({ status: null, words }, about, Date.now())
  return (
    known ?? { kind: 'crashed', sentence: `echo gave up (${words}); 'ralph log' shows what came before`, until: null }
  )
}

function parsed(line: string): Fields | null {
  // Most lines of a flood end here, at no cost.
  if (!line.startsWith('{')) return null
  try {
    return fields(JSON.parse(line))
  } catch {
    return null
  }
}
