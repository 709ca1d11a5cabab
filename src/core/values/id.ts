// Ids are strings that the compiler does not let mix. A brand costs nothing at run time.
import { refuse } from '../error/error.ts'

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

export type TaskId = Branded<'TaskId'>
export type AgentId = Branded<'AgentId'>
export type BuildId = Branded<'BuildId'>
export type IdeaId = Branded<'IdeaId'>
/** A git tree, which evidence is about. */
export type TreeId = Branded<'TreeId'>
export type CommitId = Branded<'CommitId'>
/** `sha256:…` of one piece of evidence. */
export type EvidenceId = Branded<'EvidenceId'>

/** Milliseconds since 1970, UTC. The core never reads a clock: times come in as arguments. */
export type Instant = number

export const TASK_ID_LENGTH_MAX = 128
const AGENT_ID_LENGTH_MAX = 128
const IDEA_ID_LENGTH_MAX = 128

// White space, control and invisible formatting characters would break lists, tables and refs.
const torn = /[\s\p{C}]/u

export function taskId(text: string): TaskId {
  if (text === '') throw refuse('TASK_ID_MISSING')
  if (text.length > TASK_ID_LENGTH_MAX || torn.test(text)) throw refuse('TASK_ID_BAD')
  return text as TaskId
}

export function agentId(text: string): AgentId {
  if (text === '' || text.length > AGENT_ID_LENGTH_MAX || torn.test(text)) throw refuse('AGENT_ID_BAD')
  return text as AgentId
}

/** Ralph's own ids start with `i_`; a caller may choose any. */
export function ideaId(text: string): IdeaId {
  if (text === '' || text.length > IDEA_ID_LENGTH_MAX || torn.test(text)) throw refuse('IDEA_ID_BAD')
  return text as IdeaId
}
