// Real pipes. Node connects its children by sockets, and Linux refuses to open a socket by name: under Node,
// `echo oops > /dev/stderr` and `cat /dev/stdin` fail in a user's script that works in a terminal. Node cannot make a
// pipe, but it can open a named one; the name is gone before the child starts. Costs some 3 ms.
import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants

/** Which end stays here; the other one is the child's. */
export type OurEnd = 'read' | 'write'

/** File descriptors, both the caller's to close. */
export interface Pipe {
  readonly ours: number
  readonly childs: number
}

/** One pipe for each end asked for, or null where none are to be had (no `mkfifo`, no room in the temporary folder). */
export function makePipes(ends: readonly OurEnd[]): readonly Pipe[] | null {
  const pipes: Pipe[] = []
  let folder: string | null = null
  try {
    folder = mkdtempSync(join(tmpdir(), 'ralph-pipes-'))
    const named = ends.map((end, index) => ({ end, path: `${folder}/${index}` }))
    const paths = named.map(({ path }) => path)
    const made = spawnSync('mkfifo', ['-m', '600', ...paths], { env: { PATH: env['PATH'] }, stdio: 'ignore' })
    if (made.status !== 0) return null
    for (const { end, path } of named) pipes.push(openPipe(path, end))
    return pipes
  } catch {
    closePipes(pipes)
    return null
  } finally {
    if (folder !== null) removeFolder(folder)
  }
}

/** Opening to read must not wait for a writer, yet a child cannot read from a non-blocking end: it gets one of its own. */
function openPipe(path: string, end: OurEnd): Pipe {
  const reader = openSync(path, O_RDONLY | O_NONBLOCK)
  let isReaderGiven = false
  try {
    const writer = openSync(path, O_WRONLY)
    if (end === 'write') return { ours: writer, childs: openSync(path, O_RDONLY) }
    isReaderGiven = true
    return { ours: reader, childs: writer }
  } finally {
    if (!isReaderGiven) closeSync(reader)
  }
}

export function closePipes(pipes: readonly Pipe[]): void {
  for (const { ours, childs } of pipes) {
    closeSync(ours)
    closeSync(childs)
  }
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // An empty folder in the temporary one does no harm.
  }
}
