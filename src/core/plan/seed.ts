// The input that a build is planned from. It is frozen with the build, so that resuming needs no file and no argument.
import type { Fields } from '../values/json-answer.ts'
import { slug } from '../progress/progress-ids.ts'
import { cutToLength } from '../values/text-bounds.ts'

export type Seed =
  | { readonly from: 'goal'; readonly text: string }
  /** A file with its content at that time; `path` from the root of the repository. */
  | { readonly from: 'spec'; readonly path: string; readonly text: string }
  /** An idea's spec, or its own words. */
  | { readonly from: 'idea'; readonly id: string; readonly text: string }
  /** A list that was imported as it is: no planning is left to do. */
  | { readonly from: 'list'; readonly path: string }
  /** Documents of other programs, with the names that those programs use. */
  | { readonly from: 'documents'; readonly brief: Fields; readonly build_plan: Fields; readonly product_doc: Fields }

/** The planner reads all of it, beside the project. */
export const SEED_BYTES_MAX = 256 * 1024

const NAME_LENGTH_MAX = 80
const SLUG_LENGTH_MAX = 40

/** For people: `the goal "Add a login page"`, `SPEC.md`. */
export function seedName(seed: Seed): string {
  switch (seed.from) {
    case 'goal':
      return `the goal "${firstWords(seed.text)}"`
    case 'spec':
    case 'list':
      return seed.path
    case 'idea':
      return `idea ${seed.id}`
    case 'documents':
      return 'the documents it was started with'
  }
}

/** For the planner. */
export function seedText(seed: Seed): string {
  switch (seed.from) {
    case 'goal':
    case 'spec':
    case 'idea':
      return seed.text.trim()
    case 'list':
      return ''
    case 'documents':
      return (['brief', 'build_plan', 'product_doc'] as const)
        .map((name) => `${name}:\n${JSON.stringify(seed[name], null, 2)}`)
        .join('\n\n')
  }
}

/** Whether `other` names the plan that was made from `seed`; the text of a file may have changed. */
export function isSamePlan(seed: Seed, other: Seed): boolean {
  if (seed.from === 'spec' || seed.from === 'list') return 'path' in other && other.path === seed.path
  if (seed.from === 'idea') return other.from === 'idea' && other.id === seed.id
  return other.from === seed.from && seedText(other) === seedText(seed)
}

/** The spec of the tasks of this seed: a new plan for it is synced by difference. */
export function groupOf(seed: Seed, digest: (text: string) => string): string {
  if (seed.from === 'spec' || seed.from === 'list') return seed.path
  if (seed.from === 'idea') return `idea:${seed.id}`
  const text = seedText(seed)
  const name = seed.from === 'goal' ? cutToLength(slug(text), SLUG_LENGTH_MAX).replace(/-$/, '') : 'seed'
  return `${seed.from}:${name}-${digest(text).slice(0, 8)}`
}

/** The version of the text that a task was planned from; kept as its `ref`. */
export function versionOf(seed: Seed, digest: (text: string) => string): string {
  return `sha256:${digest(seedText(seed)).slice(0, 16)}`
}

function firstWords(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= NAME_LENGTH_MAX ? line : `${cutToLength(line, NAME_LENGTH_MAX - 1).trimEnd()}…`
}
