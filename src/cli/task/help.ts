export const taskHelp = `Usage: ralph task COMMAND …      ('ralph task COMMAND --help' tells more)

Look
  peek [-n 5]                    the next claimable tasks, then the active ones
  list [--status a,b] [--all] [--assignee ID] [--markdown]
  show ID [--with-deps] [--sealed]  all about one task
  deps ID                        what it waits for, as a tree
  plan-status                    how many are open, active, done, blocked, deleted

Work
  claim [ID] [--lease 600]       take the best task, or this one, for so many seconds
  renew ID [--lease 600]         hold it longer
  done ID [--result JSON]        finish it; the result goes to the tasks that waited for it
  fail ID [--reason TEXT]        give it back

Plan
  create ID TITLE [-p N] [-c CATEGORY] [-d TEXT] [-s STEPS_JSON] [-r SPEC_REF] [--ref REF] [--deps A,B]
         [--type TYPE] [--files A,B]
  update ID [-t TITLE] [-p N] …  change what is given
  delete ID | --status a,b | --all --confirm
  block ID --by ID               let it wait for another task
  unblock ID --by ID             let it no longer wait
  plan-sync < PLAN.jsonl         take over a whole plan, by difference

Agents
  agent register | list | deregister ID

Who speaks: --agent ID or RALPH_AGENT_ID; without, you are the operator.
Tasks belong to this repository and branch; RALPH_SCOPE_REPO and RALPH_SCOPE_BRANCH override that.
Exit codes: 0 success, 1 error, 2 not found or nothing eligible. Every command takes --json.
`

export const agentHelp = `Usage: ralph task agent COMMAND

  register           get a new agent ID, to be used as RALPH_AGENT_ID
  list               who announced itself, and whether it still runs
  deregister ID      take an agent off the list
`
