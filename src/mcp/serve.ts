// `ralph mcp`: the tools over stdio, until stdin ends.
import { PassThrough } from 'node:stream'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { iterationTools } from './iteration-tools.ts'
import { taskTools } from './task-tools.ts'
import type { Ask } from './tool.ts'

/** Bytes of one message; no real client sends more. */
const MESSAGE_BYTES_MAX = 2 * 1024 * 1024

const INSTRUCTIONS =
  'Ralph runs coding agents in a loop and keeps only what it has verified itself. Inside an iteration, leave word with write_scratchpad and end with report_iteration; what you say is a claim, and the checks that the engine runs decide.'

/** Resolves when the client is gone. */
export async function serveMcp(ask: Ask, version: string): Promise<void> {
  const calls = callCounter(ask)
  const input = new PassThrough()
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: MESSAGE_BYTES_MAX })
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
  const close = transport.close.bind(transport)
  // The transport closes itself when the client is gone, and when a message is too long.
  transport.close = () => close().finally(leave)
  const served = serveStdio(() => server(calls.ask, version), { transport, onerror: () => {} })
  process.stdin.pipe(input, { end: false })
  // Calls from before the end still get their answers.
  process.stdin.once('end', () => setImmediate(() => void calls.settled().then(() => input.end())))
  process.stdin.once('error', () => input.end())
  await gone
  await served.close()
  process.stdin.destroy()
}

function server(ask: Ask, version: string): McpServer {
  const made = new McpServer({ name: 'ralph', version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS })
  for (const tool of [...iterationTools, ...taskTools]) tool.offer(made, ask)
  return made
}

function callCounter(ask: Ask): { readonly ask: Ask; readonly settled: () => Promise<void> } {
  const running = new Set<Promise<unknown>>()
  const counted: Ask = (request) => {
    const answer = ask(request)
    const ended = answer.then(
      () => {},
      () => {},
    )
    running.add(ended)
    void ended.then(() => running.delete(ended))
    return answer
  }
  return {
    ask: counted,
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
