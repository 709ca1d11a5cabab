// What the implementer is told: the task, its state, earlier failures and lessons.
import { FIRST_ITERATION, SCRATCHPAD_FILE } from '../../core/session/scratchpad.ts'
import type { IterationRecord, Lesson } from '../../core/builds/attachment.ts'
import type { Task } from '../../core/task/task.ts'
import type { BuildStore } from '../../store/store.ts'
import type { TaskRun, EngineDeps } from '../deps.ts'

const LESSONS_MAX = 10
const ATTEMPTS_SHOWN_MAX = 5

/** A dry run has only this much. */
export interface BriefContext extends Pick<TaskRun, 'task' | 'attempt' | 'build'> {
  readonly engine: Pick<EngineDeps, 'prompts' | 'config'> & {
    readonly store: { readonly builds: Pick<BuildStore, 'attachments'> }
  }
}

/** Messages that people left for the next iteration. A repeated iteration gets the same ones. */
export function messagesFor({ engine, task, attempt, build }: TaskRun, iteration: number): Promise<string[]> {
  return engine.store.builds.takeMessages(build, `${task.id}/${attempt.number}/${iteration}`)
}

export async function buildBrief(
  taskRun: BriefContext,
  iteration: number,
  scratchpadFile: string = SCRATCHPAD_FILE,
  said: readonly string[] = [],
): Promise<string> {
  return taskRun.engine.prompts.fill('build', {
    ...(await briefValues(taskRun, iteration, said)),
    scratchpad_file: scratchpadFile,
  })
}

/** What every implementer is told, with tools or without. */
export async function briefValues(
  { engine, task, attempt, build }: BriefContext,
  iteration: number,
  said: readonly string[] = [],
) {
  const mine = await engine.store.builds.attachments(build, 'iteration', task.id)
  const lessons = await engine.store.builds.attachments(build, 'lesson')
  return {
    task: taskText(task),
    iteration: `${iteration}/${attempt.limits.iterations}`,
    attempt: String(attempt.number),
    scratchpad: mine.at(-1)?.scratchpad ?? FIRST_ITERATION,
    feedback: list(attempt.feedback, 'Nothing so far.'),
    answers: list([...attempt.answers, ...said], 'None.'),
    attempts: recentAttempts(mine),
    lessons: lessonText(lessons),
    checks: list(
      engine.config.checks.map(({ name, command }) => `${name}: ${command}`),
      'None are configured.',
    ),
  }
}

export function taskText(task: Task): string {
  return [
    `ID: ${task.id}`,
    `Title: ${task.title}`,
    ...(task.description === null ? [] : [`Goal: ${task.description}`]),
    ...section('Acceptance criteria', task.acceptance),
    ...section('Steps', task.steps),
    ...section('Files expected', task.filesExpected),
  ].join('\n')
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `- ${line}`)]
}

function recentAttempts(iterations: readonly IterationRecord[]): string {
  const failed = iterations.filter((record) => record.error !== null).slice(-ATTEMPTS_SHOWN_MAX)
  return list(
    failed.map(({ attempt, iteration, error }) => `attempt ${attempt}, iteration ${iteration}: ${error ?? ''}`),
    'None.',
  )
}

function lessonText(lessons: readonly Lesson[]): string {
  return list(
    lessons.slice(-LESSONS_MAX).map(({ text }) => text),
    'None yet.',
  )
}

export function list(lines: readonly string[], none: string): string {
  return lines.length === 0 ? none : lines.map((line) => `- ${line}`).join('\n')
}
