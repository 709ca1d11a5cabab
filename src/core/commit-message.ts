// What a commit of Ralph's says. The trailers are how a repeated merge finds what it did before.
import type { BuildId, CommitId, EvidenceId, TaskId } from './id.ts'

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

/** The task that a commit of ours is about. */
export function taskIn(message: string): TaskId | null {
  return (/^Task ID: (.+)$/m.exec(message)?.[1] ?? null) as TaskId | null
}

/** A person's text cannot pass for one of our trailers. */
function withoutTrailers(text: string): string {
  return text.trim().replaceAll(/^(Ralph-|Task ID:)/gim, '> $1')
}
