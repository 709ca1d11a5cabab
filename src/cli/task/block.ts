// Which task waits for which.
import { refuse } from '../../core/error/error.ts'
import { type TaskId, taskId } from '../../core/values/id.ts'
import { blockTask, unblockTask } from '../../operations/tasks/tasks.ts'
import type { Flag } from '../arguments.ts'
import type { Call, Command } from '../command.ts'
import { print, printJson } from '../output.ts'
import { withTaskStore, taskWord } from './task-store.ts'

const BY_FLAG: Flag = { long: 'by', takes: 'value', value: 'ID', about: 'the task that is waited for' }

export const block: Command = {
  usage: 'task block ID --by ID',
  who: 'operator',
  about: 'Makes a task wait for another; a cycle is refused.',
  flags: [BY_FLAG],
  wordsMax: 1,
  run: async (call) => {
    const [id, by] = [taskWord(call), blocker(call)]
    await withTaskStore(call, (context) => blockTask(context, id, by))
    if (call.wantsJson) printJson({ id, by })
    else print(`blocked ${id} by ${by}\n`)
  },
}

export const unblock: Command = {
  usage: 'task unblock ID --by ID',
  who: 'operator',
  about: 'Lets a task no longer wait for another.',
  flags: [BY_FLAG],
  wordsMax: 1,
  run: async (call) => {
    const [id, by] = [taskWord(call), blocker(call)]
    await withTaskStore(call, (context) => unblockTask(context, id, by))
    if (call.wantsJson) printJson({ id, by })
    else print(`unblocked ${id} from ${by}\n`)
  },
}

function blocker(call: Call): TaskId {
  const by = call.flags.get('by')
  if (by === undefined || by === '') throw refuse('BLOCKER_MISSING')
  return taskId(by)
}
