export const ideaHelp = `Usage: ralph idea COMMAND …      ('ralph idea COMMAND --help' tells more)

  add TEXT|FILE|-                write an idea down; prints its id (--title, --id, --auto-advance)
  list [--phase a,b]             the ideas of this repository and branch, newest first
  show ID                        all about one: where it stands, where it may go, who moved it and why
  move ID PHASE [-m REASON]      move it on, which starts what the phase is for

Phases: ideation, ideation_ready, specification (the planner writes a spec with tasks), spec_ready, building (the build
runs), build_review, deployed (through the ship gate); paused and failed lead back to where it was.
Exit codes: 0 success, 1 error, 2 not found, 3 a human is needed, 4 refused by the ship gate. Every command takes --json.
`
