// The tools of a model. It reads the session's folder itself; the engine changes files and runs the checks.
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { ChecksAnswer, PatchedAnswer, SessionRequest } from '../../core/request/session-request.ts'
import { askEngine } from './ask-engine.ts'
import type { ModelPart } from './part.ts'
import { repoRead } from './repo-read.ts'
import { repoSearch } from './repo-search.ts'
import type { Schema } from './request.ts'
import { toolNames, type ToolName, WORKING } from './tool-names.ts'

type Input = Readonly<Record<string, unknown>>

export interface Tool {
  readonly definition: LanguageModelV4FunctionTool
  /** The model gets an exception as a refusal. */
  readonly use: (input: Input) => Promise<string>
}

interface Hands {
  readonly folder: string
  readonly ask: (request: SessionRequest) => Promise<unknown>
}

type Make = (hands: Hands) => Omit<Tool['definition'], 'type' | 'name'> & Pick<Tool, 'use'>

const text: Schema = { type: 'string' }
const fields = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
})

const makers: Readonly<Record<ToolName, Make>> = {
  repo_read: ({ folder }) => ({
    description: 'Reads a file of the project, or lists a folder; "." is its root.',
    inputSchema: fields({ path: text, from_line: { type: 'integer' }, lines: { type: 'integer' } }, ['path']),
    use: async (input) => {
      const lines = typeof input['lines'] === 'number' ? input['lines'] : null
      const from = input['from_line']
      return repoRead(folder, { path: textIn(input, 'path'), fromLine: typeof from === 'number' ? from : 1, lines })
    },
  }),
  repo_search: ({ folder }) => ({
    description:
      'Finds a plain text in the files of the project, in whatever case; "path" names a folder or a file to search in.',
    inputSchema: fields({ text, path: text }, ['text']),
    use: async (input) => repoSearch(folder, textIn(input, 'text'), 'path' in input ? textIn(input, 'path') : '.'),
  }),
  repo_apply_patch: ({ ask }) => ({
    description:
      'Changes files of the project: either "files", whole, or "diff", a unified diff. All of it or nothing.',
    inputSchema: fields({
      diff: text,
      files: { type: 'array', items: fields({ path: text, content: text }, ['path', 'content']) },
    }),
    use: async (input) => {
      const answer = (await ask({ do: 'applyPatch', edit: editIn(input) })) as PatchedAnswer
      if (!answer.applied) throw new Error(answer.reason)
      return answer.touchedFiles.length === 0 ? 'nothing changed' : `changed: ${answer.touchedFiles.join(', ')}`
    },
  }),
  run_checks: ({ ask }) => ({
    description: 'Runs the checks of the project on its files as they are now, and tells what came out.',
    inputSchema: fields({}),
    use: async () => {
      const { ok, report } = (await ask({ do: 'runChecks' })) as ChecksAnswer
      return `${ok ? 'all green' : 'NOT green'}\n\n${report}`
    },
  }),
  write_scratchpad: ({ ask }) => ({
    description: 'Leaves word for the next iteration, which remembers nothing else of this one.',
    inputSchema: fields({ done: text, testStatus: text, nextStep: text, blockers: text }, [
      'done',
      'testStatus',
      'nextStep',
      'blockers',
    ]),
    use: async (input) => {
      const of = (name: string): string => textIn(input, name)
      await ask({
        do: 'scratchpad',
        done: of('done'),
        testStatus: of('testStatus'),
        nextStep: of('nextStep'),
        blockers: of('blockers'),
      })
      return 'written'
    },
  }),
}

/** What needs the engine is there only where it listens. */
export function toolsFor(
  { role, tools, socket }: Pick<ModelPart, 'role' | 'tools' | 'socket'>,
  folder: string,
): Tool[] {
  const working: readonly string[] = WORKING
  const hands: Hands = { folder, ask: (request) => askEngine(socket ?? '', request) }
  return toolNames(tools, role)
    .filter((name) => socket !== null || !working.includes(name))
    .map((name) => {
      const { use, ...definition } = makers[name](hands)
      return { definition: { type: 'function', name, ...definition }, use }
    })
}

function editIn(input: Input): Extract<SessionRequest, { do: 'applyPatch' }>['edit'] {
  if (Array.isArray(input['files']) && input['files'].length > 0)
    return { files: input['files'] as { path: string; content: string }[] }
  return { diff: textIn(input, 'diff') }
}

function textIn(input: Input, name: string): string {
  const value = input[name]
  if (typeof value !== 'string') throw new Error(`'${name}' must be a text`)
  return value
}
