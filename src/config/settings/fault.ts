// The system's reasons against a file, in words.

const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'its links go in a circle',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk failed',
}

/** `ENOENT` and the like; other errors have none, and are not explained here. */
export function faultCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

export function faultWords(error: unknown): string {
  const code = faultCode(error)
  return code === null ? String(error) : (words[code] ?? code)
}
