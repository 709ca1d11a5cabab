// Finds the stacks and checks of a project from its files alone; it runs nothing.
import { detectGo, detectMake, detectRust } from './detect-compiled.ts'
import { detectNode } from './detect-node.ts'
import { detectPython } from './detect-python.ts'
import { type ProjectFiles, projectFiles } from './project-files.ts'
import type { CheckKind, Finding, Stack, StackName } from './stack.ts'

export interface DetectedCheck extends Finding {
  /** `unit`, or `unit-python`, `unit-web` where several stacks have one. */
  readonly name: string
  /** Relative to the repository's root. */
  readonly cwd: string
}

export interface DetectedProject {
  readonly stacks: readonly { readonly name: StackName; readonly cwd: string; readonly because: string }[]
  /** Quick ones first: type checks, then lint, then tests. */
  readonly checks: readonly DetectedCheck[]
  readonly setup: Finding | null
  /** What was found and not used, and why. */
  readonly notes: readonly string[]
}

interface PlacedStack extends Stack {
  readonly cwd: string
}

const detectors = [detectNode, detectPython, detectGo, detectRust]

export async function detectProject(folder: string): Promise<DetectedProject> {
  const files = projectFiles(folder)
  const atRoot = await stacksIn(files, '.')
  const stacks = atRoot.length > 0 ? atRoot : await stacksBelow(files, folder)
  const make = stacks.some(({ checks }) => checks.unit !== undefined) ? null : await detectMake(files)
  const all = make === null ? stacks : [...stacks, { ...make, cwd: '.' }]
  return {
    stacks: all.map(({ name, cwd, because }) => ({ name, cwd, because })),
    checks: namedChecks(all),
    setup: joinedSetup(all),
    notes: all.flatMap(({ notes, cwd }) => notes.map((note) => (cwd === '.' ? note : `${cwd}/${note}`))),
  }
}

async function stacksIn(files: ProjectFiles, cwd: string): Promise<readonly PlacedStack[]> {
  const found = await Promise.all(detectors.map((detect) => detect(files)))
  return found.flatMap((stack) => (stack === null ? [] : [{ ...stack, cwd }]))
}

// A repository with nothing at its root has its parts in a few folders; with more, a person has to configure it.
const FOLDERS_MAX = 30
const notParts = new Set([
  'node_modules',
  'vendor',
  'third_party',
  'examples',
  'example',
  'docs',
  'dist',
  'build',
  'target',
])

// Becomes part of a check's name, which has at most 64 characters, and of a command line.
const partName = /^[A-Za-z0-9_][\w.-]{0,39}$/

async function stacksBelow(files: ProjectFiles, folder: string): Promise<readonly PlacedStack[]> {
  const folders = (await files.folders()).filter((name) => partName.test(name) && !notParts.has(name))
  const found = folders.slice(0, FOLDERS_MAX).map((name) => stacksIn(projectFiles(`${folder}/${name}`), name))
  return (await Promise.all(found)).flat()
}

const kinds: readonly CheckKind[] = ['typecheck', 'lint', 'unit']

function namedChecks(stacks: readonly PlacedStack[]): readonly DetectedCheck[] {
  const taken = new Set<string>()
  return kinds.flatMap((kind) => {
    const having = stacks.filter(({ checks }) => checks[kind] !== undefined)
    return having.map((stack, index) => {
      const name = freeName(index === 0 ? kind : `${kind}-${mark(stack, having)}`, taken)
      taken.add(name)
      return { name, ...(stack.checks[kind] as Finding), cwd: stack.cwd }
    })
  })
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`${name}-2`, taken) : name
}

/** Distinguishes this stack from others with the same kind of check. */
function mark({ name, cwd }: PlacedStack, others: readonly PlacedStack[]): string {
  if (cwd === '.') return name
  return others.filter((other) => other.cwd === cwd).length === 1 ? cwd : `${cwd}-${name}`
}

function joinedSetup(stacks: readonly PlacedStack[]): Finding | null {
  const setups = stacks.flatMap(({ setup, cwd }) => (setup === null ? [] : [{ ...setup, cwd }]))
  if (setups.length === 0) return null
  return {
    command: setups.map(({ command, cwd }) => (cwd === '.' ? command : `(cd ${cwd} && ${command})`)).join(' && '),
    because: setups.map(({ because, cwd }) => (cwd === '.' ? because : `${cwd}/${because}`)).join(', '),
  }
}
