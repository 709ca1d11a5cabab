// The flags that set the fields of a task.
import { refuse } from '../../core/error/error.ts'
import { PRIORITY_DEFAULT, TASK_TYPES, type TaskText, type TaskType } from '../../core/task/task.ts'
import type { Flag } from '../arguments.ts'
import type { Call } from '../command.ts'
import { wholeNumber } from '../number.ts'

export const TEXT_FLAGS: readonly Flag[] = [
  { long: 'priority', short: 'p', takes: 'value', value: 'N', about: `0 comes first; default ${PRIORITY_DEFAULT}` },
  { long: 'category', short: 'c', takes: 'value', value: 'CATEGORY', about: 'a word of your own, such as feat or bug' },
  { long: 'description', short: 'd', takes: 'value', value: 'TEXT', about: 'what is to be done, in full' },
  { long: 'steps', short: 's', takes: 'value', value: 'JSON', about: 'a JSON array of strings' },
  { long: 'spec', short: 'r', takes: 'value', value: 'SPEC_REF', about: 'the spec it belongs to; see plan-sync' },
  {
    long: 'type',
    takes: 'value',
    value: 'TYPE',
    about: `${TASK_TYPES.join(', ')}; docs, refactor, chore, test and setup claim no new behaviour`,
  },
  {
    long: 'files',
    takes: 'list',
    value: 'A,B',
    about: "files that must be there when it is done; of a pattern such as 'docs/**', one that was changed",
  },
  { long: 'ref', takes: 'value', value: 'REF', about: 'where to read more, such as a path or an issue' },
]

export const TEXT_USAGE =
  '[-p N] [-c CATEGORY] [-d TEXT] [-s STEPS_JSON] [-r SPEC_REF] [--ref REF] [--type TYPE] [--files A,B]'

/** The fields that the flags set; an empty value clears a field. */
export function textFlags({ flags }: Call): Partial<TaskText> {
  const priority = flags.get('priority')
  const steps = flags.get('steps')
  const line = (name: string) => (flags.has(name) ? { [name]: flags.get(name) || null } : {})
  return {
    ...(priority === undefined ? {} : { priority: priorityOf(priority) }),
    ...line('category'),
    ...line('description'),
    ...line('spec'),
    ...line('ref'),
    ...(flags.has('files') ? { filesExpected: fileList(flags.get('files') ?? '') } : {}),
    ...(flags.has('type') ? { type: typeOf(flags.get('type') ?? '') } : {}),
    ...(steps === undefined ? {} : { steps: steps === '' ? [] : stepList(steps) }),
  }
}

/** Commas between braces belong to the pattern. */
function fileList(text: string): string[] {
  const files = text.split(/,(?![^{}]*\})/).map((file) => file.trim().replace(/^\.\//, ''))
  return files.filter((file) => file !== '')
}

function typeOf(word: string): TaskType | null {
  const type = TASK_TYPES.find((known) => known === word)
  if (type === undefined && word !== '') throw refuse('TYPE_UNKNOWN', { type: word, known: TASK_TYPES.join(', ') })
  return type ?? null
}

function priorityOf(text: string): number {
  return wholeNumber(text, { bad: 'PRIORITY_BAD', flag: '-p (priority)', max: Number.MAX_SAFE_INTEGER })
}

function stepList(json: string): string[] {
  try {
    const steps: unknown = JSON.parse(json)
    if (Array.isArray(steps) && steps.every((step) => typeof step === 'string')) return steps
  } catch {
    // Bad JSON and a wrong shape have the same error.
  }
  throw refuse('STEPS_BAD')
}
