// Files in an agent's folder that are never part of a patch, whatever the ignore rules there say: an agent can edit
// those.

export const SCRATCHPADS = ['.ralph-scratchpad.md', '.ralph/scratchpads'] as const

/** `copied`: the user's own files, which may hold secrets. */
export function neverTaken(copied: readonly string[]): (path: string) => boolean {
  const names = [...SCRATCHPADS, ...copied.map((path) => Buffer.from(path, 'utf8').toString('latin1'))]
  return (path) => names.some((name) => path === name || path.startsWith(`${name}/`))
}
