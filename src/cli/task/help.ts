import type { Command } from '../command.ts'
import { print } from '../output.ts'

const text = `Usage: ralph task COMMAND …      ('ralph task COMMAND --help' tells more)

  create ID TITLE [-p N] [-c CATEGORY] [-d TEXT] [-s STEPS_JSON] [-r SPEC_REF] [--ref REF] [--deps A,B]
  peek [-n 5]                        the next claimable tasks, then the active ones
  claim [ID] [--lease 600]           take the best one, or this one
  renew ID [--lease 600]             hold it longer
  done ID [--result JSON]            finish it
  fail ID [--reason TEXT]            give it back
  list [--status a,b] [--all] [--assignee ID] [--markdown]
  show ID [--with-deps]
  update ID [-t TITLE] [-p N] …
  delete ID | --status a,b | --all --confirm
  deps ID
  block ID --by ID  ·  unblock ID --by ID
  plan-sync < PLAN.jsonl  ·  plan-status
  agent register  ·  agent list  ·  agent deregister ID

Who speaks: --agent ID or RALPH_AGENT_ID, else the user of this machine.
Tasks belong to this repository and branch; RALPH_SCOPE_REPO and RALPH_SCOPE_BRANCH override that.
`

export const taskHelp: Command = {
  usage: 'task COMMAND …',
  about: '',
  flags: [],
  wordsMax: 0,
  run: async () => print(text),
}
