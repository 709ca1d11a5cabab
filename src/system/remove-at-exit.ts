// Files that exist only while this process lives. A killed process leaves them for the next one.
import { rmSync } from 'node:fs'

const paths = new Set<string>()

export function removeAtExit(path: string): void {
  if (paths.size === 0) process.once('exit', removeAll)
  paths.add(path)
}

function removeAll(): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true })
}
