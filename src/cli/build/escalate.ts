// The ways out for a human.
import { resolve as resolvePath } from 'node:path'
import { openShop } from '../../compose.ts'
import { refuse } from '../../core/error.ts'
import { type TaskId, taskId } from '../../core/id.ts'
import { answerTask, findWaiting, type Fix, resolveTask, retryTask, skipTask } from '../../operations/escalations.ts'
import type { Flag } from '../arguments.ts'
import type { Call, Command } from '../command.ts'
import { print, printJson } from '../output.ts'
import { openBuildDesk } from './desk.ts'

const MESSAGE: Flag = { long: 'message', short: 'm', takes: 'value', value: 'TEXT', about: 'what to say' }

export const skip: Command = {
  usage: 'skip [TASK]',
  about: 'Leaves the task undone; what depends on it may start, and ship asks about it.',
  flags: [],
  wordsMax: 1,
  run: async (call) => confirm(call, 'skipped', await skipTask(await openBuildDesk(call), named(call))),
}

export const retry: Command = {
  usage: 'retry [TASK]',
  about: 'Tries the task again as it is.',
  flags: [],
  wordsMax: 1,
  run: async (call) => confirm(call, 'to be tried again:', await retryTask(await openBuildDesk(call), named(call))),
}

export const answer: Command = {
  usage: 'answer [TASK] -m TEXT',
  about: 'Tries the task again with this text in the prompt.',
  flags: [MESSAGE],
  wordsMax: 1,
  run: async (call) =>
    confirm(call, 'answered', await answerTask(await openBuildDesk(call), message(call), named(call))),
}

export const open: Command = {
  usage: 'open [TASK]',
  about: 'Prints the folder of the task that waits, kept for you to work in.',
  flags: [],
  wordsMax: 1,
  run: async (call) => {
    const desk = await openBuildDesk(call)
    const { build, attempt } = await findWaiting(desk, named(call))
    const { workspaces } = await openShop(call.folder, call.env, build)
    const workspace = await workspaces.find(build, attempt.task)
    if (workspace === null) throw refuse('NO_WORKSPACE', { id: attempt.task })
    if (call.wantsJson) printJson({ task: attempt.task, folder: workspace.folder })
    else print(`${workspace.folder}\n`)
  },
}

export const resolve: Command = {
  usage: 'resolve [TASK] -m TEXT [--from DIR|REF] [--unverified]',
  about: "Takes your fix from the task's folder, a folder or a commit of yours; it is verified, then merged.",
  flags: [
    MESSAGE,
    { long: 'from', takes: 'value', value: 'DIR|REF', about: "where the fix is; default: the task's own folder" },
    { long: 'unverified', takes: 'nothing', about: 'take it on your word; ship will ask about it' },
  ],
  wordsMax: 1,
  run: async (call) => {
    const desk = await openBuildDesk(call)
    const { build } = await findWaiting(desk, named(call))
    const { workspaces } = await openShop(call.folder, call.env, build)
    const fix: Fix = {
      text: message(call),
      from: place(call),
      accepted: call.flags.has('unverified') ? 'unverified' : 'if-verified',
    }
    const task = await resolveTask(desk, workspaces, fix, named(call))
    confirm(call, 'taken over, to be verified and merged:', task)
  },
}

function place(call: Call): Fix['from'] {
  const from = call.flags.get('from')
  if (from === undefined) return null
  return from.includes('/') || from.startsWith('.') ? { folder: resolvePath(call.folder, from) } : { ref: from }
}

function message(call: Call): string {
  const text = call.flags.get('message')?.trim()
  if (!text) throw refuse('USAGE', { message: 'missing -m TEXT' })
  return text
}

function named(call: Call): TaskId | undefined {
  return call.words[0] === undefined ? undefined : taskId(call.words[0])
}

function confirm(call: Call, done: string, task: TaskId): void {
  if (call.wantsJson) printJson({ task })
  else print(`${done} ${task}\n`)
}
