// The files that a task expects: a path must be in the tree, a pattern must match at least one changed file.

/**
 * `*` matches within the name of a file or folder, `**` any folders, `?` one character, `{a,b}` either. Brackets stand
 * for themselves: routes of some frameworks are files such as `app/[id]/page.tsx`.
 */
export function matchesPattern(path: string, pattern: string): boolean {
  let depth = 0
  const source = pattern.split(/(\*\*\/?|[*?{},])/).map((part) => {
    if (part.startsWith('**')) return part === '**/' ? '(?:.*/)?' : '.*'
    if (part === '*') return '[^/]*'
    if (part === '?') return '[^/]'
    if (part === '{') depth += 1
    else if (part === '}' && depth > 0) depth -= 1
    else return part === ',' && depth > 0 ? '|' : part.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    return part === '{' ? '(?:' : ')'
  })
  return new RegExp(`^${source.join('')}${')'.repeat(depth)}$`, 's').test(path)
}

/** Whether it is more than one path; a file of exactly that name counts as well. */
function isPattern(expected: string): boolean {
  return /[*?]|\{[^{}]*,[^{}]*\}/.test(expected)
}

/** The unmet ones, as a sentence can name them. `changed`: paths of the patch; `files`: what to call one of them. */
export function unmetFiles(
  filesExpected: readonly string[],
  treeHas: (path: string) => boolean,
  changed: readonly string[],
  files = 'a changed file',
): string[] {
  return filesExpected.flatMap((expected) => {
    if (treeHas(expected)) return []
    if (!isPattern(expected)) return [expected]
    return changed.some((path) => matchesPattern(path, expected)) ? [] : [`${files} that matches ${expected}`]
  })
}
