// Making and changing tasks.
import { refuse } from '../../core/error/error.ts'
import { type TaskId, taskId } from '../../core/values/id.ts'
import { TASK_STATUSES, type TaskStatus } from '../../core/task/task.ts'
import { deleteTask, deleteTasks, updateTask } from '../../operations/tasks/tasks.ts'
import type { Call, Command } from '../command.ts'
import { print, printJson } from '../output.ts'
import { AGENT_FLAG, ask, withTaskStore, namedAgent, taskWord } from './task-store.ts'
import { confirm, taskJson } from './task-output.ts'
import { statuses } from './statuses.ts'
import { TEXT_FLAGS, TEXT_USAGE, textFlags } from './text-flags.ts'

export const create: Command = {
  usage: `task create ID TITLE ${TEXT_USAGE} [--deps A,B]`,
  who: 'anyone',
  about: 'Makes a task and prints its ID: 1 to 128 characters without white space.',
  flags: [
    ...TEXT_FLAGS,
    { long: 'deps', takes: 'list', value: 'A,B', about: 'the tasks that must be finished before this one' },
  ],
  wordsMax: 2,
  run: async (call) => {
    const id = taskWord(call)
    const title = call.words[1] ?? ''
    if (title.trim() === '') throw refuse('TASK_TITLE_MISSING')
    const text = textFlags(call)
    const deps = idList(call.flags.get('deps') ?? '')
    const task = await ask(call, { do: 'create', id, text: { ...text, title }, deps })
    confirm(call, id, task)
  },
}

function idList(text: string): TaskId[] {
  return text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
    .map(taskId)
}

const MOVES = ['open', 'done', 'deleted'] as const

export const update: Command = {
  usage: `task update ID [-t TITLE] ${TEXT_USAGE} [--status STATUS]`,
  who: 'operator',
  about: 'Changes what is given, and an empty value clears a field; done and deleted tasks cannot be changed.',
  flags: [
    { long: 'title', short: 't', takes: 'value', value: 'TITLE', about: 'one line' },
    ...TEXT_FLAGS,
    { long: 'status', takes: 'value', value: 'STATUS', about: 'open, done or deleted: as fail, done and delete do' },
    AGENT_FLAG,
  ],
  wordsMax: 1,
  run: async (call) => {
    const id = taskWord(call)
    const title = call.flags.get('title')
    const text = { ...textFlags(call), ...(title === undefined ? {} : { title }) }
    const status = wantedStatus(call)
    if (Object.keys(text).length === 0 && status === null)
      throw refuse('USAGE', { message: 'no fields to update; give at least one' })
    const move = status === null ? null : { to: status, agent: namedAgent(call) }
    const task = await withTaskStore(call, (context) => updateTask(context, id, text, move))
    confirm(call, `updated ${id}`, task)
  },
}

function wantedStatus(call: Call): (typeof MOVES)[number] | null {
  const word = call.flags.get('status')
  if (word === undefined) return null
  const status = MOVES.find((move) => move === word)
  if (status === undefined) throw refuse('STATUS_UNKNOWN', { status: word, known: MOVES.join(', ') })
  return status
}

export const remove: Command = {
  usage: 'task delete ID | --status a,b | --all --confirm',
  who: 'operator',
  about: "Deletes tasks; they stay visible in 'ralph task list --all'. Done tasks are kept.",
  flags: [
    { long: 'status', takes: 'list', value: 'A,B', about: 'every task of these statuses' },
    { long: 'all', takes: 'nothing', about: 'every task that is not done' },
    { long: 'confirm', takes: 'nothing', about: 'yes, all of them' },
  ],
  wordsMax: 1,
  run: async (call) => {
    const many = deletedStatuses(call)
    if (many === null) {
      const id = taskWord(call)
      const task = await withTaskStore(call, (context) => deleteTask(context, id))
      return confirm(call, `deleted ${id}`, task)
    }
    const tasks = await withTaskStore(call, (context) => deleteTasks(context, many))
    if (call.wantsJson) return printJson(tasks.map(taskJson))
    print(`deleted ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}\n`)
  },
}

/** Null: one task is named. */
function deletedStatuses(call: Call): TaskStatus[] | null {
  const wanted = call.flags.get('status')
  const isAll = call.flags.has('all')
  if (isAll && wanted !== undefined) throw refuse('FLAGS_CONFLICT', { one: '--all', other: '--status' })
  if (!isAll && wanted === undefined) return null
  if (call.words.length > 0) throw refuse('FLAGS_CONFLICT', { one: 'a task ID', other: isAll ? '--all' : '--status' })
  if (!isAll) return statuses(wanted ?? '')
  if (!call.flags.has('confirm')) throw refuse('DELETE_ALL_UNCONFIRMED')
  return TASK_STATUSES.filter((status) => status !== 'done' && status !== 'deleted')
}
