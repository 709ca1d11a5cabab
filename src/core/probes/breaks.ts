// How to break a patch on purpose: first everything at once, emptied of behaviour with its names and signatures kept;
// then mutants, one changed line each. A file that no grammar reads goes back to its text on the base, or becomes empty.
import { emptied } from '../syntax/emptied.ts'
import { isSameCode } from '../syntax/same-code.ts'
import { mutants } from '../syntax/mutants.ts'
import { type ChangedFile, classOf } from './changed-file.ts'
import type { Break } from '../evidence/probe-report.ts'

export interface BreakPlan extends Pick<Break, 'how' | 'paths' | 'line' | 'what'> {
  /** The new text of each file; null: as the base had it. */
  readonly texts: ReadonlyMap<string, string | null>
}

export interface BreakPlans {
  /** Every changed file at once; null: there is nothing to break. */
  readonly all: BreakPlan | null
  /** Each file by itself, where there are several. */
  readonly files: readonly BreakPlan[]
  readonly mutants: readonly BreakPlan[]
}

export const MUTANTS_MAX = 5

export function breakPlans(files: readonly ChangedFile[]): BreakPlans {
  const broken = files.filter((file) => {
    const fileClass = classOf(file, isSameCode)
    return fileClass === 'code' || fileClass === 'data'
  })
  const each = broken.flatMap((file) => fileBreak(file) ?? [])
  const [first] = each
  const all = first === undefined || each.length === 1 ? (first ?? null) : together(each)
  return { all, files: each.length > 1 ? each : [], mutants: mutantPlans(broken) }
}

/** The same for code that the patch does not change: what new tests reach, to see whether they notice. */
export function breakPlansOf(sources: readonly ChangedFile[]): BreakPlans {
  return breakPlans(sources.map((file) => ({ ...file, base: null, baseText: null })))
}

function fileBreak(file: ChangedFile): BreakPlan | null {
  const { path, now, lines, change, baseText } = file
  const text = now === null ? null : emptied(now, change === 'added' || baseText === null ? 'all' : lines)
  if (text !== null && text !== file.text) return planOf('emptied', file, text, `${path} is emptied`)
  // Code that cannot be emptied has no behaviour, or is broken line by line. Where only lines were removed, they come back.
  if (now !== null && !isOnlyShorter(file)) return null
  if (change === 'deleted') return planOf('restored', file, null, `${path} is put back`)
  if (baseText !== null && baseText !== file.text) return planOf('restored', file, null, `${path} is as before`)
  return file.text === null || file.text === '' ? null : planOf('emptied', file, '', `${path} is empty`)
}

function isOnlyShorter({ baseText, text }: ChangedFile): boolean {
  if (baseText === null || text === null) return false
  const before = new Set(baseText.split('\n').map((line) => line.trim()))
  return text.split('\n').every((line) => before.has(line.trim()))
}

function planOf(how: Break['how'], { path }: ChangedFile, text: string | null, what: string): BreakPlan {
  return { how, paths: [path], line: null, what, texts: new Map([[path, text]]) }
}

const NAMED_MAX = 3

function together(each: readonly BreakPlan[]): BreakPlan {
  const paths = each.flatMap((one) => one.paths)
  const named = paths.slice(0, NAMED_MAX).join(', ')
  const rest = paths.length - NAMED_MAX
  const what = `${named}${rest > 0 ? ` and ${rest} more` : ''} are emptied`
  return { how: 'emptied', paths, line: null, what, texts: new Map(each.flatMap(({ texts }) => [...texts])) }
}

/** One of each file in turn, so that no file takes all of them. */
function mutantPlans(files: readonly ChangedFile[]): BreakPlan[] {
  const byFile = files.map((file) => {
    const { path, now, lines, change, baseText } = file
    if (now === null) return []
    const touched = change === 'added' || baseText === null ? allLines(now.text) : lines
    return mutants(now, touched, MUTANTS_MAX).map(({ line, what, text }): BreakPlan => ({
      how: 'mutant',
      paths: [path],
      line,
      what: `${path}:${line}: ${what}`,
      texts: new Map([[path, text]]),
    }))
  })
  const plans: BreakPlan[] = []
  for (let round = 0; plans.length < MUTANTS_MAX && byFile.some((one) => one.length > round); round += 1)
    plans.push(...byFile.flatMap((one) => one[round] ?? []))
  return plans.slice(0, MUTANTS_MAX)
}

function allLines(text: string): ReadonlySet<number> {
  return new Set(text.split('\n').map((_, at) => at + 1))
}
