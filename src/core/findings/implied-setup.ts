// The setup of a tree whose operator has named none: a project that started empty may have dependencies by now. Only
// the installed packages may change, so the install obeys the lockfile and never writes it.

/** Null: there is nothing to install, or the way is unknown. `has`: whether the root of the tree has a file. */
export function impliedSetup(manifest: string | undefined, has: (file: string) => boolean): string | null {
  if (manifest === undefined || !hasDependencies(manifest)) return null
  if (has('package-lock.json') || has('npm-shrinkwrap.json')) return 'npm ci'
  if (has('pnpm-lock.yaml')) return 'pnpm install --frozen-lockfile'
  return OTHER_LOCKS.some(has) ? null : 'npm install --no-package-lock --no-audit --no-fund'
}

const OTHER_LOCKS = ['yarn.lock', 'bun.lock', 'bun.lockb'] as const

export const LOCKS = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', ...OTHER_LOCKS] as const

const groups = ['dependencies', 'devDependencies', 'optionalDependencies'] as const

export function hasDependencies(manifest: string): boolean {
  return Object.keys(dependenciesIn(manifest)).length > 0
}

/** Whether npm has to rewrite its lockfile: it holds what package.json asked for when it was written. */
export function isLockStale(manifest: string, lockfile: string): boolean {
  const locked = fieldsOf(fieldsOf(parseFields(lockfile)['packages'])[''])
  return JSON.stringify(sortedEntries(dependenciesIn(manifest))) !== JSON.stringify(sortedEntries(allOf(locked)))
}

type Fields = Readonly<Record<string, unknown>>

function dependenciesIn(manifest: string): Fields {
  return allOf(parseFields(manifest))
}

function allOf(fields: Fields): Fields {
  return Object.fromEntries(
    groups.flatMap((group) =>
      Object.entries(fieldsOf(fields[group])).map(([name, range]) => [`${group} ${name}`, range]),
    ),
  )
}

function sortedEntries(fields: Fields): unknown[] {
  return Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1))
}

function parseFields(json: string): Fields {
  try {
    return fieldsOf(JSON.parse(json))
  } catch {
    return {}
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
