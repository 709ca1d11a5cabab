import { outputText } from '../system/process/head-tail-buffer.ts'
import { shell } from '../system/process/command.ts'
import type { Ended } from '../system/process/ended.ts'
import { run } from '../system/process/spawn.ts'
import { type Message, type SendResult, TRY_LIMIT_MS, type Way } from './notify.ts'
import type { Environment } from '../core/values/environment.ts'

/** What a program needs to show something on a desktop. Keys and tokens are not passed on. */
const PASSED_ON = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'TZ',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
] as const

/** Runs the user's own shell line in `folder`, with each message as JSON on stdin. */
export function notifyCommand(line: string, folder: string, user: Environment): Way {
  const own = Object.fromEntries(PASSED_ON.flatMap((name) => (user[name] === undefined ? [] : [[name, user[name]]])))
  return {
    name: 'command',
    send: async (message, signal) => {
      const ended = await run({
        argv: shell(line),
        cwd: folder,
        env: { ...own, ...variables(message) },
        input: `${JSON.stringify(message)}\n`,
        deadlineMs: TRY_LIMIT_MS,
        graceMs: 1_000,
        signal,
        speaksFor: 'operator',
      })
      return sentBy(ended)
    },
  }
}

function variables({ type, build, task, sentence, repository }: Message): Record<string, string> {
  return {
    RALPH_NOTICE_TYPE: type,
    RALPH_NOTICE_BUILD: build,
    RALPH_NOTICE_TASK: task ?? '',
    RALPH_NOTICE_SENTENCE: sentence.replaceAll('\0', ' '),
    RALPH_NOTICE_REPOSITORY: repository,
  }
}

function sentBy(ended: Ended): SendResult {
  if (ended.how === 'exited' && ended.code === 0) return { is: 'sent' }
  if (ended.how === 'notStarted') return { is: 'failed', reason: ended.sentence, again: 'useful' }
  const words = outputText(ended.stderr).trim().split('\n').at(-1) ?? ''
  const how = ended.how === 'exited' ? `exit code ${ended.code}` : ended.how
  return { is: 'failed', reason: words === '' ? how : `${how}: ${words.slice(0, 200)}`, again: 'useful' }
}
