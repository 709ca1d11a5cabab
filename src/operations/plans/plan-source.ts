// What a named plan is: a goal in words, a text to plan from, or a file that is a plan already.
import { existsSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Build } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import { formOf, type ListForm, type PlanForm } from '../../core/plan/plan-form.ts'
import { isSamePlan, type Seed, SEED_BYTES_MAX } from '../../core/plan/seed.ts'
import { readWhole } from '../../engine/progress/file-on-disk.ts'
import { type FrozenBuild, planName } from '../builds/builds.ts'
import type { ProgressSource } from '../builds/progress-file.ts'

export type PlanInput =
  /** A file that is kept up to date with the build. */
  | { readonly is: 'progress'; readonly source: string; readonly text: string }
  /** Tasks that are imported as they are. */
  | (PlanList & { readonly is: 'list' })
  /** A text to plan from. */
  | { readonly is: 'seed'; readonly seed: Extract<Seed, { text: string }> }

export interface PlanList {
  readonly form: Exclude<ListForm, 'progress'>
  /** The path from the repository's root, or another name. */
  readonly name: string
  readonly text: string
}

export interface PlanPlace {
  readonly root: string
  /** The user's current folder. */
  readonly folder: string
}

const STDIN = '-'

/** `as`: the form that the user names; null: recognise it. `stdin`: reads what `-` stands for. */
export async function readPlanInput(
  place: PlanPlace,
  word: string,
  as: PlanForm | null,
  stdin: () => Promise<string>,
): Promise<PlanInput> {
  if (word.trim() === '')
    throw refuse('USAGE', { message: 'the goal is empty; say what is to be built, or name a file' })
  if (word === STDIN) return fromText(await stdin(), 'stdin', as, null)
  const path = fileAt(place, word)
  if (path === null) return { is: 'seed', seed: bounded({ from: 'goal', text: word }, 'the goal') }
  const { text } = await readWhole(path)
  const name = sourceName(place.root, path)
  return fromText(text, name, as, name)
}

/** `path`: null where the text came without a file. */
function fromText(text: string, name: string, as: PlanForm | null, path: string | null): PlanInput {
  if (text.trim() === '') throw refuse('PLAN_BAD', { problem: `${name} is empty; say in it what is to be built` })
  const form = as ?? formOf(text, name)
  if (form === 'spec')
    return { is: 'seed', seed: bounded(path === null ? { from: 'goal', text } : { from: 'spec', path, text }, name) }
  if (form !== 'progress') return { is: 'list', form, name, text }
  if (path !== null) return { is: 'progress', source: path, text }
  throw refuse('PLAN_BAD', { problem: 'a progress file is kept up to date, so it cannot come on stdin; name the file' })
}

/** The file that a word names; null where it is a goal. */
function fileAt({ folder }: PlanPlace, word: string): string | null {
  const path = resolve(folder, word)
  const found = word.length < PATH_LENGTH_MAX && !word.includes('\0') && existsSync(path) ? statSync(path) : null
  if (found === null && !looksLikePath(word)) return null
  if (found === null)
    throw refuse('PLAN_BAD', { problem: `there is no file '${word}'; name one that exists, or say the goal in words` })
  if (found.isFile()) return path
  throw refuse('PLAN_BAD', { problem: `'${word}' is no file; name one, or say the goal in more words` })
}

/** Systems accept up to 4,096 bytes. */
const PATH_LENGTH_MAX = 4_096

/** One word with a slash or a file extension: nobody writes a goal like that. */
function looksLikePath(word: string): boolean {
  return !/\s/.test(word.trim()) && /[/\\]|\.(?:md|markdown|txt|jsonl?|ya?ml|toml|rst|adoc)$/i.test(word.trim())
}

function bounded<Some extends Extract<Seed, { text: string }>>(seed: Some, name: string): Some {
  const bytes = Buffer.byteLength(seed.text)
  if (bytes <= SEED_BYTES_MAX) return seed
  const [size, limit] = [bytes, SEED_BYTES_MAX].map((number) => Math.ceil(number / 1024))
  throw refuse('PLAN_BAD', {
    problem: `${name} has ${size} KiB, and at most ${limit} can be planned from; split it, or leave out what is no task`,
  })
}

/** The path from the repository's root; the whole path for a file outside it. */
export function sourceName(root: string, path: string): string {
  const inside = relative(root, path)
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside.split(sep).join('/')
}

export function sourceAt(root: string, source: string): ProgressSource {
  return { path: resolve(root, source), spec: source }
}

/** One build at a time: to name another plan, the user has to end the first build. */
export function requireSamePlan(
  unfinished: Build,
  was: Pick<FrozenBuild, 'source' | 'seed'>,
  wanted: PlanInput | null,
): void {
  if (wanted === null || isWanted(was, wanted)) return
  throw refuse('BUILD_UNFINISHED', { id: unfinished.id, plan: planName(was) })
}

function isWanted({ source, seed }: Pick<FrozenBuild, 'source' | 'seed'>, wanted: PlanInput): boolean {
  if (wanted.is === 'progress') return source === wanted.source
  return seed !== null && isSamePlan(seed, seedOf(wanted))
}

/** The seed that a build over this input is frozen with. */
export function seedOf(wanted: Exclude<PlanInput, { is: 'progress' }>): Seed {
  return wanted.is === 'seed' ? wanted.seed : { from: 'list', path: wanted.name }
}

/** The text itself, whatever its form. */
export function planInputText(wanted: PlanInput): string {
  return wanted.is === 'seed' ? wanted.seed.text : wanted.text
}
