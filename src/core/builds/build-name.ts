// The name of a build for people: words that somebody wrote, not its id.
import type { Seed } from '../plan/seed.ts'
import { cutToLength } from '../values/text-bounds.ts'

const NAME_LENGTH_MAX = 200

export interface BuildWords {
  readonly seed: Seed | null
  /** The file of the checkout that the plan came from. */
  readonly source: string | null
  /** The title of its idea; null: it has none. */
  readonly title: string | null
  /** The titles of its tasks, in plan order. */
  readonly tasks: readonly string[]
}

/** Null: nobody has named it yet. */
export function buildName({ seed, source, title, tasks }: BuildWords): string | null {
  const name = source ?? saidOf(seed, title) ?? taskName(tasks)
  if (name === null) return null
  const line = name.replaceAll(/\s+/g, ' ').trim()
  return line.length <= NAME_LENGTH_MAX ? line : `${cutToLength(line, NAME_LENGTH_MAX - 1).trimEnd()}…`
}

/** The idea of a build over tasks, a list or documents has a generated title, which is no name. */
function saidOf(seed: Seed | null, title: string | null): string | null {
  switch (seed?.from) {
    case 'goal':
    case 'spec':
    case 'idea':
      return title
    case 'list':
      return seed.path
    case 'documents':
      return [seed.brief, seed.build_plan, seed.product_doc].map(titleIn).find((one) => one !== null) ?? null
    case undefined:
      return null
  }
}

function titleIn(document: Readonly<Record<string, unknown>>): string | null {
  const said = ['title', 'name', 'goal'].map((key) => document[key])
  return said.find((one): one is string => typeof one === 'string' && one.trim() !== '') ?? null
}

function taskName([first, ...others]: readonly string[]): string | null {
  if (first === undefined) return null
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
