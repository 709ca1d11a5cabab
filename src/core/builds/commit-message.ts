// The messages of Ralph's commits. Anybody can write the same text: the store knows which commits are the build's
// (landing.ts).
import type { BuildId, CommitId, EvidenceId, TaskId } from '../values/id.ts'

export interface CommitStory {
  readonly build: BuildId
  readonly task: TaskId
  readonly taskName: string
  readonly attempt: number
  readonly iteration: number
  readonly evidence: EvidenceId | null
  /** A human's own fix, in their words. */
  readonly resolution: string | null
}

export function commitMessage(story: CommitStory): string {
  const name = story.taskName.replaceAll(/\s+/g, ' ').trim()
  const subject = story.resolution === null ? `feat: ${name}` : `fix: Manual resolution for ${name}`
  const body = story.resolution === null ? [] : [withoutTrailers(story.resolution), '']
  return [subject, '', ...body, ...trailers(story), ''].join('\n')
}

function trailers(story: CommitStory): string[] {
  return [
    `Task ID: ${story.task}`,
    `Ralph-Build: ${story.build}`,
    attemptTrailer(story),
    story.evidence === null ? 'Ralph-Evidence: none' : `Ralph-Evidence: ${story.evidence}`,
  ]
}

export function attemptTrailer(story: Pick<CommitStory, 'task' | 'attempt' | 'iteration'>): string {
  return `Ralph-Attempt: ${story.task}/${story.attempt}/${story.iteration}`
}

export interface RevertStory {
  readonly build: BuildId
  readonly task: TaskId
  readonly taskName: string
  readonly evidence: EvidenceId
  readonly commit: CommitId
  readonly person: string
}

export function revertMessage({ build, task, taskName, evidence, commit, person }: RevertStory): string {
  return [
    `revert: ${taskName.replaceAll(/\s+/g, ' ').trim()}`,
    '',
    `Takes back ${commit}, on the word of ${person.replaceAll(/\s+/g, ' ')}.`,
    '',
    `Task ID: ${task}`,
    `Ralph-Build: ${build}`,
    `Ralph-Reverts: ${commit}`,
    `Ralph-Evidence: ${evidence}`,
    '',
  ].join('\n')
}

/** The task that one of Ralph's commits is about. */
export function taskIn(message: string): TaskId | null {
  return (/^Task ID: (.+)$/m.exec(message)?.[1] ?? null) as TaskId | null
}

/**
 * The attempt that one of Ralph's commits claims to settle. Reads only the last paragraph: a person may have written
 * the others.
 */
export function attemptIn(message: string): Pick<CommitStory, 'attempt' | 'iteration'> | null {
  const paragraphs = message.trimEnd().split(/\n\s*\n/)
  const [, attempt, iteration] = /^Ralph-Attempt: .+\/(\d+)\/(\d+)$/m.exec(paragraphs.at(-1) ?? '') ?? []
  return attempt === undefined ? null : { attempt: Number(attempt), iteration: Number(iteration) }
}

/** Keeps a person's text from passing for one of Ralph's trailers. */
function withoutTrailers(text: string): string {
  return text.trim().replaceAll(/^(Ralph-|Task ID:)/gim, '> $1')
}
