// Starts the child: its own session and group, its own environment, its three streams.
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { Command, StreamName } from './command.ts'
import { closePipes, makePipes, type Pipe } from './pipes.ts'
import { hasProc } from './process-table.ts'
import type { Source } from './reader.ts'

export interface Launched {
  readonly child: ChildProcess
  readonly pid: number
  readonly sources: Readonly<Record<StreamName, Source>>
  /** Where the child's input goes; null where it reads /dev/null. */
  readonly stdin: Writable | null
}

/** `failed` gives the system's error. */
export type Launch = { readonly launched: Launched } | { readonly failed: Promise<unknown> }

export function launch(command: Command, env: Readonly<Record<string, string>>): Launch {
  const pipes = pipesFor(command)
  try {
    const child = startChild(command, env, pipes)
    if (child.pid !== undefined) return { launched: connected(child, child.pid, pipes) }
    closePipes(pipes ?? [])
    return { failed: new Promise((resolve) => child.once('error', resolve)) }
  } catch (error) {
    // Node throws what is too big (E2BIG), and reports by an event what is not there (ENOENT).
    closePipes(pipes ?? [])
    return { failed: Promise.resolve(error) }
  }
}

/** stdout, stderr and, where there is input, stdin. Elsewhere than on Linux, Node's sockets can be opened by name. */
function pipesFor({ input, trust }: Command): readonly Pipe[] | null {
  if (trust === 'tool' || !hasProc) return null
  return makePipes(input === undefined ? ['read', 'read'] : ['read', 'read', 'write'])
}

function startChild(
  command: Command,
  env: Readonly<Record<string, string>>,
  pipes: readonly Pipe[] | null,
): ChildProcess {
  const [program = '', ...args] = command.argv
  const stdin = command.input === undefined ? 'ignore' : (pipes?.[2]?.childs ?? 'pipe')
  return spawn(program, args, {
    cwd: command.cwd,
    env,
    detached: true,
    stdio: [stdin, pipes?.[0]?.childs ?? 'pipe', pipes?.[1]?.childs ?? 'pipe'],
  })
}

function connected(child: ChildProcess, pid: number, pipes: readonly Pipe[] | null): Launched {
  for (const { childs } of pipes ?? []) closeSync(childs)
  const stdout = pipes?.[0]?.ours ?? child.stdout
  const stderr = pipes?.[1]?.ours ?? child.stderr
  if (stdout === null || stderr === null) throw new Error('a started child has both output streams')
  const stdin =
    pipes?.[2] === undefined ? child.stdin : new Socket({ fd: pipes[2].ours, readable: false, writable: true })
  return { child, pid, sources: { stdout, stderr }, stdin }
}

/** A child that does not read its input, or ends before it has read all, breaks nothing (EPIPE). */
export function feed(stdin: Writable | null, input: string | Uint8Array | undefined): void {
  stdin?.on('error', () => {})
  stdin?.end(input)
}
