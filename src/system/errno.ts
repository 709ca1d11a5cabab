/** The system's own name of an error: ENOENT, ESRCH … */
export function errnoOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'UNKNOWN'
}
