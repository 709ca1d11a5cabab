// Answers an agent that asks for permission. The implementer may do anything inside its folder; commands are
// limited by the sandbox, as for every agent. The other roles may read and search. An agent that does not ask is
// not limited here: the engine checks afterwards that a reader changed nothing.
import type { PermissionOption, RequestPermissionResponse, ToolKind } from '@agentclientprotocol/sdk'
import { isAbsolute, relative, resolve } from 'node:path'
import type { Role } from '../agent.ts'
import { type Fields, fields, list, text } from '../shared/fields.ts'

export interface GitContext {
  readonly role: Role
  /** Its folder: the path as given, and without links. */
  readonly folders: readonly string[]
}

/** Null: the call is allowed. */
export function objection(toolCall: Fields, { role, folders }: GitContext): string | null {
  const kind = text(toolCall['kind']) as ToolKind | ''
  if (role !== 'implementer') return READING.has(kind) ? null : `a ${role} may only read`
  if (!WRITING.has(kind)) return null
  const outside = pathsOf(toolCall).find((path) => !folders.some((folder) => isInside(path, folder)))
  return outside === undefined ? null : `${outside} is not in the folder of the session`
}

const READING: ReadonlySet<string> = new Set<ToolKind>(['read', 'search', 'think'])
const WRITING: ReadonlySet<string> = new Set<ToolKind>(['edit', 'delete', 'move'])

function pathsOf(toolCall: Fields): string[] {
  const named = list(toolCall['locations']).map((location) => text(fields(location)['path']))
  const changed = list(toolCall['content']).map((content) => text(fields(content)['path']))
  return [...named, ...changed].filter((path) => path !== '')
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, resolve(folder, path))
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way)
}

/** Allows once, so that the agent asks for each use; without such an option it gets the nearest one. */
export function answerTo(options: readonly PermissionOption[], mayDo: 'allow' | 'reject'): RequestPermissionResponse {
  const kinds =
    mayDo === 'allow' ? (['allow_once', 'allow_always'] as const) : (['reject_once', 'reject_always'] as const)
  const chosen = kinds.flatMap((kind) => options.find((option) => option.kind === kind) ?? [])[0]
  return {
    outcome: chosen === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: chosen.optionId },
  }
}
