// `ralph task …`: which words are which command. Loaded together: agents call these many times in a session, and one
// file starts faster than several.
import { refuse } from '../../core/error.ts'
import type { Command } from '../command.ts'
import * as agents from './agents.ts'
import { taskHelp } from './help.ts'
import { claim, done, fail, renew } from './hold.ts'
import { deps, list, peek, show } from './look.ts'
import { planStatus, planSync } from './plan.ts'
import { block, create, remove, unblock, update } from './write.ts'

type Table = Readonly<Record<string, Command>>

const commands: Table = {
  create,
  peek,
  claim,
  renew,
  done,
  fail,
  list,
  show,
  update,
  delete: remove,
  deps,
  block,
  unblock,
  'plan-sync': planSync,
  'plan-status': planStatus,
  help: taskHelp,
  '--help': taskHelp,
  '-h': taskHelp,
}

const agentCommands: Table = {
  register: agents.register,
  list: agents.list,
  deregister: agents.deregister,
}

/** Takes the command's own name off `words`. */
export function taskCommand(words: string[]): Command {
  const name = words.shift()
  return name === 'agent' ? named(agentCommands, words.shift(), 'task agent') : named(commands, name, 'task')
}

function named(table: Table, name: string | undefined, group: string): Command {
  if (name === undefined) throw refuse('USAGE', { message: `missing command after 'ralph ${group}'` })
  const command = Object.hasOwn(table, name) ? table[name] : undefined
  if (command === undefined) throw refuse('COMMAND_UNKNOWN', { command: name })
  return command
}
