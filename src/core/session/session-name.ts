// The names of agent sessions, by which their transcripts can be requested: `b_1.login.2.1` is the first iteration of
// the second attempt at task `login`, `b_1.login.2.1.reviewer` the session of its reviewer. Ids of tasks and ideas may
// have dots.
//
// A planner works for a build (`b_1.1.1.planner`) or, before there is one, for an idea: then the name has the start
// time as well.
import type { AgentId, BuildId, IdeaId, Instant, TaskId } from '../values/id.ts'

/** Roles that are asked about a task; the name of an implementer's session has no role. */
export const ASKED_ROLES = ['reviewer', 'sia'] as const
export type TaskRole = 'implementer' | (typeof ASKED_ROLES)[number]

export interface TaskSession {
  readonly of: 'task'
  readonly build: BuildId
  readonly task: TaskId
  readonly attempt: number
  readonly iteration: number
  readonly role: TaskRole
}

export interface BuildPlanning {
  readonly of: 'build'
  readonly build: BuildId
  readonly attempt: number
  /** 2: asked again, with the fault of the first answer. */
  readonly iteration: number
}

export interface IdeaPlanning {
  readonly of: 'idea'
  readonly idea: IdeaId
  readonly since: Instant
  readonly attempt: number
  readonly iteration: number
}

export type NamedSession = TaskSession | BuildPlanning | IdeaPlanning

const NUMBER = String.raw`(0|[1-9]\d{0,14})`
const TASK = new RegExp(String.raw`^(b_[^.]+)\.(.+)\.${NUMBER}\.${NUMBER}(?:\.(${ASKED_ROLES.join('|')}))?$`, 's')
const BUILD = new RegExp(String.raw`^(b_[^.]+)\.${NUMBER}\.${NUMBER}\.planner$`)
const IDEA = new RegExp(String.raw`^(?!b_)(.+)\.${NUMBER}\.${NUMBER}\.${NUMBER}\.planner$`, 's')

/** Null: no session has such a name. */
export function readSessionName(name: string): NamedSession | null {
  const [, build = '', task = '', ...rest] = TASK.exec(name) ?? []
  if (build !== '') {
    const role = ASKED_ROLES.find((one) => one === rest[2]) ?? 'implementer'
    return { of: 'task', build: build as BuildId, task: task as TaskId, ...numbersIn(rest), role }
  }
  const [, planned = '', ...tries] = BUILD.exec(name) ?? []
  if (planned !== '') return { of: 'build', build: planned as BuildId, ...numbersIn(tries) }
  const [, idea = '', since, ...ideaTries] = IDEA.exec(name) ?? []
  return idea === '' ? null : { of: 'idea', idea: idea as IdeaId, since: Number(since), ...numbersIn(ideaTries) }
}

function numbersIn([attempt, iteration]: readonly (string | undefined)[]) {
  return { attempt: Number(attempt), iteration: Number(iteration) }
}

export function sessionName(session: NamedSession): string {
  const { attempt, iteration } = session
  switch (session.of) {
    case 'task': {
      const name = `${session.build}.${session.task}.${attempt}.${iteration}`
      return session.role === 'implementer' ? name : `${name}.${session.role}`
    }
    case 'build':
      return `${session.build}.${attempt}.${iteration}.planner`
    case 'idea':
      return `${session.idea}.${session.since}.${attempt}.${iteration}.planner`
  }
}

/** The build or the idea of the session, as far as its name tells. */
export function subjectOfSession(name: string): string {
  const session = readSessionName(name)
  if (session === null) return name.split('.', 1)[0] ?? ''
  return session.of === 'idea' ? session.idea : session.build
}

/** The name of its transcript, where the engine writes it. */
export function transcriptName(session: NamedSession): string {
  const { attempt, iteration } = session
  switch (session.of) {
    case 'task':
      return `${session.build}/${session.task}/${attempt}-${iteration}-${session.role}`
    case 'build':
      return `${session.build}/${attempt}-${iteration}-planner`
    case 'idea':
      return `${planningPlace(session.idea, session.since)}/${attempt}-${iteration}-planner`
  }
}

/** The place of a planner's transcripts while its idea has no build. */
export function planningPlace(idea: IdeaId, since: Instant): string {
  return `plan_${idea}/${since}`
}

/** The place of a session that chooses its task, until it has ended; `number`: its number in the loop, from 1. */
export function choosingPlace(build: BuildId, loop: AgentId, number: number): string {
  return `${build}/session-${loop}-${number}`
}
