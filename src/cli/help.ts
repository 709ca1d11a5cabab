export const helpText = `ralph: the build loop for coding agents that only keeps verified work

Usage: ralph COMMAND …

  init                  look at this project and write ralph.toml; --claude: skills and hooks for Claude Code
  demo                  a whole build on a small real project, played by a script: no key, no network
  doctor                check git, node, agents, store and checks; say how to mend what fails

  idea                  what is wanted, from the first words to the deploy ('ralph idea --help')
  plan GOAL|FILE        make a plan of a goal or a spec, or take over a checklist, prd.json or JSONL (--dry-run, --out)
  build [GOAL|FILE]     build until every task is verified and merged; again: go on (--once, --dry-run, -n, --until)
  step                  one step of a build, by hand
  status, watch         how the build stands; the same, live
  log, diff, report     what happened; what a task changed; the summary for the morning
  pause, resume, abort  steer a build from any terminal

  open, resolve         the folder of a task that waits for you; take over your fix
  answer, retry, skip   let the agent try again with your words, or as it is; leave the task undone
  ship                  take a finished build to its base branch, through a gate (--dry-run, --push, --pr)
  verify, revert        prove commits again from a clean clone; take a merged patch back
  recover, clean        list and bring back what was not merged; remove what is no longer needed

  task                  the task store that agents and people share ('ralph task --help')
  mcp                   the same as tools for an editor or an agent, as MCP on stdio
  serve                 the page in a browser, the HTTP API and the live feed (--host, --port)

Every command takes --help, --json (a document instead of text) and --debug (where an error came from).
Exit codes: 0 success, 1 error, 2 not found or nothing eligible, 3 a human is needed, 4 refused by a gate, 130 interrupted.
`
