// Streams that a child can open by name. Node connects its children by sockets, which Linux refuses to open: under Node,
// `echo oops > /dev/stderr` and `cat /dev/stdin` fail in a user's script that works in a terminal. Node cannot make a
// pipe, but it can open a named one; its name is gone before the child starts. Costs some 3 ms.
import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

/** POSIX; on every system that has a shell. */
const MAKE_PIPES = 'mkfifo'

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants

/** File descriptors: `ours` to read from, `childs` to give away; all are the caller's to close. */
export interface Stdio {
  readonly stdin: { readonly childs: number } | null
  readonly stdout: Pipe
  readonly stderr: Pipe
}

interface Pipe {
  readonly ours: number
  readonly childs: number
}

/** Null where there are none to be had: no `mkfifo`, no room in the temporary folder, no descriptor free. */
export function openStdio(input: string | Uint8Array | undefined): Stdio | null {
  const opened: number[] = []
  const open = (path: string, flags: number): number => {
    const descriptor = openSync(path, flags)
    opened.push(descriptor)
    return descriptor
  }
  let folder: string | null = null
  try {
    folder = mkdtempSync(join(tmpdir(), 'ralph-stdio-'))
    const [stdin, stdout, stderr] = ['in', 'out', 'err'].map((name) => `${folder}/${name}`) as [string, string, string]
    const made = spawnSync(MAKE_PIPES, ['-m', '600', stdout, stderr], { env: { PATH: env['PATH'] }, stdio: 'ignore' })
    if (made.status !== 0) return null
    return {
      stdin: input === undefined ? null : { childs: openInput(stdin, input, open) },
      stdout: openPipe(stdout, open),
      stderr: openPipe(stderr, open),
    }
  } catch {
    for (const descriptor of opened) closeSync(descriptor)
    return null
  } finally {
    if (folder !== null) removeFolder(folder)
  }
}

/** A file, not a pipe: a named pipe whose writer is done can no longer be opened, and a file waits for no reader. */
function openInput(path: string, input: string | Uint8Array, open: (path: string, flags: number) => number): number {
  writeFileSync(path, input, { mode: 0o600 })
  return open(path, O_RDONLY)
}

/** Opening to read must not wait for a writer; then opening to write finds a reader and does not wait either. */
function openPipe(path: string, open: (path: string, flags: number) => number): Pipe {
  const ours = open(path, O_RDONLY | O_NONBLOCK)
  return { ours, childs: open(path, O_WRONLY) }
}

export function closeChildsEnds({ stdin, stdout, stderr }: Stdio): void {
  for (const end of [stdin, stdout, stderr]) if (end !== null) closeSync(end.childs)
}

export function closeOurEnds({ stdout, stderr }: Stdio): void {
  closeSync(stdout.ours)
  closeSync(stderr.ours)
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // A small folder in the temporary one does no harm.
  }
}
