// A tool is one request that a session may make, with words for a model to read: what it does, what it takes, what came of it.
import type { McpServer, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { RalphError } from '../core/error/error.ts'
import {
  readSessionRequest,
  type RequestName,
  type RequestOf,
  type SessionAnswers,
  type SessionRequest,
} from '../core/request/session-request.ts'

/** Sends the request to the engine of this session, or answers it from the store of the repository. */
export type Ask = <Request extends SessionRequest>(request: Request) => Promise<SessionAnswers[Request['do']]>

interface ToolSpec<Name extends RequestName, Input extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly hints?: ToolAnnotations
  readonly request: Name
  /** The fields of the request; default: those of the input, null where one is left out. */
  readonly fields?: (input: z.output<Input>) => object
  readonly answerText: (answer: SessionAnswers[Name], input: z.output<Input>) => string
}

export interface Tool {
  readonly name: string
  readonly offer: (server: McpServer, ask: Ask) => void
}

export function tool<Name extends RequestName, Input extends z.ZodObject>(spec: ToolSpec<Name, Input>): Tool {
  const { name, title, description } = spec
  const inputSchema: z.ZodObject = spec.input
  const annotations = { title, destructiveHint: false, openWorldHint: false, ...spec.hints }
  const call = async (given: z.output<Input>, ask: Ask) => {
    try {
      const fields = spec.fields?.(given) ?? withNulls(spec.input, given)
      const request = readSessionRequest({ ...fields, do: spec.request }) as RequestOf<Name>
      return content(spec.answerText(await ask(request), given))
    } catch (error) {
      return { ...content(sentenceOf(error)), isError: true }
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

function withNulls({ shape }: z.ZodObject, given: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, given[name] ?? null]))
}

function content(text: string) {
  return { content: [{ type: 'text' as const, text }] }
}

function sentenceOf(error: unknown): string {
  if (error instanceof RalphError) return error.message
  return `something broke inside Ralph: ${error instanceof Error ? error.message : String(error)}`
}
