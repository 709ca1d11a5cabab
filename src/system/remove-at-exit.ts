// What this process leaves on the disk only while it lives. One that is killed leaves it, for whoever comes after.
import { rmSync } from 'node:fs'

const paths = new Set<string>()

export function removeAtExit(path: string): void {
  if (paths.size === 0) process.once('exit', removeAll)
  paths.add(path)
}

function removeAll(): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true })
}
