// A tool is one request that a session may make, with words for a model to read: what it does, what it takes, what came of it.
import type { McpServer, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { RalphError } from '../core/error/error.ts'
import type { SessionAnswers, SessionRequest } from '../core/request/session-request.ts'

/** Asks the engine of this session, or does it in the store of the repository. */
export type Ask = <Request extends SessionRequest>(request: Request) => Promise<SessionAnswers[Request['do']]>

interface ToolSpec<Input extends z.ZodObject, Request extends SessionRequest> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly hints?: ToolAnnotations
  readonly request: (input: z.output<Input>) => Request
  readonly told: (answer: SessionAnswers[Request['do']], input: z.output<Input>) => string
}

export interface Tool {
  readonly name: string
  readonly offer: (server: McpServer, ask: Ask) => void
}

export function tool<Input extends z.ZodObject, Request extends SessionRequest>(spec: ToolSpec<Input, Request>): Tool {
  const { name, title, description } = spec
  const inputSchema: z.ZodObject = spec.input
  const annotations = { title, destructiveHint: false, openWorldHint: false, ...spec.hints }
  const call = async (given: z.output<Input>, ask: Ask) => {
    try {
      return said(spec.told(await ask(spec.request(given)), given))
    } catch (error) {
      return { ...said(sentenceOf(error)), isError: true }
    }
  }
  return {
    name,
    offer: (server, ask) => {
      server.registerTool(name, { title, description, inputSchema, annotations }, (given) =>
        call(given as z.output<Input>, ask),
      )
    },
  }
}

function said(text: string) {
  return { content: [{ type: 'text' as const, text }] }
}

function sentenceOf(error: unknown): string {
  if (error instanceof RalphError) return error.message
  return `something broke inside Ralph: ${error instanceof Error ? error.message : String(error)}`
}
