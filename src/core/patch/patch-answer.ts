// The answer of an implementer that cannot write files: a patch, and the end of the iteration. It is parsed strictly,
// in one of three forms:
//
//   {"task_id", "diff" | "files", "notes", "signal"}    one JSON object, bare or in the one fenced block
//   ```diff … ```                                        the one fenced block
//   diff --git … | --- … +++ …                           the whole message
//
// A signal may stand on the last line, after any of them. Without a patch it is required: then nothing changes.
import { type Answer, bad, type Fields, isTextList, jsonAnswer } from '../values/json-answer.ts'
import { readSignal, reconcile, type Signal, type SignalKind, signalOf, SIGNALS } from '../session/signal.ts'
import type { EditedFile, TreeEdit } from './tree-edit.ts'

export interface PatchAnswer {
  /** Null: nothing changes. */
  readonly edit: TreeEdit | null
  readonly notes: string
  readonly signal: Signal | null
}

const WANTED = 'answer with one JSON object that holds "diff" or "files", or with one fenced block of diff'
/** The maximum of files in one answer, however small they are. */
const FILES_MAX = 1000

export function readPatchAnswer(message: string, task: string): Answer<PatchAnswer> {
  const { body, signal } = withoutSignal(message)
  if (/^… [\d,]+ bytes left out …$/m.test(body))
    return bad('the answer is longer than 256 KiB and reached us without its middle; make a smaller change')
  const text = body.trim()
  if (/^(?:diff --git |--- \S)/.test(text)) return { ok: true, value: { edit: { diff: body }, notes: '', signal } }
  const fences = [...text.matchAll(/^```(diff|patch|json)?[ \t]*\n([\s\S]*?)^```[ \t]*$/gm)]
  const [, form = '', inner = ''] = fences[0] ?? []
  if (fences.length === 1 && (form === 'diff' || form === 'patch')) {
    const notes = text.replace(fences[0]?.[0] ?? '', '').trim()
    return { ok: true, value: { edit: { diff: inner }, notes, signal } }
  }
  const answer = jsonAnswer(text)
  if (answer.ok) return patchIn(answer.value, task, signal)
  if (signal !== null && fences.length === 0 && !text.startsWith('{'))
    return { ok: true, value: { edit: null, notes: text, signal } }
  return bad(`there is no patch in the answer (${answer.problem}); ${WANTED}`)
}

/** The last line, where it is a signal and no context line of a diff. */
function withoutSignal(message: string): { readonly body: string; readonly signal: Signal | null } {
  const text = message.trimEnd()
  const start = text.lastIndexOf('\n') + 1
  const line = text.slice(start)
  const signal = /^\s/.test(line) ? null : readSignal(line)
  return signal === null ? { body: message, signal } : { body: message.slice(0, start), signal }
}

function patchIn(fields: Fields, task: string, said: Signal | null): Answer<PatchAnswer> {
  const { task_id: id, diff, files, notes = '', touched_files: touched = [] } = fields
  if (id !== undefined && id !== task) return bad(`'task_id' is ${JSON.stringify(id)}, but the task is '${task}'`)
  if (typeof notes !== 'string') return bad("'notes' must be a text")
  if (!isTextList(touched)) return bad("'touched_files' must be a list of strings")
  const signal = signalIn(fields)
  if (!signal.ok) return signal
  const both = reconcile(said, signal.value)
  const hasDiff = diff !== undefined && diff !== ''
  const hasFiles = files !== undefined && !(Array.isArray(files) && files.length === 0)
  if (hasDiff && hasFiles) return bad("'diff' and 'files' are both given; answer with one of them")
  if (hasDiff)
    return typeof diff === 'string'
      ? { ok: true, value: { edit: { diff }, notes, signal: both } }
      : bad("'diff' must be a text: a unified diff")
  if (hasFiles) {
    const read = filesIn(files)
    return read.ok ? { ok: true, value: { edit: { files: read.value }, notes, signal: both } } : read
  }
  if (both === null) return bad(`neither 'diff' nor 'files' nor 'signal' is given; ${WANTED}`)
  return { ok: true, value: { edit: null, notes, signal: both } }
}

function filesIn(value: unknown): Answer<EditedFile[]> {
  if (!Array.isArray(value) || value.length > FILES_MAX)
    return bad(`'files' must be a list of at most ${FILES_MAX} objects with 'path' and 'content'`)
  const files: EditedFile[] = []
  for (const [at, item] of value.entries()) {
    const { path, content } = (typeof item === 'object' && item !== null ? item : {}) as Fields
    if (typeof path !== 'string' || typeof content !== 'string')
      return bad(`file ${at + 1} must have 'path' and 'content', both texts`)
    if (files.some((file) => file.path === path)) return bad(`the file ${JSON.stringify(path)} is given twice`)
    files.push({ path, content })
  }
  return { ok: true, value: files }
}

function signalIn({ signal, reason }: Fields): Answer<Signal | null> {
  if (signal === undefined) return { ok: true, value: null }
  const kind = SIGNALS.find((name) => name === signal)
  if (kind === undefined) return bad(`'signal' must be one of ${SIGNALS.join(', ')}`)
  return { ok: true, value: signalOf(kind satisfies SignalKind, typeof reason === 'string' ? reason : '') }
}
