export const helpText = `ralph: the build loop for coding agents that only keeps verified work

Usage: ralph COMMAND …

  init                  look at this project and write ralph.toml
  demo                  a whole build on a small real project, played by a script: no key, no network
  doctor                check git, node, agents, store and checks; say how to mend what fails
  task                  the task store that agents and people share ('ralph task --help')

Every command takes --help, --json (a document instead of text) and --debug (where an error came from).
Exit codes: 0 success, 1 error, 2 not found or nothing eligible, 3 a human is needed, 4 refused by a gate, 130 interrupted.
`
