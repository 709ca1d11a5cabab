// The corpus: projects, tasks, and patches for them that cheat or are honest. It is data; `self-check.ts` proves what it says.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, blocksOf, type Change } from './corpus-format.ts'

export const RUNNERS = ['node:test', 'vitest', 'jest', 'mocha', 'pytest', 'go', 'cargo'] as const
export type Runner = (typeof RUNNERS)[number]

export interface Project {
  readonly name: string
  readonly runner: Runner
  /** The command of `[checks] unit`; null: the usual one of the runner. */
  readonly check: string | null
  readonly files: readonly Change[]
}

/** A command with what it prints, or a call with what it returns, that the agent never sees. */
export interface SealedExample {
  readonly command?: {
    readonly argv: readonly string[]
    readonly stdin?: string
    readonly exit?: number
    readonly stdout?: string
    /** Of what it prints as JSON: the value at `path`, such as `$.total`. */
    readonly json?: { readonly path: string; readonly equals: unknown }
  }
  readonly call?: {
    readonly module: string
    readonly name: string
    readonly args: readonly unknown[]
    readonly returns: unknown
  }
}

export interface Task {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly type: string | null
  /** A command that ends with the line `hidden ok` where the tree does what the task asks for. */
  readonly hidden: string
  readonly hiddenFiles: readonly Change[]
  readonly sealed: readonly SealedExample[]
  /** The hidden test is green on the base too: the task keeps what is there. */
  readonly keeps: boolean
}

export interface Case {
  /** Of all cases: project/name. */
  readonly id: string
  readonly name: string
  readonly project: Project
  readonly task: Task
  readonly is: 'cheat' | 'honest'
  /** `mechanical` or `semantic`, and for honest patches what they are. */
  readonly kind: string
  /** Of a cheat: by what means. */
  readonly category: string
  readonly changes: readonly Change[]
  /** Commands of the agent, after its edits. */
  readonly commands: readonly string[]
  /** What an honest agent adds when its work comes back. */
  readonly again: readonly Change[] | null
  /** The project and commit whose shape an honest patch has. */
  readonly after: string | null
}

export interface SealedCase {
  readonly id: string
  readonly of: Case
  readonly are: 'right' | 'wrong'
  readonly examples: readonly SealedExample[]
}

export interface Corpus {
  readonly cases: readonly Case[]
  readonly sealed: readonly SealedCase[]
  /** The honest case that solves a task. */
  readonly references: ReadonlyMap<Task, Case>
}

const FOLDER = join(import.meta.dirname, 'corpus')

export function loadCorpus(folder = FOLDER): Corpus {
  const parts = readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => corpusOf(readFileSync(join(folder, name), 'utf8'), name))
  const cases = parts.flatMap((part) => part.cases)
  const twice = cases.find(({ id }, at) => cases.findIndex((other) => other.id === id) !== at)
  if (twice !== undefined) throw new Error(`two cases are called ${twice.id}`)
  return {
    cases,
    sealed: parts.flatMap((part) => part.sealed),
    references: new Map(parts.flatMap((part) => [...part.references])),
  }
}

interface Reading {
  readonly file: string
  project: Project | null
  task: Task | null
  readonly cases: Case[]
  readonly sealed: SealedCase[]
  readonly references: Map<Task, Case>
}

function corpusOf(text: string, file: string): Corpus {
  const reading: Reading = { file, project: null, task: null, cases: [], sealed: [], references: new Map() }
  for (const block of blocksOf(text, file)) {
    if (block.kind === 'project') reading.project = projectOf(block)
    else if (block.kind === 'task') reading.task = taskOf(block)
    else if (block.kind === 'again') addAgain(reading, block)
    else if (block.kind === 'sealed') addSealed(reading, block)
    else addCase(reading, block)
  }
  return reading
}

function only(block: Block, key: string): string | null {
  return block.keys.get(key)?.join('\n') ?? null
}

function needed(block: Block, key: string): string {
  const value = only(block, key)
  if (value === null) throw new Error(`line ${block.line}: ${block.kind} ${block.words} has no '${key}:'`)
  return value
}

function projectOf(block: Block): Project {
  const runner = RUNNERS.find((one) => one === needed(block, 'runner'))
  if (runner === undefined) throw new Error(`${block.words}: ${needed(block, 'runner')} is no runner`)
  return { name: block.words, runner, check: only(block, 'check'), files: block.changes }
}

function examplesOf(block: Block): readonly SealedExample[] {
  return (block.keys.get('sealed') ?? []).map((line) => JSON.parse(line) as SealedExample)
}

function taskOf(block: Block): Task {
  return {
    name: block.words,
    title: needed(block, 'title'),
    description: only(block, 'description') ?? '',
    type: only(block, 'type'),
    hidden: needed(block, 'hidden'),
    hiddenFiles: block.changes,
    sealed: examplesOf(block),
    keeps: only(block, 'keeps') !== null,
  }
}

function addCase(reading: Reading, block: Block): void {
  const { project, task, file } = reading
  if (project === null || task === null) throw new Error(`${file}:${block.line}: a case needs a project and a task`)
  if (block.kind !== 'cheat' && block.kind !== 'honest')
    throw new Error(`${file}:${block.line}: '${block.kind}' is no block`)
  const [kind, name] = block.words.split(/: (.*)/s)
  if (kind === undefined || name === undefined)
    throw new Error(`${file}:${block.line}: a case is called '${block.kind} KIND: NAME'`)
  const [, cheatKind, category] = /^(mechanical|semantic) (.+)$/.exec(kind) ?? []
  if (block.kind === 'cheat' && cheatKind === undefined)
    throw new Error(`${file}:${block.line}: a cheat is mechanical or semantic, with its category`)
  const one: Case = {
    id: `${project.name}/${name}`,
    name,
    project,
    task,
    is: block.kind,
    kind: cheatKind ?? kind,
    category: category ?? kind,
    changes: block.changes,
    commands: block.keys.get('run') ?? [],
    again: null,
    after: only(block, 'after'),
  }
  reading.cases.push(one)
  if (one.is === 'honest' && !reading.references.has(task)) reading.references.set(task, one)
}

function addAgain(reading: Reading, block: Block): void {
  const last = reading.cases.pop()
  if (last === undefined) throw new Error(`${reading.file}:${block.line}: 'again' follows a case`)
  const one = { ...last, again: block.changes }
  reading.cases.push(one)
  if (reading.references.get(one.task) === last) reading.references.set(one.task, one)
}

function addSealed(reading: Reading, block: Block): void {
  const of = reading.cases.at(-1)
  const [, are] = /^(right|wrong)$/.exec(block.words) ?? []
  if (of === undefined || (are !== 'right' && are !== 'wrong'))
    throw new Error(`${reading.file}:${block.line}: 'sealed right' or 'sealed wrong' follows a case`)
  reading.sealed.push({ id: `${of.id} (${are} examples)`, of, are, examples: examplesOf(block) })
}
