// Looking at tasks without changing them.
import { refuse } from '../../core/error.ts'
import { agentId } from '../../core/id.ts'
import { renderTasks } from '../../core/markdown-kv.ts'
import { TASK_STATUSES, type TaskStatus } from '../../core/task.ts'
import { blockersOf, listTasks, peekTasks, showTask, taskTree } from '../../operations/tasks.ts'
import type { Call, Command } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { table } from '../table.ts'
import { atDesk, taskWord, wholeNumber } from './desk.ts'
import { taskPage } from './page.ts'
import { taskJson } from './shown.ts'

const PEEK_DEFAULT = 5

export const peek: Command = {
  usage: 'task peek [-n 5]',
  about: 'Shows the next claimable tasks, then all that are being worked on.',
  flags: [{ long: 'count', short: 'n', takes: 'value' }],
  wordsMax: 0,
  run: async (call) => {
    const count = wholeNumber(call.flags.get('count') ?? String(PEEK_DEFAULT))
    if (count === null || count === 0) throw refuse('COUNT_BAD')
    const tasks = await atDesk(call, (desk) => peekTasks(desk, count))
    if (call.wantsJson) return printJson(tasks.map(taskJson))
    print(renderTasks(tasks))
  },
}

export const list: Command = {
  usage: 'task list [--status a,b] [--all] [--assignee ID] [--markdown]',
  about: `Lists tasks by priority and age; deleted ones only with --all. Statuses: ${TASK_STATUSES.join(', ')}.`,
  flags: [
    { long: 'status', takes: 'value' },
    { long: 'all', takes: 'nothing' },
    { long: 'assignee', takes: 'value' },
    { long: 'markdown', takes: 'nothing' },
  ],
  wordsMax: 0,
  run: async (call) => {
    const assignee = call.flags.get('assignee')
    const filter = {
      statuses: listedStatuses(call),
      ...(assignee === undefined ? {} : { assignee: agentId(assignee) }),
    }
    const tasks = await atDesk(call, (desk) => listTasks(desk, filter))
    if (call.wantsJson) return printJson(tasks.map(taskJson))
    if (call.flags.has('markdown')) return print(renderTasks(tasks))
    if (tasks.length === 0) return printError('No tasks.\n')
    const rows = tasks.map((task) => [
      task.id,
      String(task.priority),
      task.status,
      task.category ?? '',
      task.title,
      task.assignee ?? '',
    ])
    print(table(['ID', 'P', 'S', 'CAT', 'TITLE', 'AGENT'], rows))
  },
}

function listedStatuses(call: Call): TaskStatus[] {
  const wanted = call.flags.get('status')
  if (call.flags.has('all')) {
    if (wanted !== undefined) throw refuse('FLAGS_CONFLICT', { one: '--all', other: '--status' })
    return [...TASK_STATUSES]
  }
  return wanted === undefined ? TASK_STATUSES.filter((status) => status !== 'deleted') : statuses(wanted)
}

/** `open,active` */
export function statuses(text: string): TaskStatus[] {
  return text.split(',').map((word) => {
    const known = TASK_STATUSES.find((status) => status === word.trim())
    if (known === undefined) throw refuse('STATUS_UNKNOWN', { status: word, known: TASK_STATUSES.join(', ') })
    return known
  })
}

export const show: Command = {
  usage: 'task show ID [--with-deps]',
  about: 'Shows one task; with --with-deps also what it waits for and what those left behind.',
  flags: [{ long: 'with-deps', takes: 'nothing' }],
  wordsMax: 1,
  run: async (call) => {
    const id = taskWord(call)
    const { task, blockers } = await atDesk(call, async (desk) => {
      const found = await showTask(desk, id)
      return { task: found, blockers: call.flags.has('with-deps') ? await blockersOf(desk, found) : [] }
    })
    if (call.wantsJson)
      return printJson({ ...taskJson(task), ...(blockers.length > 0 && { dependencies: blockers.map(taskJson) }) })
    print(taskPage(task, blockers))
  },
}

export const deps: Command = {
  usage: 'task deps ID',
  about: 'Shows what a task waits for, and what those wait for, as a tree.',
  flags: [],
  wordsMax: 1,
  run: async (call) => {
    const id = taskWord(call)
    const lines = await atDesk(call, (desk) => taskTree(desk, id))
    if (call.wantsJson) return printJson(lines.map(({ task, depth }) => ({ depth, ...taskJson(task) })))
    print(lines.map(({ task, depth }) => `${'  '.repeat(depth)}${task.id} [${task.status}] ${task.title}\n`).join(''))
  },
}
