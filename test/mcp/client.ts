// A client as an agent has one: starts `ralph mcp` as a child, speaks JSON-RPC by lines, and waits for each answer.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface Client {
  readonly request: (method: string, params?: object) => Promise<unknown>
  /** What the tool said; a tool's error begins with `ERROR: `. */
  readonly call: (name: string, input?: object) => Promise<string>
  readonly write: (bytes: string) => void
  /** Ends stdin; the exit code, and what came on stderr. */
  readonly end: () => Promise<{ readonly code: number | null; readonly stderr: string }>
  /** Resolves when it ended by itself. */
  readonly ended: Promise<unknown>
}

export interface How {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

export function startClient(command: readonly string[], { folder, env }: How): Client {
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const waiting = new Map<number, (answer: unknown) => void>()
  let [sent, stderr] = [0, '']
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line) as { id: number; result?: unknown; error?: unknown }
    waiting.get(id)?.(result ?? { error })
    waiting.delete(id)
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const write = (text: string): void => void child.stdin.write(text)
  const request: Client['request'] = (method, params = {}) => {
    sent += 1
    const id = sent
    const answer = new Promise((resolve) => waiting.set(id, resolve))
    write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return Promise.race([answer, ended.then((code) => ({ error: `ended with ${code}: ${stderr}` }))])
  }
  return {
    request,
    call: async (name, input = {}) => {
      const answer = (await request('tools/call', { name, arguments: input })) as ToolAnswer
      const text = answer.content?.map((part) => part.text).join('\n') ?? JSON.stringify(answer)
      return answer.isError === true ? `ERROR: ${text}` : text
    },
    write,
    end: async () => {
      child.stdin.end()
      return { code: await ended, stderr }
    },
    ended,
  }
}

interface ToolAnswer {
  readonly content?: readonly { readonly text: string }[]
  readonly isError?: boolean
}

/** As clients begin. */
export async function greet({ request, write }: Client): Promise<unknown> {
  const clientInfo = { name: 'test', version: '1' }
  const answer = await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  return answer
}
