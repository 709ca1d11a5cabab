// What in a patch needs a second look, whatever the checks say.

export interface Finding {
  readonly path: string
  readonly what: string
}

interface Guarded {
  readonly protect: { readonly paths: readonly string[] }
  readonly limits: { readonly filesPerPatch: number }
}

export function findings(files: readonly { readonly path: string }[], { protect, limits }: Guarded): Finding[] {
  const touched = files.filter(({ path }) => protect.paths.some((pattern) => matches(path, pattern)))
  const many = files.length > limits.filesPerPatch
  return [
    ...touched.map(({ path }) => ({ path, what: 'a protected path was touched' })),
    ...(many
      ? [{ path: '.', what: `${files.length} files changed; more than ${limits.filesPerPatch} is unusual` }]
      : []),
  ]
}

/** `*` stands for anything within a folder's name, `**` for any folders. */
export function matches(path: string, pattern: string): boolean {
  const parts = pattern.split(/(\*\*\/?|\*|\?)/)
  const source = parts.map((part) => {
    if (part.startsWith('**')) return '.*'
    if (part === '*') return '[^/]*'
    if (part === '?') return '[^/]'
    return part.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
  })
  return new RegExp(`^${source.join('')}$`, 'su').test(path)
}
