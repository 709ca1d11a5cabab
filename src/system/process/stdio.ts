// Streams that a child can open by name. Node connects its children with sockets, which Linux refuses to open: under
// Node, `echo oops > /dev/stderr` and `cat /dev/stdin` fail in a user's script that works in a terminal. Node cannot
// make a pipe, but it can open a named one; the name is removed before any child can see it.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

/** POSIX; on every system that has a shell. */
const MAKE_PIPES = 'mkfifo'

/**
 * A start of `mkfifo` takes some 3 ms for any number of pipes, so it makes pipes for several children at once: for one
 * at first, since most commands start no more, then for twice as many each time. A child takes four descriptors.
 */
export const CHILDREN_AHEAD_MAX = 16

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants

/** File descriptors: `ours` to read from, `childs` to give away; the caller closes all of them. */
export interface Stdio {
  readonly stdin: { readonly childs: number } | null
  readonly stdout: Pipe
  readonly stderr: Pipe
}

interface Pipe {
  readonly ours: number
  readonly childs: number
}

type Outputs = Pick<Stdio, 'stdout' | 'stderr'>

/** Null where there are none: no `mkfifo`, no space in the temporary folder, no free descriptor. */
export function openStdio(input: string | Uint8Array | undefined): Stdio | null {
  const outputs = takeOutputs()
  if (outputs === null) return null
  try {
    return { ...outputs, stdin: input === undefined ? null : { childs: openInput(input) } }
  } catch {
    closeChildsEnds({ ...outputs, stdin: null })
    closeOurEnds(outputs)
    return null
  }
}

/** A file, not a pipe: a named pipe whose writer has closed can no longer be opened, and a file waits for no reader. */
function openInput(input: string | Uint8Array): number {
  return inMemoryFirst((folder) => {
    const path = join(folder, `ralph-stdin-${randomBytes(16).toString('hex')}`)
    try {
      writeFileSync(path, input, { mode: 0o600, flag: 'wx' })
      return openSync(path, O_RDONLY)
    } finally {
      remove(path)
    }
  })
}

/** Making and removing a file takes up to 0.3 ms on a disk and 0.01 here. It may be full or missing. */
const IN_MEMORY = '/dev/shm'

function inMemoryFirst<T>(make: (folder: string) => T): T {
  try {
    return make(IN_MEMORY)
  } catch {
    return make(tmpdir())
  }
}

/** Open and without a name: nobody can reach them before their child. */
const ahead: Outputs[] = []
let wanted = 1

function takeOutputs(): Outputs | null {
  if (ahead.length === 0) {
    ahead.push(...makeOutputs(wanted))
    wanted = Math.min(2 * wanted, CHILDREN_AHEAD_MAX)
  }
  return ahead.pop() ?? null
}

function makeOutputs(count: number): Outputs[] {
  const opened: number[] = []
  let folder: string | null = null
  try {
    folder = inMemoryFirst((root) => mkdtempSync(join(root, 'ralph-stdio-')))
    const names = Array.from({ length: 2 * count }, (_, at) => `${folder}/${at}`)
    const made = spawnSync(MAKE_PIPES, ['-m', '600', ...names], { env: { PATH: env['PATH'] }, stdio: 'ignore' })
    if (made.status !== 0) return []
    const pipes = names.map((path) => openPipe(path, opened))
    return pipes.flatMap((stdout, at) => {
      const stderr = pipes[at + 1]
      return at % 2 === 0 && stderr !== undefined ? [{ stdout, stderr }] : []
    })
  } catch {
    for (const descriptor of opened) closeSync(descriptor)
    return []
  } finally {
    if (folder !== null) remove(folder)
  }
}

/** Opening for reading must not wait for a writer; opening for writing then finds a reader and does not wait either. */
function openPipe(path: string, opened: number[]): Pipe {
  const open = (flags: number): number => {
    const descriptor = openSync(path, flags)
    opened.push(descriptor)
    return descriptor
  }
  return { ours: open(O_RDONLY | O_NONBLOCK), childs: open(O_WRONLY) }
}

export function closeChildsEnds({ stdin, stdout, stderr }: Stdio): void {
  for (const end of [stdin, stdout, stderr]) if (end !== null) closeSync(end.childs)
}

export function closeOurEnds({ stdout, stderr }: Outputs): void {
  closeSync(stdout.ours)
  closeSync(stderr.ours)
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // A small leftover in the temporary folder does no harm.
  }
}
