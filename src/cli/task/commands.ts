// `ralph task …`: which words are which command. Loaded together: agents call these many times in a session, and one
// file starts faster than several.
import type { Group } from '../command.ts'
import { deregister, list as listAgents, register } from './agents.ts'
import { block, unblock } from './block.ts'
import { claim, done, fail, renew } from './hold.ts'
import { deps, list, peek, show } from './look.ts'
import { planStatus, planSync } from './plan.ts'
import { create, remove, update } from './write.ts'

const agent: Group = {
  usage: 'task agent register | list | deregister ID',
  help: async () => (await import('./help.ts')).agentHelp,
  commands: { register, list: listAgents, deregister },
}

export const task: Group = {
  usage: 'task COMMAND …   (ralph task --help lists them)',
  help: async () => (await import('./help.ts')).taskHelp,
  commands: {
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
    agent,
  },
}
