// The ways out for a human that take no work of ours: skip, retry, answer; and where to mend it.
import { openWorkspaces } from '../../compose.ts'
import { refuse } from '../../core/error/error.ts'
import { type TaskId, taskId } from '../../core/values/id.ts'
import { frozenOf } from '../../operations/builds/builds.ts'
import { answerTask, findWaiting, retryTask, skipTask } from '../../operations/builds/escalations.ts'
import type { Flag } from '../arguments.ts'
import type { Call, Command } from '../command.ts'
import { print, printError, printJson } from '../output.ts'
import { openExistingContext } from '../run/build-context.ts'

export const MESSAGE: Flag = { long: 'message', short: 'm', takes: 'value', value: 'TEXT', about: 'what to say' }

export const skip: Command = {
  usage: 'skip [TASK]',
  who: 'operator',
  about: 'Leaves the task undone; what depends on it may start, and ship asks about it.',
  flags: [],
  wordsMax: 1,
  run: async (call) => confirm(call, 'skipped', await skipTask(await openExistingContext(call), taskArgument(call))),
}

export const retry: Command = {
  usage: 'retry [TASK]',
  who: 'operator',
  about: 'Tries the task again as it is.',
  flags: [],
  wordsMax: 1,
  run: async (call) =>
    confirm(call, 'to be tried again:', await retryTask(await openExistingContext(call), taskArgument(call))),
}

export const answer: Command = {
  usage: 'answer [TASK] -m TEXT',
  who: 'operator',
  about: 'Tries the task again with this text in the prompt.',
  flags: [MESSAGE],
  wordsMax: 1,
  run: async (call) => {
    const text = message(call)
    confirm(call, 'answered', await answerTask(await openExistingContext(call), text, taskArgument(call)))
  },
}

export const open: Command = {
  usage: 'open [TASK]',
  who: 'operator',
  about: 'Prints the folder of the task that waits, kept for you to work in.',
  flags: [],
  wordsMax: 1,
  run: async (call) => {
    const context = await openExistingContext(call)
    const { build, attempt, reason } = await findWaiting(context, taskArgument(call))
    const workspaces = await openWorkspaces(call.folder, call.env, [], await frozenOf(context, build))
    const { task, tree } = attempt
    // Where other tasks went through the same folder since, its work is brought back.
    const workspace = (await workspaces.find(build, task)) ?? (await workspaces.acquire(build, task, tree, 'keep'))
    if (call.wantsJson) return printJson({ task: attempt.task, folder: workspace.folder, reason })
    print(`${workspace.folder}\n`)
    printError(`Mend it there, then: ralph resolve ${attempt.task} -m 'what you did'\n`)
  },
}

export function message(call: Call): string {
  const text = call.flags.get('message')?.trim()
  if (!text) throw refuse('USAGE', { message: 'missing -m TEXT' })
  return text
}

export function taskArgument(call: Call): TaskId | undefined {
  return call.words[0] === undefined ? undefined : taskId(call.words[0])
}

function confirm(call: Call, done: string, task: TaskId): void {
  if (call.wantsJson) return printJson({ task })
  print(`${done} ${task}\n`)
  printError("A running loop takes it from here; else 'ralph build' goes on.\n")
}
