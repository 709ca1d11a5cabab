// A scenario that plays the roles of a build. The heading of the prompt gives the role, its ID the task.
import { type Ask, toldTo } from './ask.ts'
import { byContent, type Scenario, told } from './scenario.ts'
import { refuse } from './turn.ts'

export interface Team {
  readonly planner?: Scenario
  readonly implementer?: Scenario
  readonly reviewer?: Scenario
  readonly sia?: Scenario
}

/** As in src/prompts. */
const headings: Readonly<Record<keyof Team, string>> = {
  planner: '# A plan\n',
  implementer: '# One iteration of a build\n',
  reviewer: '# Review of a patch\n',
  sia: '# Help for a task that keeps failing\n',
}

export function team(members: Team): Scenario {
  const roles = Object.keys(headings) as (keyof Team)[]
  const missing =
    (role: keyof Team): Scenario =>
    () =>
      refuse('unscripted', { words: `the scenario has no ${role}; add one` })
  return byContent(...roles.map((role) => ({ when: told(headings[role]), play: members[role] ?? missing(role) })))
}

/** Null where it is none of a build. */
export function roleIn(ask: Ask): keyof Team | null {
  return (Object.keys(headings) as (keyof Team)[]).find((role) => told(headings[role])(ask)) ?? null
}

/** Null where the prompt is about none. */
export function taskIn(ask: Ask): string | null {
  return /^<task>\nID: (.*)$/m.exec(toldTo(ask))?.[1] ?? null
}

/** One scenario for each task. */
export function byTask(plays: Readonly<Record<string, Scenario>>): Scenario {
  return (ask) => {
    const task = taskIn(ask) ?? 'none'
    return plays[task]?.(ask) ?? refuse('unscripted', { words: `the scenario has no task '${task}'; add one` })
  }
}
