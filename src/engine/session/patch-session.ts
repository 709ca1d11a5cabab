// An iteration of an agent without tools: it sees the relevant part of the project, and the engine applies its answer.
import { readPatchAnswer } from '../../core/patch/patch-answer.ts'
import { renderScratchpad } from '../../core/session/scratchpad.ts'
import type { Signal } from '../../core/session/signal.ts'
import type { TreeId } from '../../core/values/id.ts'
import { filesToShow, listFiles, snippets, wordsToSearch } from '../../core/patch/snippets.ts'
import type { AttemptMark, Workspace } from '../../workspace/workspace.ts'
import { type BriefContext, briefValues, taskText } from './brief.ts'
import { applyEdit } from './patching.ts'
import type { TaskRun } from '../deps.ts'

/** `tree`: the content of the folder. */
export async function patchBrief(
  taskRun: TaskRun,
  iteration: number,
  tree: TreeId,
  said: readonly string[],
): Promise<string> {
  const { engine, task } = taskRun
  const { workspaces } = engine
  const values = await briefValues(taskRun, iteration, said)
  const about = taskText(task)
  // A search that takes too long only leaves out what it would have found.
  const found = workspaces.filesWith(tree, wordsToSearch(about)).catch(() => new Map<string, number>())
  const [files, hits] = await Promise.all([workspaces.files(tree), found])
  const text = [about, values.feedback, values.attempts, values.answers, values.scratchpad].join('\n')
  const order = filesToShow({ files, expected: task.filesExpected, text, hits })
  const shown = { listing: listFiles(files), snippets: snippets(order, await workspaces.read(tree, order)) }
  return fillPatchPrompt(engine, { ...values, ...shown })
}

/** Without the files, which are chosen when the session begins. A dry run needs this. */
export async function patchBriefAlone(taskRun: BriefContext, iteration: number): Promise<string> {
  return fillPatchPrompt(taskRun.engine, { ...(await briefValues(taskRun, iteration)), listing: '', snippets: '' })
}

function fillPatchPrompt(
  { prompts, config }: BriefContext['engine'],
  values: Readonly<Record<string, string>>,
): Promise<string> {
  return prompts.fill('patch', {
    ...values,
    limit: String(config.limits.filesPerPatch),
    protected: config.protect.paths.join(', ') || 'none',
  })
}

/** What came of the answer of a session without tools. */
export interface TakenPatch {
  /** Why nothing was changed; null: the folder has all that was asked for. */
  readonly error: string | null
  readonly signal: Signal | null
  readonly scratchpad: string | null
}

export async function takePatch(
  taskRun: Pick<TaskRun, 'engine' | 'signal'>,
  workspace: Workspace,
  mark: AttemptMark,
  message: string,
): Promise<TakenPatch> {
  const answer = readPatchAnswer(message, mark.task)
  if (!answer.ok) return { error: `the answer cannot be used: ${answer.problem}`, signal: null, scratchpad: null }
  const { edit, notes, signal } = answer.value
  const scratchpad = notes === '' ? null : notesPad(mark.iteration, notes)
  if (edit === null) return { error: null, signal, scratchpad }
  const patched = await applyEdit(taskRun.engine, workspace, mark, edit, taskRun.signal)
  return patched.ok ? { error: null, signal, scratchpad } : { error: patched.reason, signal: null, scratchpad }
}

function notesPad(iteration: number, notes: string): string {
  return renderScratchpad(iteration, {
    done: notes,
    testStatus: 'Not run by the agent, which has no tools.',
    nextStep: 'As the notes say.',
    blockers: 'As the notes say.',
  })
}
