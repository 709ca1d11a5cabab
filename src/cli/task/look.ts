// Looking at tasks without changing them.
import { refuse } from '../../core/error/error.ts'
import { agentId } from '../../core/values/id.ts'
import { renderTasks } from '../../core/task/markdown-kv.ts'
import { isReported } from '../../core/task/reported.ts'
import { PEEK_DEFAULT, TASK_STATUSES, type TaskStatus } from '../../core/task/task.ts'
import { taskTree } from '../../operations/tasks/tasks.ts'
import type { Call, Command } from '../command.ts'
import { wholeNumber } from '../number.ts'
import { print, printError, printJson } from '../output.ts'
import { taskTable } from './task-table.ts'
import { ask, taskWord } from './task-store.ts'
import { taskPage } from './page.ts'
import { taskJson } from './task-output.ts'
import { statuses } from './statuses.ts'

export const peek: Command = {
  usage: 'task peek [-n 5]',
  who: 'anyone',
  about: 'Shows the next claimable tasks, then all that are being worked on.',
  flags: [
    {
      long: 'count',
      short: 'n',
      takes: 'value',
      value: 'N',
      about: `how many claimable ones; default ${PEEK_DEFAULT}`,
    },
  ],
  wordsMax: 0,
  run: async (call) => {
    const countFlag = call.flags.get('count') ?? String(PEEK_DEFAULT)
    const count = wholeNumber(countFlag, { bad: 'COUNT_BAD', flag: '-n', min: 1, max: Number.MAX_SAFE_INTEGER })
    const tasks = await ask(call, { do: 'peek', limit: count })
    if (call.wantsJson) return printJson(tasks.map(taskJson))
    print(renderTasks(tasks))
  },
}

export const list: Command = {
  usage: 'task list [--status a,b] [--all] [--assignee ID] [--markdown]',
  who: 'anyone',
  about: 'Lists tasks by priority, then age; deleted ones only with --all.',
  flags: [
    { long: 'status', takes: 'list', value: 'A,B', about: `only these: ${TASK_STATUSES.join(', ')}` },
    { long: 'all', takes: 'nothing', about: 'deleted ones too' },
    { long: 'assignee', takes: 'value', value: 'ID', about: 'only what this agent holds' },
    { long: 'markdown', takes: 'nothing', about: 'as agents read it, like peek' },
  ],
  wordsMax: 0,
  run: async (call) => {
    const assignee = call.flags.get('assignee')
    const tasks = await ask(call, {
      do: 'list',
      statuses: listedStatuses(call),
      assignee: assignee === undefined ? null : agentId(assignee),
    })
    if (call.wantsJson) return printJson(tasks.map(taskJson))
    if (call.flags.has('markdown')) return print(renderTasks(tasks))
    if (tasks.length === 0) return printError('No tasks.\n')
    const rows = tasks.map((task) => [
      task.id,
      String(task.priority),
      task.status,
      task.category ?? '',
      task.title,
      isReported(task) ? '(reported)' : (task.assignee ?? ''),
    ])
    print(await taskTable(['ID', 'P', 'S', 'CAT', 'TITLE', 'AGENT'], rows))
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

export const show: Command = {
  usage: 'task show ID [--with-deps] [--sealed]',
  who: (flags) => (flags.has('sealed') ? 'operator' : 'anyone'),
  about: 'Shows one task; with --with-deps also what it waits for and what those left behind.',
  flags: [
    { long: 'with-deps', takes: 'nothing', about: 'also what it waits for, and their results' },
    {
      long: 'sealed',
      takes: 'nothing',
      about: 'its sealed examples instead, and what came out of them; for people only',
    },
  ],
  wordsMax: 1,
  run: async (call) => {
    const id = taskWord(call)
    if (call.flags.has('sealed')) return (await import('./sealed.ts')).showSealed(call, id)
    const { task, blockers, evidence } = await ask(call, { do: 'show', id })
    const withDeps = call.flags.has('with-deps')
    if (!call.wantsJson) return print(taskPage(task, withDeps ? blockers : [], evidence))
    const { strength, sentence } = evidence ?? { strength: null, sentence: null }
    printJson({ ...taskJson(task), strength, sentence, ...(withDeps && { dependencies: blockers.map(taskJson) }) })
  },
}

export const deps: Command = {
  usage: 'task deps ID',
  who: 'anyone',
  about: 'Shows what a task waits for, and what those wait for, as a tree.',
  flags: [],
  wordsMax: 1,
  run: async (call) => {
    const id = taskWord(call)
    const { lines, whole } = taskTree(await ask(call, { do: 'list', statuses: null, assignee: null }), id)
    if (!whole) printError(`Only the first ${lines.length} lines are shown.\n`)
    if (call.wantsJson) return printJson(lines.map(({ task, depth }) => ({ depth, ...taskJson(task) })))
    print(lines.map(({ task, depth }) => `${'  '.repeat(depth)}${task.id} [${task.status}] ${task.title}\n`).join(''))
  },
}
