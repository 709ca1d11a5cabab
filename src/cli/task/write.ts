// Making and changing tasks.
import { refuse } from '../../core/error.ts'
import { type TaskId, taskId } from '../../core/id.ts'
import { TASK_STATUSES, type TaskText } from '../../core/task.ts'
import { blockTask, createTask, deleteTask, deleteTasks, unblockTask, updateTask } from '../../operations/tasks.ts'
import type { Flag } from '../arguments.ts'
import type { Call, Command } from '../command.ts'
import { print, printJson } from '../output.ts'
import { atDesk, taskWord, wholeNumber } from './desk.ts'
import { statuses } from './look.ts'
import { confirm, taskJson } from './shown.ts'

const TEXT_FLAGS: readonly Flag[] = [
  { long: 'priority', short: 'p', takes: 'value' },
  { long: 'category', short: 'c', takes: 'value' },
  { long: 'description', short: 'd', takes: 'value' },
  { long: 'steps', short: 's', takes: 'value' },
  { long: 'spec', short: 'r', takes: 'value' },
  { long: 'ref', takes: 'value' },
]
const TEXT_USAGE = '[-p N] [-c CATEGORY] [-d TEXT] [-s STEPS_JSON] [-r SPEC_REF] [--ref REF]'

export const create: Command = {
  usage: `task create ID TITLE ${TEXT_USAGE} [--deps A,B]`,
  about: 'Makes a task. Priority 0 comes first; the default is 2.',
  flags: [...TEXT_FLAGS, { long: 'deps', takes: 'value' }],
  wordsMax: 2,
  run: async (call) => {
    const id = taskWord(call)
    const title = call.words[1] ?? ''
    if (title.trim() === '') throw refuse('TASK_TITLE_MISSING')
    const text = textFlags(call)
    const deps = idList(call.flags.get('deps') ?? '')
    await atDesk(call, (desk) => createTask(desk, id, { ...text, title }, deps))
    if (call.wantsJson) printJson({ id })
    else print(`${id}\n`)
  },
}

export const update: Command = {
  usage: `task update ID [-t TITLE] ${TEXT_USAGE}`,
  about: 'Changes what is given; done and deleted tasks cannot be changed.',
  flags: [{ long: 'title', short: 't', takes: 'value' }, ...TEXT_FLAGS],
  wordsMax: 1,
  run: async (call) => {
    const id = taskWord(call)
    const title = call.flags.get('title')
    const text = { ...textFlags(call), ...(title === undefined ? {} : { title }) }
    if (Object.keys(text).length === 0) throw refuse('USAGE', { message: 'nothing to update: give at least one field' })
    const task = await atDesk(call, (desk) => updateTask(desk, id, text))
    confirm(call, `updated ${id}`, task)
  },
}

export const remove: Command = {
  usage: 'task delete ID | --status a,b | --all --confirm',
  about: 'Deletes tasks; they stay visible in `task list --all`. Done tasks are kept.',
  flags: [
    { long: 'status', takes: 'value' },
    { long: 'all', takes: 'nothing' },
    { long: 'confirm', takes: 'nothing' },
  ],
  wordsMax: 1,
  run: async (call) => {
    const many = deletedStatuses(call)
    if (many === null) {
      const id = taskWord(call)
      const task = await atDesk(call, (desk) => deleteTask(desk, id))
      return confirm(call, `deleted ${id}`, task)
    }
    const tasks = await atDesk(call, (desk) => deleteTasks(desk, many))
    if (call.wantsJson) return printJson(tasks.map(taskJson))
    print(tasks.map((task) => `deleted ${task.id}\n`).join(''))
  },
}

/** Null: one task is named. */
function deletedStatuses(call: Call): ReturnType<typeof statuses> | null {
  const wanted = call.flags.get('status')
  const isAll = call.flags.has('all')
  if (isAll && wanted !== undefined) throw refuse('FLAGS_CONFLICT', { one: '--all', other: '--status' })
  if (!isAll && wanted === undefined) return null
  if (call.words.length > 0) throw refuse('FLAGS_CONFLICT', { one: 'a task ID', other: isAll ? '--all' : '--status' })
  if (!isAll) return statuses(wanted ?? '')
  if (!call.flags.has('confirm')) throw refuse('DELETE_ALL_UNCONFIRMED')
  return TASK_STATUSES.filter((status) => status !== 'done' && status !== 'deleted')
}

const BY_FLAG: Flag = { long: 'by', takes: 'value' }

export const block: Command = {
  usage: 'task block ID --by ID',
  about: 'Makes a task wait for another; a cycle is refused.',
  flags: [BY_FLAG],
  wordsMax: 1,
  run: async (call) => {
    const [id, by] = [taskWord(call), blocker(call)]
    await atDesk(call, (desk) => blockTask(desk, id, by))
    if (call.wantsJson) printJson({ id, by })
    else print(`blocked ${id} by ${by}\n`)
  },
}

export const unblock: Command = {
  usage: 'task unblock ID --by ID',
  about: 'Lets a task no longer wait for another.',
  flags: [BY_FLAG],
  wordsMax: 1,
  run: async (call) => {
    const [id, by] = [taskWord(call), blocker(call)]
    await atDesk(call, (desk) => unblockTask(desk, id, by))
    if (call.wantsJson) printJson({ id, by })
    else print(`unblocked ${id} from ${by}\n`)
  },
}

function blocker(call: Call): TaskId {
  const by = call.flags.get('by')
  if (by === undefined || by === '') throw refuse('BLOCKER_MISSING')
  return taskId(by)
}

/** An empty value clears a field. */
function textFlags({ flags }: Call): Partial<TaskText> {
  const priority = flags.get('priority')
  const number = priority === undefined ? undefined : wholeNumber(priority)
  if (number === null) throw refuse('PRIORITY_BAD')
  const steps = flags.get('steps')
  const line = (name: string) => (flags.has(name) ? { [name]: flags.get(name) || null } : {})
  return {
    ...(number === undefined ? {} : { priority: number }),
    ...line('category'),
    ...line('description'),
    ...line('spec'),
    ...line('ref'),
    ...(steps === undefined ? {} : { steps: stepList(steps) }),
  }
}

function stepList(json: string): string[] {
  try {
    const steps: unknown = JSON.parse(json)
    if (Array.isArray(steps) && steps.every((step) => typeof step === 'string')) return steps
  } catch {
    // Falls through to the one sentence for both.
  }
  throw refuse('STEPS_BAD')
}

function idList(text: string): TaskId[] {
  return text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
    .map(taskId)
}
