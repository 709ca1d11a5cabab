// The text below a task of a progress file, where Ralph reads more from it than a description:
//
//   The goal of the task, and why.
//
//   Acceptance:
//   - what can be seen when it is done
//
//   Files expected: src/parser.ts, src/parser.test.ts
//   Type: api
//   Depends on: grammar, lexer
//
// A person may write prose that looks like it: a line that makes no sense stays part of the description.
import type { TaskId } from '../values/id.ts'
import { markdownLines } from '../values/markdown-lines.ts'
import { TASK_TYPES, type TaskText, type TaskType } from '../task/task.ts'

export interface TaskDetails {
  readonly description: string | null
  readonly acceptance: readonly string[]
  readonly filesExpected: readonly string[]
  readonly type: TaskType | null
  /** Null: the text does not mention any. */
  readonly deps: readonly TaskId[] | null
}

const ACCEPTANCE = 'Acceptance:'

export function renderDetails(
  text: Pick<TaskText, 'description' | 'acceptance' | 'steps' | 'filesExpected' | 'type'>,
  deps: readonly TaskId[],
): string {
  const { description, acceptance, steps, filesExpected, type } = text
  const last = [
    ...(filesExpected.length === 0 ? [] : [`Files expected: ${filesExpected.join(', ')}`]),
    ...(type === null ? [] : [`Type: ${type}`]),
    ...(deps.length === 0 ? [] : [`Depends on: ${deps.join(', ')}`]),
  ]
  const parts = [
    description ?? '',
    steps.length === 0 ? '' : steps.map((step) => `- [ ] ${oneLine(step)}`).join('\n'),
    acceptance.length === 0 ? '' : [ACCEPTANCE, ...acceptance.map((line) => `- ${oneLine(line)}`)].join('\n'),
    last.join('\n'),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** `known`: the ids that a task of this file may depend on. */
export function readDetails(detail: string, known: ReadonlySet<TaskId>): TaskDetails {
  const rest: string[] = []
  const acceptance: string[] = []
  let found: Pick<TaskDetails, 'filesExpected' | 'type' | 'deps'> = { filesExpected: [], type: null, deps: null }
  let isBelow: boolean = false
  for (const { text, kind } of markdownLines(detail)) {
    const item: string | undefined = isBelow && kind === 'plain' ? /^- (?!\[)(\S.*)$/.exec(text)?.[1] : undefined
    isBelow = item !== undefined || (kind === 'plain' && text.trimEnd() === ACCEPTANCE && acceptance.length === 0)
    const line = kind === 'plain' ? fieldOn(text, known) : null
    if (item !== undefined) acceptance.push(item)
    else if (line !== null) found = { ...found, ...line }
    else rest.push(text)
  }
  // A heading without a list below it belongs to the description.
  const kept = acceptance.length === 0 ? rest : rest.filter((text) => text.trimEnd() !== ACCEPTANCE)
  const description = kept.join('\n').trim()
  return { ...found, acceptance, description: description === '' ? null : description }
}

/** Words below a task that look like dependencies and are no known ids: typing mistakes, most likely. */
export function unknownDeps(detail: string, known: ReadonlySet<TaskId>): string[] {
  return markdownLines(detail).flatMap(({ text, kind }) => {
    const [, value] = (kind === 'plain' && /^Depends on: (\S.*)$/.exec(text)) || []
    const words = value?.split(',').map((word) => word.trim()) ?? []
    // Prose has several words in a row.
    return words.every((word) => /^\S+$/.test(word)) ? words.filter((word) => !known.has(word as TaskId)) : []
  })
}

function fieldOn(
  text: string,
  known: ReadonlySet<TaskId>,
): Partial<Pick<TaskDetails, 'filesExpected' | 'type' | 'deps'>> | null {
  const [, name, value = ''] = /^(Files expected|Type|Depends on): (\S.*)$/.exec(text) ?? []
  const words = value.split(',').map((word) => word.trim())
  switch (name) {
    case 'Files expected':
      return words.every((word) => /^[^\s*/][^\s*]*$/.test(word)) ? { filesExpected: words } : null
    case 'Type': {
      const type = TASK_TYPES.find((one) => one === value.trim())
      return type === undefined ? null : { type }
    }
    case 'Depends on':
      return words.every((word) => known.has(word as TaskId)) ? { deps: words as TaskId[] } : null
    default:
      return null
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]\s*/g, ' ').trim()
}
